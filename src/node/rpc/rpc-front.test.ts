import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { testFront, testOptions } from '../testing/test-front'
import type { RpcFront } from './rpc-front'
import { TRANSPORT_LIMITS } from './transport/limits'

const signal = new AbortController().signal

interface Reply {
  readonly status: number
  readonly type: string | undefined
  readonly body: string
  readonly encoding: string | undefined
}

describe('JSON-RPC over HTTP', () => {
  const clock = new FakeClock()
  let front: RpcFront
  let own = 0
  const deps = { localHashrate: () => own, clock }
  beforeEach(async () => {
    own = 0
    front = testFront({ limits: { ...TRANSPORT_LIMITS, maxConnections: 512 } }, deps)
    await front.start(signal)
  })
  afterEach(() => front.stop())

  const send = (body: string, changes: { method?: string; path?: string; headers?: Record<string, string> } = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const { method = 'POST', path = '/', headers = {} } = changes
      const type = { 'content-type': 'application/json' }
      const call = request({ ...front.address(), method, path, headers: { ...type, ...headers } }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const encoding = response.headers['content-encoding']
          const bytes = Buffer.concat(parts)
          const text = encoding === 'gzip' ? gunzipSync(bytes) : bytes
          const type = response.headers['content-type']
          resolve({ status: response.statusCode ?? 0, type, body: text.toString(), encoding })
        })
      })
      call.on('error', reject)
      call.end(body)
    })
  const rpc = async (body: unknown) => {
    const reply = await send(typeof body === 'string' ? body : JSON.stringify(body))
    return reply.body === '' ? null : JSON.parse(reply.body)
  }
  const failure = (code: number, message: string, id: unknown = null) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message },
  })

  it('answers a new caller when idle connections have taken every place', async () => {
    const { port = 0 } = front.address() ?? {}
    const sockets = Array.from({ length: 512 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    await expect.poll(() => sockets.every((socket) => socket.readyState === 'open')).toBe(true)

    expect(await rpc({ id: 1, method: 'eth_chainId' })).toMatchObject({ result: '0x539' })

    for (const socket of sockets) socket.resume()
    await expect.poll(() => sockets.filter((socket) => socket.readyState === 'closed').length).toBe(1)
    for (const socket of sockets) socket.destroy()
  })

  it('answers one line of JSON', async () => {
    const reply = await send('{"id":1,"method":"eth_chainId"}')
    expect(reply).toMatchObject({ status: 200, type: 'application/json' })
    expect(reply.body).toBe('{"jsonrpc":"2.0","id":1,"result":"0x539"}\n')
  })

  it('compresses on request', async () => {
    const reply = await send('{"id":1,"method":"net_version"}', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(reply).toMatchObject({ encoding: 'gzip', body: '{"jsonrpc":"2.0","id":1,"result":"1337"}\n' })
  })

  it.each([
    ['another path', { path: '/x' }, 404, ''],
    ['a foreign host name', { headers: { host: 'evil.example:8545' } }, 403, 'invalid host specified\n'],
    ['a health check', { method: 'GET' }, 200, ''],
    ['PUT', { method: 'PUT' }, 405, 'method not allowed\n'],
    ['OPTIONS', { method: 'OPTIONS' }, 200, ''],
    ['HEAD', { method: 'HEAD', headers: { 'content-type': 'text/plain' } }, 200, ''],
    [
      'another content type',
      { headers: { 'content-type': 'text/plain' } },
      415,
      'invalid content type, only application/json is supported\n',
    ],
  ])('answers %s by the rules', async (_name, changes, status, body) => {
    expect(await send('', changes)).toMatchObject({ status, body })
  })

  it('rejects bodies over the limit by their length, and cuts off those without a length', async () => {
    expect(await send('x'.repeat(2001))).toMatchObject({ status: 413, body: 'content length too large (2001>2000)\n' })
    const chunked = await send(`["${'x'.repeat(3000)}"]`, { headers: { 'transfer-encoding': 'chunked' } })
    expect(JSON.parse(chunked.body)).toEqual(failure(-32700, 'parse error'))
  })

  it.each([
    ['{', failure(-32700, 'parse error')],
    ['{"id":1,"method":"eth_chainId"} {}', failure(-32700, 'parse error')],
    ['[]', failure(-32600, 'empty batch')],
    ['[1,2,3,4]', failure(-32600, 'batch too large')],
    ['1', failure(-32600, 'invalid request')],
    ['{"id":7}', failure(-32600, 'invalid request', 7)],
    ['{"id":{},"method":"eth_chainId"}', failure(-32600, 'invalid request')],
    ['{"id":1,"method":"eth_nope"}', failure(-32601, 'the method eth_nope does not exist/is not available', 1)],
    ['{"id":1,"method":"constructor"}', failure(-32601, 'the method constructor does not exist/is not available', 1)],
    ['{"id":1,"method":"eth_chainId","params":{}}', failure(-32602, 'non-array args', 1)],
    ['{"id":1,"method":"eth_chainId","params":[1]}', failure(-32602, 'too many arguments, want at most 0', 1)],
    ['{"id":1,"method":"web3_sha3"}', failure(-32602, 'missing value for required argument 0', 1)],
    ['{"id":1,"method":"eth_getWork"}', failure(-32000, 'no mining work available yet', 1)],
    ['{"id":1,"method":"eth_coinbase"}', failure(-32000, 'coinbase must be explicitly specified', 1)],
    ['{"id":1,"method":"eth_gasPrice"}', failure(-32000, 'the chain is not open', 1)],
  ])('answers %s with its error', async (body, answer) => {
    expect(await rpc(body)).toEqual(answer)
  })

  it.each(['', '  ', '{"method":"eth_chainId"}', '[{"method":"eth_chainId"}]', '{"id":1,"result":2}'])(
    'says nothing to %j',
    async (body) => {
      expect(await send(body)).toMatchObject({ status: 200, body: '' })
    },
  )

  it.each(['1.50', '1e3', '-0', '123456789012345678901', '"a\\u0062c"', 'true', 'null'])(
    'echoes the id %s as it was sent',
    async (id) => {
      const one = `{"method":"net_version", "id" : ${id} }`
      const answer = `{"jsonrpc":"2.0","id":${id},"result":"1337"}`

      expect((await send(one)).body).toBe(`${answer}\n`)
      expect((await send(` [${one}, ${one}]`)).body).toBe(`[${answer},${answer}]\n`)
      expect((await send(`{"id":${id}}`)).body).toContain(`"id":${id},"error"`)
    },
  )

  it('uses the last of equal ids', async () => {
    expect(await rpc('{"id":1,"\\u0069d":2.0,"method":"net_version"}')).toMatchObject({ id: 2 })
  })

  it('answers a batch in order, without its notifications', async () => {
    const answers = await rpc([{ id: 2, method: 'net_version' }, { method: 'net_version' }, { id: null, method: 'x' }])
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 2, result: '1337' },
      failure(-32601, 'the method x does not exist/is not available'),
    ])
  })

  it.each([
    ['eth_getBalance', ['0x12', 'latest'], /^invalid argument 0: 1 bytes, want 20/],
    ['eth_getBalance', [null, 'latest'], /^invalid argument 0/],
    [
      'eth_getBalance',
      [`0x${'00'.repeat(20)}`, '0x01'],
      /^invalid argument 1: not a QUANTITY or tag: want 0x .*, or latest, earliest, pending, safe, finalized$/,
    ],
    ['eth_getBalance', [`0x${'00'.repeat(20)}`, 1], /^invalid argument 1/],
    [
      'eth_getBalance',
      [`0x${'00'.repeat(20)}`, { blockNumber: '0x1', blockHash: `0x${'00'.repeat(32)}` }],
      /choose one/,
    ],
    ['eth_getBalance', [`0x${'00'.repeat(20)}`], /^missing value for required argument 1/],
    ['eth_getBlockByNumber', ['LATEST', false], /^invalid argument 0/],
    ['eth_getBlockByNumber', ['0x8000000000000000', false], /larger than int64/],
    ['eth_getBlockByNumber', ['latest', 'yes'], /^invalid argument 1: not a boolean/],
    ['eth_getStorageAt', [`0x${'00'.repeat(20)}`, '0x', 'latest'], /^invalid argument 1/],
    ['eth_submitWork', ['0x01', `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`], /1 bytes, want 8/],
    ['web3_sha3', ['0x1'], /even number/],
    ['web3_sha3', ['12'], /not DATA/],
  ])('rejects %s %j', async (method, params, message) => {
    const answer = await rpc({ id: 1, method, params })
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringMatching(message) })
  })

  it('adds up reported hashrates of the last ten seconds', async () => {
    const report = (rate: string, id: string) =>
      rpc({ id: 1, method: 'eth_submitHashrate', params: [rate, `0x${id.repeat(32)}`] })
    expect(await report('0x64', 'aa')).toMatchObject({ result: true })
    clock.advance(6000)
    await report(`0x${'00'.repeat(31)}0a`, 'bb')
    expect(await rpc({ id: 1, method: 'eth_hashrate' })).toMatchObject({ result: '0x6e' })
    clock.advance(6000)
    expect(await rpc({ id: 1, method: 'eth_hashrate' })).toMatchObject({ result: '0xa' })
  })

  it('counts our own miner with what others report', async () => {
    own = 99.6

    expect(await rpc({ id: 1, method: 'eth_hashrate' })).toMatchObject({ result: '0x64' })
  })

  it('says which port is in use', async () => {
    const port = front.address()?.port ?? 0
    const http = testOptions.http === null ? null : { ...testOptions.http, port }
    const second = testFront({ http }, deps)
    await expect(second.start(signal)).rejects.toMatchObject({
      code: 'RPC_PORT_IN_USE',
      data: { host: '127.0.0.1', port, option: '--http.port' },
    })
    await second.stop()
  })

  it('stops while a connection is kept alive, and starts again', async () => {
    await send('{"id":1,"method":"eth_chainId"}', { headers: { connection: 'keep-alive' } })
    await front.stop()
    expect(front.address()).toBeNull()
    await front.start(signal)
    expect((await send('{"id":1,"method":"eth_chainId"}')).status).toBe(200)
  })
})
