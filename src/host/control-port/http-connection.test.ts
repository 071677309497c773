import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { networkTurn } from '../../net/testing/network-turn'
import { parseAnswer, RawClient, startPort, type TestPort } from '../testing/test-port'

const open: TestPort[] = []
const clients: RawClient[] = []
const folders: string[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await Promise.all(open.splice(0).map(({ port }) => port.stop()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function start(options: Parameters<typeof startPort>[0] = {}): Promise<TestPort> {
  const started = await startPort(options)
  open.push(started)
  return started
}

function connect({ tcpPort }: TestPort): RawClient {
  const client = new RawClient(tcpPort)
  clients.push(client)
  return client
}

const count = (text: string, part: string): number => text.split(part).length - 1
const get = ({ host }: TestPort, path = '/metrics'): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`

describe('requests', () => {
  it('are answered in order when several come in one segment', async () => {
    const port = await start()
    const client = connect(port).send(get(port) + get(port, '/nothing') + get(port, '/api/v1/rigs'))

    const text = await client.until(({ received }) => count(received, 'HTTP/1.1 ') === 3 && received.includes('"rigs"'))

    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '404', '200'])
    expect(client.closed).toBe(false)
  })

  it('may arrive byte by byte', async () => {
    const port = await start()
    const client = connect(port)

    for (const byte of get(port)) client.send(byte)

    expect(await client.until(({ received }) => received.includes('up 1'))).toContain('HTTP/1.1 200')
  })

  it('are answered after the client has ended its side', async () => {
    const port = await start()
    const client = connect(port).send(get(port)).end()

    expect(parseAnswer(await client.untilClosed())).toMatchObject({ status: 200, body: 'up 1\n' })
  })

  it('end the connection if the client says so, and with HTTP/1.0', async () => {
    const port = await start()

    const closing = connect(port).send(`GET /metrics HTTP/1.1\r\nHost: ${port.host}\r\nConnection: close\r\n\r\n`)
    const old = connect(port).send('GET /metrics HTTP/1.0\r\n\r\n')

    expect(await closing.untilClosed()).toContain('up 1')
    expect(parseAnswer(await old.untilClosed())).toMatchObject({ status: 200 })
  })

  it('may have a chunked body', async () => {
    const port = await start({ allowControl: true })
    const head = `POST /api/v1/control HTTP/1.1\r\nHost: ${port.host}\r\nContent-Type: application/json\r\n`
    const client = connect(port).send(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    client.send('8;a=b\r\n{"action\r\n').send('a\r\n":"pause"}\r\n').send('0\r\nX-Trailer: 1\r\n\r\n')

    await client.until(({ received }) => received.includes('{"result":true}'))

    expect(port.miner.calls).toEqual(['pause null'])
  })

  it('get their 100 Continue', async () => {
    const port = await start({ allowControl: true })
    const head = `POST /api/v1/control HTTP/1.1\r\nHost: ${port.host}\r\nContent-Type: application/json\r\n`
    const client = connect(port).send(`${head}Content-Length: 18\r\nExpect: 100-continue\r\n\r\n`)

    await client.until(({ received }) => received.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    client.send('{"action":"pause"}')

    await client.until(({ received }) => received.includes('{"result":true}'))
  })

  it('may offer an upgrade other than ours, which is ignored', async () => {
    const port = await start()
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__'
    const client = connect(port).send(`GET /metrics HTTP/1.1\r\nHost: ${port.host}\r\n${upgrade}\r\n\r\n`)

    expect(await client.until(({ received }) => received.includes('up 1'))).toContain('HTTP/1.1 200')
  })

  it('are at most 1000 per connection', async () => {
    const port = await start()
    const client = connect(port).send(get(port).repeat(1_001))

    const text = await client.untilClosed()

    expect(count(text, 'HTTP/1.1 200')).toBe(1_000)
    expect(count(text, 'Connection: close')).toBe(1)
  })
})

describe('malformed requests', () => {
  it.each([
    ['no request line', 'GARBAGE\r\n\r\n', 400],
    ['HTTP/2', 'GET / HTTP/2.0\r\n\r\n', 505],
    ['HTTP/1.2', 'GET / HTTP/1.2\r\n\r\n', 505],
    ['no Host in HTTP/1.1', 'GET /metrics HTTP/1.1\r\n\r\n', 400],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', 400],
    ['CR alone', 'GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n', 400],
    ['LF alone', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['NUL', 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n', 400],
    ['blank in the path', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 400],
    ['negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    ['another encoding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 400],
    ['bad chunk size', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 400],
    ['chunk without end', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n', 400],
    ['announced body too large', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n', 413],
    ['chunks too large', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n', 413],
    ['a long head', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
    ['an endless head', `GET /${'x'.repeat(20_000)}`, 431],
    ['101 headers', `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(100)}\r\n`, 431],
  ])('%s', async (_, request, status) => {
    const client = connect(await start()).send(request)

    // a missing Host isn't a syntax error, so the connection may continue
    await client.until(({ received, closed }) => closed || /\r\n\r\n\{/.test(received))
    expect(parseAnswer(client.received).status).toBe(status)
    if (!request.startsWith('GET /metrics')) await client.untilClosed()
  })

  it('answers earlier requests before rejecting a later one', async () => {
    const port = await start()
    const client = connect(port).send(`${get(port)}GET / HTTP/9.9\r\n\r\n${get(port)}`)

    const text = await client.untilClosed()

    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '505'])
  })

  it('accepts 100 headers', async () => {
    const port = await start()
    const client = connect(port).send(`GET /metrics HTTP/1.1\r\nHost: ${port.host}\r\n${'X: 1\r\n'.repeat(99)}\r\n`)

    expect(await client.until(({ received }) => received.includes('up 1'))).toContain('200')
  })
})

describe('slow clients', () => {
  it('are cut off if not even the first byte comes', async () => {
    const port = await start()
    const client = connect(port)
    await networkTurn()

    port.clock.advance(10_500)

    expect(await client.untilClosed()).toBe('')
  })

  it('get an error when the headers take 10 s', async () => {
    const port = await start()
    const client = connect(port).send('GET /metrics HT')
    await networkTurn()

    port.clock.advance(9_000)
    await networkTurn()
    expect(client.closed).toBe(false)
    port.clock.advance(1_500)

    expect(parseAnswer(await client.untilClosed()).status).toBe(408)
  })

  it('get an error when the headers of a later request take 10 s', async () => {
    const port = await start()
    const client = connect(port).send(`${get(port)}GET /met`)
    await client.until(({ received }) => received.includes('up 1'))
    await networkTurn()

    port.clock.advance(10_500)

    expect(await client.untilClosed()).toContain('HTTP/1.1 408')
  })

  it('get an error when the whole request takes 20 s', async () => {
    const port = await start({ allowControl: true })
    const client = connect(port).send(
      `POST /api/v1/control HTTP/1.1\r\nHost: ${port.host}\r\nContent-Length: 10\r\n\r\n{`,
    )
    await networkTurn()

    port.clock.advance(19_000)
    client.send('"')
    await networkTurn()
    expect(client.closed).toBe(false)
    port.clock.advance(1_500)

    expect(parseAnswer(await client.untilClosed()).status).toBe(408)
  })

  it('are cut off after 15 idle seconds between requests', async () => {
    const port = await start()
    const client = connect(port).send(get(port))
    await client.until(({ received }) => received.includes('up 1'))
    await networkTurn()

    port.clock.advance(14_000)
    await networkTurn()
    expect(client.closed).toBe(false)
    port.clock.advance(1_500)

    expect(count(await client.untilClosed(), 'HTTP/1.1')).toBe(1)
  })

  it("are cut off if they don't read their answer for 20 s", async () => {
    const staticDir = await mkdtemp(join(tmpdir(), 'headframe-slow-'))
    folders.push(staticDir)
    await writeFile(join(staticDir, 'index.html'), Buffer.alloc(32_000_000, 97))
    const port = await start({ staticDir })
    const client = connect(port).pause().send(get(port, '/'))
    await networkTurn()

    port.clock.advance(19_000)
    await networkTurn()
    expect(port.port.connections).toBe(1)
    // On a busy computer the kernel may still have taken bytes a moment ago, which restarts the time.
    while (port.port.connections > 0) {
      port.clock.advance(21_000)
      await networkTurn()
    }

    expect(port.port.connections).toBe(0)
    client.destroy()
  })

  it("can't keep a rejected connection open", async () => {
    const port = await start()
    const client = connect(port).send('GET / HTTP/9.9\r\n\r\n')
    await client.until(({ received }) => received.includes('505'))

    port.clock.advance(2_500)
    await networkTurn()

    client.send('more')
    await client.untilClosed()
  })
})

describe('connections', () => {
  it('of TLS are closed without an answer', async () => {
    const client = connect(await start()).send('\x16\x03\x01\x00\x05hello')

    expect(await client.untilClosed()).toBe('')
  })

  it('are 128 at most: a new one replaces the longest idle one', async () => {
    const port = await start()
    const [first = connect(port), ...others] = Array.from({ length: 128 }, () => connect(port))
    await networkTurn()

    const last = connect(port).send(get(port))

    await last.until(({ received }) => received.includes('up 1'))
    expect(await first.untilClosed()).toBe('')
    expect(others.some(({ closed }) => closed)).toBe(false)
  })

  it('end with the service, which can start again', async () => {
    const port = await start()
    const client = connect(port).send(get(port))
    await client.until(({ received }) => received.includes('up 1'))

    await port.port.stop()

    await client.untilClosed()
    expect(port.clock.pending).toBe(0)
    expect(port.port.address()).toBeNull()
    await port.port.start(new AbortController().signal)
    const again = connect({ ...port, tcpPort: port.port.address()?.port ?? 0 }).send('GET /metrics HTTP/1.0\r\n\r\n')
    expect(await again.untilClosed()).toContain('up 1')
  })

  it('are refused with a clear error if the port is taken', async () => {
    const { tcpPort } = await start()

    await expect(startPort({ bind: { host: '127.0.0.1', port: tcpPort } })).rejects.toMatchObject({
      code: 'HOST_PORT_IN_USE',
      data: { option: '--api-bind', host: '127.0.0.1', port: tcpPort },
    })
  })

  it('use the preferred port while it is free', async () => {
    const last = await start()
    await last.port.stop()

    expect((await start({ preferredPort: last.tcpPort })).tcpPort).toBe(last.tcpPort)
  })

  it('use another port if a merely preferred one is taken', async () => {
    const { tcpPort } = await start()

    const port = await start({ preferredPort: tcpPort })

    expect([port.tcpPort > 0, port.tcpPort === tcpPort]).toEqual([true, false])
    expect(await connect(port).send('GET /metrics HTTP/1.0\r\n\r\n').untilClosed()).toContain('up 1')
  })

  it("aren't offered with control beyond loopback without a token", async () => {
    for (const host of ['0.0.0.0', '::1']) {
      await expect(startPort({ bind: { host, port: 0 }, allowControl: true })).rejects.toMatchObject({
        code: 'HOST_CONTROL_NEEDS_TOKEN',
      })
    }
  })
})

describe("an upgrade that isn't one", () => {
  it('keeps its limits if the request lacks the Connection header for an upgrade', async () => {
    const port = await start()
    const client = connect(port)
    client.send(`GET /ui/v1/channel HTTP/1.1\r\nHost: ${port.host}\r\nUpgrade: websocket\r\n\r\n`)
    await client.until(({ received }) => received.includes('426'))

    client.send(`GET /metrics HTTP/1.1\r\nHost: ${port.host}\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`)

    expect(await client.until(({ received }) => count(received, 'HTTP/1.1 ') === 2)).toContain('HTTP/1.1 431')
  })

  it('is cut off if it was rejected and the client stays', async () => {
    const port = await start()
    const lines = ['Upgrade: websocket', 'Connection: Upgrade', 'Origin: http://evil.example']
    const client = connect(port)
    client.send(`GET /ui/v1/channel HTTP/1.1\r\nHost: ${port.host}\r\n${lines.join('\r\n')}\r\n\r\n`)
    await client.until(({ received }) => received.includes('HTTP/1.1 403'))

    port.clock.advance(1_000)
    port.clock.advance(5_000)

    await expect.poll(() => port.port.connections).toBe(0)
  })
})
