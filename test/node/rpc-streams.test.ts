// Long answers over real sockets: they are produced as they are read, and end with their client. Slow and greedy
// clients too, and calls that fail beside others.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { StreamedResult } from '../../src/net/json-rpc/json-rpc'
import { Dispatcher } from '../../src/node/rpc/dispatch/dispatch'
import { method, type RpcContext, type RpcNamespace } from '../../src/node/rpc/dispatch/method'
import { HttpListener } from '../../src/node/rpc/transport/http-listener'
import { TRANSPORT_LIMITS, type TransportLimits } from '../../src/node/rpc/transport/limits'
import { RpcFault } from '../../src/node/rpc-fault'
import { QueryNode, queriesOutOfTime } from './query-node'

/** Hardly compressible, so that a stalled reader is soon full. */
const PIECE = randomBytes(48 * 1024).toString('base64')
const rules = { vhosts: ['localhost'], corsOrigins: [], bodyLimitBytes: 100_000 }

describe('the HTTP listener', () => {
  let listener: HttpListener | null = null
  let made = 0
  let ended = 0
  let signal: AbortSignal | null = null
  afterEach(async () => {
    await listener?.stop()
    made = 0
    ended = 0
    signal = null
  })

  async function* pieces(count: number, failsAfter = Number.POSITIVE_INFINITY) {
    try {
      yield '"'
      for (let i = 0; i < count; i++) {
        if (i === failsAfter) throw new RpcFault('RPC_FAILED', { reason: 'late' })
        made += 1
        yield PIECE
      }
      yield '"'
    } finally {
      ended += 1
    }
  }
  const methods: RpcNamespace = {
    t_stream: method({ params: [], handler: () => new StreamedResult(pieces(300)) }),
    t_long: method({ params: [], handler: () => new StreamedResult(pieces(100_000)) }),
    t_fails: method({ params: [], handler: () => new StreamedResult(pieces(100, 50)) }),
    t_waits: method({
      params: [],
      handler: (_args, _context, caller) => {
        signal = caller.signal
        return new Promise(() => undefined)
      },
    }),
  }
  const started = async (limits: Partial<TransportLimits> = {}) => {
    const dispatcher = new Dispatcher({
      methods: new Map(Object.entries(methods)),
      otherMethod: () => null,
      // The methods above use nothing of it except the clock.
      context: { clock: new FakeClock() } as unknown as RpcContext,
      batchLimit: 10,
      batchAnswerLimit: 1_000,
      log: silentLogger,
    })
    const all = { ...TRANSPORT_LIMITS, ...limits }
    const http = { rules, dispatcher }
    listener = new HttpListener(
      { host: '127.0.0.1', port: 0, portOption: '--http.port', limits: all, http },
      { log: silentLogger, onUpgrade: null, nameLocals: async () => [] },
    )
    await listener.start()
    return listener.address()?.port ?? 0
  }
  const post = (port: number, name: string, headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/json' }
    const call = request({ host: '127.0.0.1', port, method: 'POST', headers: { ...type, ...headers } })
    call.end(`{"id":1,"method":"t_${name}"}`)
    return call
  }
  const answered = (port: number, name: string, headers: Record<string, string> = {}) =>
    new Promise<string>((resolve, reject) => {
      post(port, name, headers)
        .on('error', reject)
        .on('response', (response) => {
          const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
          let text = ''
          body.on('data', (part) => (text += part))
          body.on('end', () => resolve(text))
          response.on('error', reject)
        })
    })

  it('streams a long answer', async () => {
    const answer = JSON.parse(await answered(await started(), 'stream'))
    expect(answer.result).toHaveLength(300 * PIECE.length)
    expect(ended).toBe(1)
  })

  it('streams a compressed answer', async () => {
    const answer = JSON.parse(await answered(await started(), 'stream', { 'accept-encoding': 'gzip' }))
    expect(answer.result).toHaveLength(300 * PIECE.length)
  })

  it.each([{}, { 'accept-encoding': 'gzip' }])('produces no more of a stream than is read, %j', async (headers) => {
    const port = await started()
    const call = post(port, 'long', headers)
    await new Promise((resolve) => call.on('response', (response) => resolve(response.pause())))
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = made > 0 && made === before
          before = made
          return isStill
        },
        { interval: 100 },
      )
      .toBe(true)

    expect(made).toBeLessThan(50_000)
    call.destroy()
    await expect.poll(() => ended).toBe(1)
  })

  it('closes the connection if a stream fails after its answer has begun', async () => {
    await expect(answered(await started(), 'fails')).rejects.toThrow()
    expect(ended).toBe(1)
  })

  it('notifies a method that the client went away', async () => {
    const call = post(await started(), 'waits')
    call.on('error', () => undefined)
    await expect.poll(() => signal).not.toBeNull()
    call.destroy()
    await expect.poll(() => signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ code: 'RPC_CLIENT_GONE' })
  })

  it('cuts off a client that stops reading an answer', async () => {
    const call = post(await started({ ioTimeoutMs: 200 }), 'long')
    call.on('error', () => undefined)
    call.on('response', (response) => response.on('error', () => undefined).pause())
    await expect.poll(() => ended, { timeout: 240_000 }).toBe(1)
  })

  it('limits the time in which a request has to arrive', async () => {
    const socket = connect(await started({ ioTimeoutMs: 300 }), '127.0.0.1')
    let text = ''
    socket.on('data', (part) => (text += part)).on('error', () => undefined)
    const drip = setInterval(() => socket.write('X: y\r\n'), 50)
    socket.write('POST / HTTP/1.1\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(drip)

    expect(text).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('rejects bodies while too much is being read', async () => {
    const port = await started({ maxBodyBytes: 1_000 })
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n`
    const holding = connect(port, '127.0.0.1')
    holding.write(head.replace('x', '127.0.0.1') + ' '.repeat(900))
    const refused = connect(port, '127.0.0.1')
    refused.write(head.replace('x', '127.0.0.1') + ' '.repeat(900))
    // Whichever is read second is one too many.
    const answers = [holding, refused].map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (part) => resolve(String(part)))),
    )
    const answer = await Promise.race(answers)

    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    holding.destroy()
    refused.destroy()
  })
})

describe('a failing call', () => {
  const folder = join(import.meta.dirname, '../vectors/rpc')
  /** Its runs end at their first check of the time. */
  const server = new QueryNode({ folder, blocks: 'chain.rlp', networkId: 3110 }, { queries: queriesOutOfTime })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  const overHttp = async (text: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(server.url(), { method: 'POST', headers, body: text })).text()
  }
  const overWebSocket = async (text: string): Promise<string> => {
    const client = new WebSocket(server.wsUrl())
    const answer = new Promise<string>((resolve, reject) => {
      client.on('open', () => client.send(text))
      client.on('message', (data) => resolve(String(data)))
      client.on('close', () => reject(new Error('closed')))
    })
    return answer.finally(() => client.close())
  }
  const overIpc = async (text: string): Promise<string> => {
    const socket = connect(server.ipc())
    const answer = new Promise<string>((resolve, reject) => {
      let got = ''
      socket.on('data', (part) => {
        got += part
        if (got.endsWith('\n')) resolve(got)
      })
      socket.on('close', () => reject(new Error('closed')))
      socket.write(text)
    })
    return answer.finally(() => socket.destroy())
  }
  const call = (id: number, method: string, params: readonly unknown[] = []): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const transports = [
    ['HTTP', overHttp],
    ['WebSocket', overWebSocket],
    ['a local socket', overIpc],
  ] as const
  const absent = `0x${'11'.repeat(32)}`
  const to = { to: `0x${'11'.repeat(20)}` }
  const failing: readonly (readonly [string, readonly unknown[]])[] = [
    ['debug_traceTransaction', [absent, {}]],
    ['debug_traceTransaction', [absent, { tracer: 'callTracer' }]],
    ['debug_traceBlockByNumber', ['0x1000', {}]],
    ['debug_traceBlockByHash', [absent]],
    ['debug_traceBlock', ['0x00']],
    ['debug_traceCall', [to, '0x1000', {}]],
    ['trace_block', ['0x1000']],
    ['trace_transaction', [absent]],
    ['trace_replayTransaction', [absent, ['trace']]],
    ['trace_replayBlockTransactions', ['0x1000', ['trace']]],
    ['trace_call', [to, ['trace'], '0x1000']],
    ['eth_getLogs', [{ blockHash: absent }]],
    ['eth_call', [to, '0x1000']],
    ['none', []],
  ]

  it.each(transports)('leaves the other calls of a batch over %s their answers', async (_, send) => {
    const calls = failing.flatMap(([method, params], i) => [
      call(2 * i, method, params),
      call(2 * i + 1, 'eth_chainId'),
    ])
    const answers = JSON.parse(await send(`[${calls.join()}]`))

    expect(answers).toHaveLength(calls.length)
    for (const [i, [method]] of failing.entries()) {
      const [asked, beside] = answers.slice(2 * i, 2 * i + 2)
      const isNone = ['trace_block', 'trace_transaction'].includes(method) && asked.result === null
      expect(asked, method).toMatchObject(
        isNone ? { id: 2 * i } : { id: 2 * i, error: { message: expect.any(String) } },
      )
      expect(beside).toMatchObject({ id: 2 * i + 1, result: expect.any(String) })
    }
  })

  it.each(transports)('is an error over %s, alone and in a batch, when its time is out', async (_, send) => {
    const looping = `0x${'22'.repeat(20)}`
    const stateOverrides = { [looping]: { code: '0x60005b60010180602052600256' } }
    const script = '{ step: function() {}, fault: function() {}, result: function() {} }'
    const tracers = [undefined, 'callTracer', 'prestateTracer', 'noopTracer', script]
    // Long ones, and some that end before they would be asked.
    const traces = [
      ...tracers.map((tracer) => ({ tracer, to: looping, timeout: '1ns' })),
      ...tracers.flatMap((tracer) =>
        ['1ns', '0', '-1s'].map((timeout) => ({ tracer, to: `0x${'33'.repeat(20)}`, timeout })),
      ),
    ]
    for (const { tracer, to, timeout } of traces) {
      const options = { tracer, stateOverrides, timeout }
      const alone = call(1, 'debug_traceCall', [{ to, gas: '0x1000000' }, 'latest', options])
      const expected = { id: 1, error: { code: -32000, message: 'execution timeout' } }
      expect(JSON.parse(await send(alone)), tracer).toMatchObject(expected)
      expect(JSON.parse(await send(`[${alone}]`)), tracer).toMatchObject([expected])
    }
  })
})
