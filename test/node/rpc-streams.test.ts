// Long answers over real sockets: they are produced as they are read, and end with their client. Slow and greedy
// clients too.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { createGunzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { StreamedResult } from '../../src/net/json-rpc/result-stream'
import { Dispatcher } from '../../src/node/rpc/dispatch/dispatch'
import { method, type RpcContext, type RpcNamespace } from '../../src/node/rpc/dispatch/method'
import { HttpListener } from '../../src/node/rpc/transport/http-listener'
import { TRANSPORT_LIMITS, type TransportLimits } from '../../src/node/rpc/transport/limits'
import { RpcFault } from '../../src/node/rpc-fault'

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
    t_fails: method({ params: [], handler: () => new StreamedResult(pieces(10, 5)) }),
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
    const http = { rules, dispatcher, graphql: null }
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

  it('closes the connection if a stream fails midway', async () => {
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
