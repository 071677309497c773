// Attacks on view-only links, over real sockets: what they must never do, see or outlive.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { ask, RawClient, startPort, type TestPort, TOKEN, token } from '../testing/test-port'
import { ViewLinks } from '../ui/view-links'

const HOUR_MS = 3_600_000
let dir = ''
let port: TestPort
let links: ViewLinks
let linkClock = new FakeClock()
const sockets: WebSocket[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'headframe-links-'))
  linkClock = new FakeClock()
  let drawn = 0
  const randomBytes = (length: number): Uint8Array => {
    drawn += 1
    return new Uint8Array(length).fill(drawn)
  }
  links = new ViewLinks({ file: join(dir, 'links.json'), clock: linkClock, log: silentLogger, randomBytes })
  await links.start()
  port = await startPort({ apiToken: token(), allowControl: true }, links)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await port.port.stop()
  await links.stop()
  rmSync(dir, { recursive: true, force: true })
})

const make = (hides = false) => links.create({ label: '', lifetime: 'hour', hides })
const bearer = (text: string) => [`Authorization: Bearer ${text}`]
const get = (path: string, text: string) => ask(port, `GET ${path}`, bearer(text))

describe('a view link over HTTP', () => {
  it.each(['/api/v1/summary', '/api/v1/rigs', '/getstat1', '/metrics'])('reads %s', async (path) => {
    expect((await get(path, make().token)).status).toBe(200)
  })

  it('never controls, whatever this instance allows', async () => {
    const body = '{"command":"pause","gpu":0}'
    const headers = [...bearer(make().token), 'Content-Type: application/json']

    const answer = await ask(port, 'POST /api/v1/control', headers, body)

    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('may only read') })
    expect(port.miner.calls).toEqual([])
    expect(JSON.parse((await get('/api/v1/summary', make().token)).body)).toMatchObject({ control: false })
    expect(JSON.parse((await get('/api/v1/summary', TOKEN)).body)).toMatchObject({ control: true })
  })

  it.each(['PUT', 'DELETE', 'POST', 'OPTIONS', 'HEAD'])('may not %s', async (method) => {
    const { status } = await ask(port, `${method} /api/v1/summary`, bearer(make().token))

    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('reads only its own routes', async () => {
    const { token: shown } = make()

    expect((await get('/api/v1/sd', shown)).status).toBe(403)
    expect((await get('/ui/v1/channel', shown)).status).toBe(403)
    expect((await get('/api/v1/control', shown)).status).toBe(403)
    expect((await get('/nothing', shown)).status).toBe(404)
  })

  it("relaxes no Host check, unlike the program's token", async () => {
    const foreign = ['Host: evil.example']

    expect((await ask(port, 'GET /api/v1/summary', [...foreign, ...bearer(make().token)])).status).toBe(403)
    expect((await ask(port, 'GET /api/v1/summary', [...foreign, ...bearer(TOKEN)])).status).toBe(200)
  })

  it('ends with its time and with its revocation', async () => {
    const first = make()
    const second = make()

    links.revoke(first.link.id)
    expect((await get('/api/v1/summary', first.token)).status).toBe(401)
    expect((await get('/api/v1/summary', second.token)).status).toBe(200)
    linkClock.advance(HOUR_MS)
    expect((await get('/api/v1/summary', second.token)).status).toBe(401)
  })

  it("doesn't count as a wrong token, but is limited with all others after too many wrong ones", async () => {
    const { token: shown } = make()
    for (let i = 0; i < 35; i++) expect((await get('/api/v1/summary', shown)).status).toBe(200)
    for (let i = 0; i < 30; i++) await get('/api/v1/summary', 'guess')

    expect((await get('/api/v1/summary', shown)).status).toBe(429)
  })

  it('that hides gives no names', async () => {
    const { token: shown } = make(true)

    expect((await get('/metrics', shown)).status).toBe(403)
    expect((await get('/api/v1/summary', shown)).status).toBe(200)
    expect((await get('/api/v1/rigs', shown)).body).toContain('"name":"rig 1"')
    expect((await get('/api/v1/rigs?name=a', shown)).status, 'guessing names').toBe(403)
  })

  it('chooses among the rigs, and hears how many there are', async () => {
    for (const { token: shown } of [make(), make(true)]) {
      const { status, body } = await get('/api/v1/rigs?offset=1&limit=5', shown)
      expect([status, JSON.parse(body)]).toEqual([200, { mining: true, rigs: [], total: 1 }])
      expect((await get('/api/v1/rigs?limit=0', shown)).status).toBe(400)
    }
    expect(JSON.parse((await get('/api/v1/rigs?online=false', make().token)).body)).toMatchObject({
      rigs: [],
      total: 0,
    })
  })
})

it("a view link isn't a password for line JSON-RPC", async () => {
  const client = new RawClient(port.tcpPort)
  client.send(`{"id":1,"jsonrpc":"2.0","method":"api_authorize","params":{"psw":"${make().token}"}}\n`)

  const answer = await client.until(({ received, closed }) => closed || received.includes('\n'))
  client.destroy()

  expect(answer).not.toContain('"result":true')
})

interface Page {
  readonly socket: WebSocket
  readonly messages: unknown[]
  readonly ended: Promise<number>
}

async function look(shown: string): Promise<Page> {
  const socket = new WebSocket(`ws://127.0.0.1:${port.tcpPort}/ui/v1/channel`)
  sockets.push(socket)
  const messages: unknown[] = []
  const ended = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  const first = new Promise<void>((resolve) => socket.once('message', () => resolve()))
  socket.on('error', () => undefined)
  socket.on('message', (data) => void messages.push(JSON.parse(String(data))))
  await new Promise<void>((resolve) => socket.on('open', () => resolve()))
  socket.send(JSON.stringify({ t: 'hello', token: shown }))
  await Promise.race([first, ended])
  return { socket, messages, ended }
}

describe('a view link over the channel', () => {
  it('is read-only, and says which link it is', async () => {
    const { token: shown, link } = make(true)

    const page = await look(shown)

    expect(page.messages).toEqual([{ t: 'welcome', access: { control: false, approve: false } }])
    expect(port.channels[0]?.access).toMatchObject({
      control: false,
      approve: false,
      hasToken: false,
      view: { id: link.id, hides: true },
    })
  })

  it('is indistinguishable from a wrong token after it ended', async () => {
    const { token: shown, link } = make()
    links.revoke(link.id)

    expect(await (await look(shown)).ended).toBe(4_401)
    expect(port.channels).toEqual([])
  })

  it('loses an open connection when it is revoked, and no other link does', async () => {
    const first = make()
    const second = make()
    const page = await look(first.token)
    const other = await look(second.token)
    const owner = await look(TOKEN)

    links.revoke(first.link.id)

    expect(await page.ended).toBe(4_401)
    expect([other.socket.readyState, owner.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  })

  it('loses an open connection when it expires', async () => {
    const page = await look(make().token)

    linkClock.advance(HOUR_MS)

    expect(await page.ended).toBe(4_401)
  })

  it("gets nothing more after it ended, and is cut off if it doesn't answer the close", async () => {
    const { token: shown, link } = make()
    const page = await look(shown)
    const calls: unknown[] = []
    const channel = port.channels[0]
    channel?.transport.onMessage((message) => void calls.push(message))
    page.socket.pause() // it receives no close frame either

    links.revoke(link.id)
    channel?.transport.send({ t: 'event', name: 'late', payload: {} })
    page.socket.send('{"t":"call","id":1,"name":"app.info","params":{}}')
    port.clock.advance(2_000)
    page.socket.resume()

    await page.ended
    expect(calls).toEqual([])
    expect(JSON.stringify(page.messages)).not.toContain('late')
  })
})
