import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createLogger, type LogRecord } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { closedNode, FakeNews, testFront, testOptions } from '../../testing/test-front'
import type { RpcFront, RpcFrontOptions } from '../rpc-front'
import { TRANSPORT_LIMITS } from './limits'

const signal = new AbortController().signal
const endpoint = { host: '127.0.0.1', port: 0, api: ['eth', 'net'], origins: [] }

describe('JSON-RPC over WebSocket', () => {
  let front: RpcFront | null = null
  const clock = new FakeClock()
  const news = new FakeNews()
  const records: LogRecord[] = []
  const log = createLogger('', { minLevel: 'info', now: () => 0, sink: { write: (record) => records.push(record) } })
  const started = async (options: Partial<RpcFrontOptions> = {}) => {
    front = testFront({ ws: endpoint, ...options }, { clock, node: closedNode(news), log })
    await front.start(signal)
    return front
  }
  afterEach(async () => {
    await front?.stop()
    front = null
  })

  const open = (origin?: string) =>
    new Promise<WebSocket>((resolve, reject) => {
      const { host, port } = front?.wsAddress() ?? {}
      const client = new WebSocket(`ws://${host}:${port}/`, origin === undefined ? {} : { origin })
      client.once('open', () => resolve(client))
      client.once('error', reject)
    })
  const next = (client: WebSocket) =>
    new Promise<{ readonly [name: string]: unknown }>((resolve) =>
      client.once('message', (data) => resolve(JSON.parse(String(data)))),
    )
  const closed = (client: WebSocket) => new Promise<number>((resolve) => client.once('close', resolve))

  it('answers requests and batches, and says nothing to notifications', async () => {
    await started()
    const client = await open()
    client.send('{"method":"eth_chainId"}')
    client.send('[{"id":1,"method":"eth_chainId"},{"id":2,"method":"net_version"}]')

    expect(await next(client)).toMatchObject([
      { id: 1, result: '0x539' },
      { id: 2, result: '1337' },
    ])
  })

  it('logs its address as a text', async () => {
    const { host, port } = (await started()).wsAddress() ?? {}

    expect(records.at(-1)?.fields).toMatchObject({ ws: `${host}:${port}` })
  })

  it('serves its own namespaces', async () => {
    await started()
    const client = await open()
    client.send('{"id":1,"method":"rpc_modules"}')
    expect(await next(client)).toMatchObject({ result: { eth: '1.0', net: '1.0', rpc: '1.0' } })
    client.send('{"id":1,"method":"web3_clientVersion"}')
    expect(await next(client)).toMatchObject({ error: { code: -32601 } })
  })

  it('ends a subscription whose logs cannot be read with the blocks that it missed', async () => {
    await started()
    const client = await open()
    const ended = closed(client)
    client.send('{"id":1,"method":"eth_subscribe","params":["logs",{}]}')
    const { result } = await next(client)
    const told = next(client)
    const block = {
      number: 7,
      hash: new Uint8Array(32).fill(7),
      parentHash: new Uint8Array(32),
      timestamp: 0,
      miner: new Uint8Array(20),
      difficulty: 1n,
      totalDifficulty: 1n,
      gasUsed: 0n,
      gasLimit: 0n,
      transactionCount: 1,
      sizeBytes: 0,
      subsidy: 0n,
    }
    news.events.emit('head', { head: block, added: [block], removed: [] })

    const message = `subscription ${result}: blocks 7 to 7 were missed: not there; read them with eth_getLogs`
    expect(await told).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32000, message } })
    expect(await ended).toBe(1013)
  })

  it('wants a list of params to subscribe', async () => {
    await started()
    const client = await open()
    for (const params of ['', ',"params":null', ',"params":{}']) {
      client.send(`{"id":1,"method":"eth_subscribe"${params}}`)
      expect(await next(client)).toMatchObject({ error: { code: -32602, message: 'non-array args' } })
    }
    client.send('{"id":1,"method":"eth_subscribe","params":[]}')
    expect(await next(client)).toMatchObject({
      error: { code: -32602, message: 'expected subscription name as first argument' },
    })
  })

  it('rejects pages of other origins', async () => {
    await started()
    await expect(open('http://evil.example')).rejects.toThrow('403')
    await expect(open('http://localhost:8080')).resolves.toBeDefined()
  })

  it("says that text isn't JSON and hangs up; what ends early gets no answer", async () => {
    await started()
    const first = await open()
    first.send('{"jsonrpc"]')
    // biome-ignore format: pairs
    expect(await Promise.all([next(first), closed(first)])).toEqual([{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } }, 1007])
    const second = await open()
    const messages: unknown[] = []
    second.on('message', (data) => messages.push(data))
    second.send('{"jsonrpc":"2.0","id":1')
    await closed(second)
    expect(messages).toEqual([])
  })

  it('closes a connection whose message is too long', async () => {
    await started({ limits: { ...TRANSPORT_LIMITS, maxMessageBytes: 1_000 } })
    const client = await open()
    client.send('x'.repeat(1_001))
    expect(await closed(client)).toBe(1009)
  })

  it("shares HTTP's port if both have the same", async () => {
    const probe = await started({ ws: null })
    const port = probe.address()?.port ?? 0
    await probe.stop()
    const http = testOptions.http === null ? null : { ...testOptions.http, port }
    const shared = await started({ http, ws: { ...endpoint, port } })

    expect(shared.wsAddress()).toEqual(shared.address())
    const client = await open()
    client.send('{"id":1,"method":"eth_chainId"}')
    expect(await next(client)).toMatchObject({ result: '0x539' })
  })

  it("answers no HTTP request on its own port, and upgrades nothing on HTTP's", async () => {
    const { port = 0 } = (await started()).wsAddress() ?? {}
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })
    expect(answer.status).toBe(404)
    const plain = new WebSocket(`ws://127.0.0.1:${front?.address()?.port}/`)
    await expect(new Promise((_resolve, reject) => plain.once('error', reject))).rejects.toThrow()
  })

  it("pings, and closes a connection that doesn't answer", async () => {
    const { port = 0 } = (await started()).wsAddress() ?? {}
    const lively = await open()
    const silent = connect(port, '127.0.0.1')
    const ended = new Promise((resolve) => silent.once('close', resolve))
    silent.on('error', () => undefined)
    const head =
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    silent.write(`${head}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`)
    await new Promise((resolve) => silent.once('data', resolve))
    const pinged = new Promise((resolve) => lively.once('ping', resolve))
    silent.resume()

    clock.advance(TRANSPORT_LIMITS.pingEveryMs)
    await pinged
    lively.send('{"id":1,"method":"eth_chainId"}')
    await next(lively) // its pong came before
    clock.advance(TRANSPORT_LIMITS.pongWithinMs)

    await ended
    expect(lively.readyState).toBe(WebSocket.OPEN)
  })

  it('notifies subscribers until they unsubscribe', async () => {
    await started()
    const client = await open()
    client.send('{"id":1,"method":"eth_subscribe","params":["newPendingTransactions"]}')
    const { result: id } = await next(client)

    news.events.emit('pending', [new Uint8Array(32).fill(0xab)])
    expect(await next(client)).toEqual({
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: id, result: `0x${'ab'.repeat(32)}` },
    })
    client.send(JSON.stringify({ id: 2, method: 'eth_unsubscribe', params: [id] }))
    expect(await next(client)).toMatchObject({ id: 2, result: true })
    client.send(JSON.stringify({ id: 3, method: 'eth_unsubscribe', params: [id] }))
    expect(await next(client)).toMatchObject({ error: { code: -32000, message: 'subscription not found' } })
  })

  it('drops subscriptions when the connection ends', async () => {
    await started()
    const client = await open()
    client.send('{"id":1,"method":"eth_subscribe","params":["newPendingTransactions"]}')
    await next(client)
    client.terminate()
    await closed(client)

    const other = await open()
    other.send('{"id":1,"method":"eth_unsubscribe","params":["0x1"]}')
    expect(await next(other)).toMatchObject({ error: { message: 'subscription not found' } })
  })

  it("disconnects a client that doesn't read its notifications", async () => {
    await started({ limits: { ...TRANSPORT_LIMITS, maxUnreadBytes: 10_000 } })
    const client = await open()
    client.send('{"id":1,"method":"eth_subscribe","params":["newPendingTransactions"]}')
    await next(client)
    client.pause()
    const ended = closed(client)

    for (let round = 0; round < 200; round++)
      news.events.emit(
        'pending',
        Array.from({ length: 200 }, (_, i) => new Uint8Array(32).fill(i)),
      )
    await new Promise((resolve) => setImmediate(resolve))
    client.resume()

    expect(await ended).toBe(1013)
  })
})
