import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { networkTurn } from '../../net/testing/network-turn'
import { startPort, type TestPort, TOKEN, token } from '../testing/test-port'

const open: TestPort[] = []
const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await Promise.all(open.splice(0).map(({ port }) => port.stop()))
})

async function start(options: Parameters<typeof startPort>[0] = {}): Promise<TestPort> {
  const port = await startPort(options)
  open.push(port)
  return port
}

interface Page {
  readonly socket: WebSocket
  readonly messages: unknown[]
  /** close code, or the HTTP status of a refused upgrade */
  readonly ended: Promise<number>
  readonly opened: Promise<void>
  next(): Promise<unknown>
}

function connect({ tcpPort }: TestPort, headers: Record<string, string> = {}, path = '/ui/v1/channel'): Page {
  const socket = new WebSocket(`ws://127.0.0.1:${tcpPort}${path}`, { headers })
  sockets.push(socket)
  const messages: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  const ended = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code))
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => undefined)
  })
  socket.on('message', (data) => {
    const message: unknown = JSON.parse(String(data))
    const wanted = waiting.shift()
    if (wanted) wanted(message)
    else messages.push(message)
  })
  const next = (): Promise<unknown> =>
    messages.length > 0 ? Promise.resolve(messages.shift()) : new Promise((resolve) => waiting.push(resolve))
  const opened = new Promise<void>((resolve) => socket.on('open', () => resolve()))
  return { socket, messages, ended, opened, next }
}

async function hello(port: TestPort, text: string | null, more: { readonly batches?: boolean } = {}): Promise<Page> {
  const page = connect(port)
  await page.opened
  page.socket.send(JSON.stringify({ t: 'hello', token: text, ...more }))
  return page
}

it.each([
  ['an explicit token, shown', { apiToken: token(), allowControl: true }, TOKEN, { control: true, approve: true }],
  ['the same without control', { apiToken: token() }, TOKEN, { control: false, approve: true }],
  ['a session token, shown', { sessionToken: token(), allowControl: true }, TOKEN, { control: true, approve: true }],
  [
    'a session token, not shown',
    { sessionToken: token(), allowControl: true },
    null,
    { control: false, approve: false },
  ],
  ['no token set', { allowControl: true }, null, { control: true, approve: false }],
  ['no token set, one shown', {}, 'any', { control: false, approve: false }],
])('welcomes with the access of: %s', async (_, options, shown, access) => {
  const port = await start(options)

  const page = await hello(port, shown)

  expect(await page.next()).toEqual({ t: 'welcome', access })
  expect(port.channels).toMatchObject([{ access }])
})

it.each([
  ['a wrong explicit token', { apiToken: token() }, 'nope'],
  ['no token where one is needed', { apiToken: token() }, null],
  ['a wrong session token', { sessionToken: token() }, 'nope'],
])('closes with 4401 on %s', async (_, options, shown) => {
  const port = await start(options)

  const page = await hello(port, shown)

  expect(await page.ended).toBe(4401)
  expect(port.channels).toEqual([])
})

it('closes with 4429 after too many wrong tokens', async () => {
  const port = await start({ apiToken: token() })
  for (let i = 0; i < 30; i++) await (await hello(port, `wrong ${i}`)).ended

  expect(await (await hello(port, TOKEN)).ended).toBe(4429)
})

it('closes if no hello comes within 2 s', async () => {
  const port = await start()
  const page = connect(port)
  await page.opened

  port.clock.advance(2_000)

  expect(await page.ended).toBe(4408)
})

it.each(['{', '[]', '{"t":"call"}', '{"t":"hello"}', '{"t":"hello","token":5}'])(
  'closes with 4400 on the first message %s',
  async (text) => {
    const page = connect(await start())
    await page.opened
    page.socket.send(text)

    expect(await page.ended).toBe(4400)
  },
)

it('rejects foreign origins and hosts, and other paths', async () => {
  const port = await start()

  expect(await connect(port, { Origin: 'http://evil.example' }).ended).toBe(403)
  expect(await connect(port, { Origin: 'null' }).ended).toBe(403)
  expect(await connect(port, { Host: `evil.example:${port.tcpPort}` }).ended).toBe(403)
  expect(await connect(port, {}, '/metrics').ended).toBe(200)
  await connect(port, { Origin: `http://${port.host}` }).opened
})

it('carries messages both ways after the welcome, and reports when the page leaves', async () => {
  const port = await start()
  const page = await hello(port, null)
  await page.next()
  const received: unknown[] = []
  const transport = port.channels[0]?.transport
  const closed = new Promise<string>((resolve) => transport?.onClose(resolve))
  const got = new Promise<void>((resolve) =>
    transport?.onMessage((message) => {
      received.push(message)
      resolve()
    }),
  )

  page.socket.send('{"t":"call","id":1}')
  transport?.send({ t: 'event', name: 'x' })

  await got
  expect(received).toEqual([{ t: 'call', id: 1 }])
  expect(await page.next()).toEqual({ t: 'event', name: 'x' })
  page.socket.close(1000)
  await closed
  transport?.send({ after: 'close' })
})

describe('messages that leave together', () => {
  const messages = [
    { t: 'event', name: 'x' },
    { t: 'event', name: 'y' },
  ]

  it('arrive one by one at a page that says nothing else', async () => {
    const port = await start()
    const page = await hello(port, null)
    await page.next()

    for (const message of messages) port.channels[0]?.transport.send(message)

    expect([await page.next(), await page.next()]).toEqual(messages)
  })

  it('arrive as one at a page that takes batches; one alone stays as it is', async () => {
    const port = await start()
    const page = await hello(port, null, { batches: true })
    await page.next()
    const transport = port.channels[0]?.transport

    for (const message of messages) transport?.send(message)
    expect(await page.next()).toEqual(messages)
    transport?.send(messages[0])
    expect(await page.next()).toEqual(messages[0])
  })

  it('still leave if the connection is closed right after them', async () => {
    const port = await start()
    const page = await hello(port, null, { batches: true })
    await page.next()
    const transport = port.channels[0]?.transport

    for (const message of messages) transport?.send(message)
    transport?.close()

    expect(await page.next()).toEqual(messages)
    expect(await page.ended).toBe(1000)
  })

  it("disconnect a page that doesn't read, like others", async () => {
    const port = await start()
    const page = await hello(port, null, { batches: true })
    await page.next()
    page.socket.pause()
    const transport = port.channels[0]?.transport
    const state = { isClosed: false }
    const closed = new Promise<void>((resolve) => transport?.onClose(() => resolve()))
    void closed.then(() => {
      state.isClosed = true
    })

    while (!state.isClosed) {
      transport?.send('x'.repeat(1_000_000))
      transport?.send('x'.repeat(1_000_000))
      await new Promise((done) => setImmediate(done))
    }
  })
})

it('closes on a message over 1 MiB', async () => {
  const port = await start()
  const page = await hello(port, null)
  await page.next()

  page.socket.send('x'.repeat(1_048_577))

  expect(await page.ended).toBe(1009)
})

it("closes on anything that isn't JSON", async () => {
  const port = await start()
  const page = await hello(port, null)
  await page.next()

  page.socket.send('nonsense')

  expect(await page.ended).toBe(1003)
})

it('pings every 30 s and drops a page that does not answer', async () => {
  const port = await start()
  const page = connect(port)
  await page.opened
  page.socket.send('{"t":"hello","token":null}')
  await page.next()
  const pinged = new Promise<void>((resolve) => page.socket.once('ping', () => resolve()))
  port.clock.advance(30_000)
  await pinged
  page.socket.pong = () => undefined
  await networkTurn()

  page.socket.pause()
  port.clock.advance(30_000)
  port.clock.advance(30_000)
  page.socket.resume()

  expect(await page.ended).toBe(1006)
})

it("drops a page that doesn't read its messages", async () => {
  const port = await start()
  const page = await hello(port, null)
  await page.next()
  page.socket.pause()
  const transport = port.channels[0]?.transport
  const closed = new Promise<string>((resolve) => transport?.onClose(resolve))

  for (let i = 0; i < 200; i++) transport?.send('x'.repeat(100_000))

  await closed
})

it('says goodbye when the program stops', async () => {
  const port = await start()
  const page = await hello(port, null)
  await page.next()

  await port.port.stop()

  expect([1001, 1006]).toContain(await page.ended)
})

it("accepts one message larger than a slow page's queue", async () => {
  const port = await start({ sessionToken: token() })
  const page = await hello(port, TOKEN)
  await page.next()
  const large = 'x'.repeat(6 * 1_048_576)

  port.channels[0]?.transport.send({ t: 'event', name: 'signer.requests', payload: large })
  port.clock.advance(500)

  expect(await page.next()).toMatchObject({ payload: large })
})

it('rejects every hello beyond the limit', async () => {
  const port = await start({ sessionToken: token() })
  const page = connect(port)
  await page.opened

  port.clock.advance(2_000)
  page.socket.send(JSON.stringify({ t: 'hello', token: TOKEN }))

  expect(await page.ended).toBe(4408)
  expect(port.channels).toEqual([])
})
