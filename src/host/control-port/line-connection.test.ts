import { afterEach, expect, it } from 'vitest'
import { networkTurn } from '../../net/testing/network-turn'
import { RawClient, startPort, type TestPort, TOKEN, token } from '../testing/test-port'

const open: TestPort[] = []
const clients: RawClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await Promise.all(open.splice(0).map(({ port }) => port.stop()))
})

async function start(options: Parameters<typeof startPort>[0] = {}) {
  const port = await startPort(options)
  open.push(port)
  const client = new RawClient(port.tcpPort)
  clients.push(client)
  return { port, client }
}

const request = (id: unknown, method: string, params?: unknown): string =>
  `${JSON.stringify({ id, jsonrpc: '2.0', method, params })}\n`
const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

it('answers several requests in one segment, and one in several, in order', async () => {
  const { client } = await start()
  client.send(`${request(1, 'miner_ping')}\r\n\n${request('b', 'nothing')}`)
  await networkTurn()
  for (const byte of request(3, 'miner_ping')) client.send(byte)

  const text = await client.until(({ received }) => received.split('\n').length === 4)

  expect(lines(text)).toEqual([
    { id: 1, jsonrpc: '2.0', result: 'pong' },
    { id: 'b', jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } },
    { id: 3, jsonrpc: '2.0', result: 'pong' },
  ])
})

it('answers a request without a line end once the client has ended, and closes', async () => {
  const { client } = await start({ apiToken: token() })
  client.send(request(1, 'miner_ping').trim().replace('{', `{"psw":"${TOKEN}",`))
  client.end()

  expect(lines(await client.untilClosed())).toEqual([{ id: 1, jsonrpc: '2.0', result: 'pong' }])
})

it('answers a whole request without a line end while the client waits', async () => {
  const { port, client } = await start()
  client.send(request(1, 'miner_ping').trim())
  await networkTurn()
  port.clock.advance(1_000)

  expect(lines(await client.until(({ received }) => received.endsWith('\n')))).toMatchObject([{ result: 'pong' }])
})

it('stays open after an error', async () => {
  const { client } = await start()
  client.send('{nonsense\n')
  await client.until(({ received }) => received.includes('-32700'))

  client.send(request(1, 'miner_ping'))

  await client.until(({ received }) => received.includes('pong'))
})

it('requires the token first if one is set, and revokes access after a wrong one', async () => {
  const { client } = await start({ apiToken: token() })
  client.send(request(1, 'miner_ping') + request(2, 'api_authorize', { psw: TOKEN }) + request(3, 'miner_ping'))
  client.send(request(4, 'api_authorize', { psw: 'nope' }) + request(5, 'miner_ping'))

  const text = await client.until(({ received }) => received.split('\n').length === 6)

  expect(lines(text)).toMatchObject([
    { error: { code: -403 } },
    { result: true },
    { result: 'pong' },
    { error: { code: -401, message: 'Invalid password' } },
    { error: { code: -403, message: 'Authorization needed' } },
  ])
})

it("ends a guesser's connection after 30 attempts", async () => {
  const { client } = await start({ apiToken: token() })
  client.send(request(1, 'api_authorize', { psw: 'nope' }).repeat(31))

  const answers = lines(await client.untilClosed())

  expect(answers).toHaveLength(31)
  expect(answers.at(-1)).toMatchObject({ error: { code: -429, message: 'Too many attempts' } })
})

it('rejects a line over 64 KiB and closes', async () => {
  const { client } = await start()
  client.send('1'.repeat(65_537))

  expect(lines(await client.untilClosed())).toEqual([
    { id: null, jsonrpc: '2.0', error: { code: -32600, message: 'Request too large' } },
  ])
})

it('closes on an unfinished line after 20 s, but not on a quiet client', async () => {
  const { port, client } = await start()
  client.send(request(1, 'miner_ping'))
  await client.until(({ received }) => received.includes('pong'))
  port.clock.advance(600_000)
  client.send('{"id":')
  await networkTurn()
  expect(client.closed).toBe(false)

  port.clock.advance(20_500)

  await client.untilClosed()
})

it("closes a client that doesn't authorize within 10 s", async () => {
  const { port, client } = await start({ apiToken: token() })
  client.send(request(1, 'miner_ping'))
  await client.until(({ received }) => received.includes('-403'))

  port.clock.advance(10_500)

  await client.untilClosed()
})
