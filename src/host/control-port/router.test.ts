import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, startPort, type TestPort, TOKEN, token } from '../testing/test-port'

const open: TestPort[] = []
const folders: string[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ port }) => port.stop()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function start(options: Parameters<typeof startPort>[0] = {}): Promise<TestPort> {
  const started = await startPort(options)
  open.push(started)
  return started
}

async function rendererFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headframe-static-'))
  folders.push(folder)
  await mkdir(join(folder, 'assets', 'fonts'), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'first-look.js'), 'y')
  await writeFile(join(folder, 'secret.txt'), 'no')
  await writeFile(join(folder, 'assets', 'index-abc.js'), 'x'.repeat(300_000))
  await writeFile(join(folder, 'assets', 'fonts', 'a.woff2'), 'f')
  return folder
}

const JSON_TYPE = 'Content-Type: application/json'
const control = (port: TestPort, body: string, headers: readonly string[] = []) =>
  ask(port, 'POST /api/v1/control', [JSON_TYPE, ...headers], body)

describe('the page', () => {
  it('is packed for a browser that takes it, also from this computer, where tunnels and proxies arrive from', async () => {
    const port = await start({ staticDir: await rendererFolder() })

    const packed = await ask(port, 'GET /assets/index-abc.js', ['Accept-Encoding: gzip'])
    const plain = await ask(port, 'GET /assets/index-abc.js')

    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(Number(packed.headers['content-length'])).toBeLessThan(5_000)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.body).toHaveLength(300_000)
  })
})

describe('data routes', () => {
  it('gives the summary with the headers of data answers', async () => {
    const answer = await ask(await start(), 'GET /api/v1/summary?x=1')

    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-length': String(Buffer.byteLength(answer.body)),
    })
    expect(JSON.parse(answer.body)).toMatchObject({
      control: false,
      pool: { host: 'local:0', difficulty: 0 },
      gpus: [],
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('gives the local rig and the metrics page', async () => {
    const port = await start()

    const rigs = JSON.parse((await ask(port, 'GET /api/v1/rigs')).body)
    const metrics = await ask(port, 'GET /metrics')

    expect(rigs).toMatchObject({
      mining: true,
      rigs: [{ name: hostname(), host: '', local: true, online: true, age: 0 }],
    })
    expect(metrics).toMatchObject({
      status: 200,
      body: 'up 1\n',
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  })

  it('reports when the next epoch begins, what it costs, and how long memory lasts', async () => {
    const { status, body } = await ask(await start(), 'GET /api/v1/epochs')

    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        epoch: 3,
        block_seconds: 600,
        next: { epoch: 4, blocks: 2, at: 2 },
        gpus: [{ index: 0, name: 'Card', last_epoch: 7, memory_full_at: 9, change_seconds: 42 }],
      },
    ])
  })

  it.each([
    ['GET /nothing', 404],
    ['GET /api/v1/summary/', 404],
    ['GET /API/v1/summary', 404],
    ['GET /api/v1/%73ummary', 404],
    ['GET /getstat1', 200],
    ['POST /nothing', 404],
    ['HEAD /api/v1/summary', 405],
    ['OPTIONS /nothing', 405],
    ['DELETE /', 405],
    ['BREW /', 405],
    ['POST /api/v1/summary', 405],
    ['GET /api/v1/control', 405],
    ['POST /', 405],
    ['GET /ui/v1/channel', 426],
  ])('%s is answered %i', async (requestLine, status) => {
    expect((await ask(await start(), requestLine)).status).toBe(status)
  })

  it('names the method of a known path', async () => {
    const port = await start()

    expect((await ask(port, 'POST /metrics')).headers.allow).toBe('GET')
    expect((await ask(port, 'GET /api/v1/control')).headers.allow).toBe('POST')
    expect((await ask(port, 'PUT /metrics')).headers.allow).toBe('GET, POST')
  })

  it('gives errors as JSON with one text', async () => {
    expect(JSON.parse((await ask(await start(), 'GET /nothing')).body)).toEqual({ error: 'not found' })
  })
})

describe('foreign pages', () => {
  it.each([
    ['no Origin', [], 200],
    ['the own one', ['Origin: http://HOST'], 200],
    ['another one', ['Origin: http://evil.example'], 403],
    ['another port', ['Origin: http://127.0.0.1:1'], 403],
    ['the own one by https, as behind a proxy', ['Origin: https://HOST'], 200],
    ['another one by https', ['Origin: https://evil.example'], 403],
    ['another port by https', ['Origin: https://127.0.0.1:1'], 403],
    ['null', ['Origin: null'], 403],
    ['cross-site fetch', ['Sec-Fetch-Site: cross-site'], 403],
    ['same-site fetch', ['Sec-Fetch-Site: same-site'], 403],
    ['navigation to data', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'], 403],
    ['same-origin fetch', ['Sec-Fetch-Site: same-origin'], 200],
    ['a typed address', ['Sec-Fetch-Site: none'], 200],
  ])('Origin and fetch metadata: %s', async (_, headers, status) => {
    const port = await start()
    const sent = headers.map((line) => line.replace('HOST', port.host))

    expect((await ask(port, 'GET /api/v1/summary', sent)).status).toBe(status)
  })

  it('says what a proxy in front must pass on, for the page that it shows', async () => {
    const port = await start()
    const refusal = async (...headers: string[]) => JSON.parse((await ask(port, 'GET /metrics', headers)).body).error

    const says = await refusal('Host: 127.0.0.1:3333', 'Origin: https://farm.example:8443')
    expect(says).toContain('the page is at farm.example:8443, but the request asks for 127.0.0.1:3333. A proxy must')
    expect(await refusal('Origin: null')).toBe('requests of foreign pages are refused')
    expect(await refusal('Sec-Fetch-Site: cross-site')).toBe('requests of foreign pages are refused')
  })

  it('lets a link from another site open the dashboard, and allows that site no other request', async () => {
    const port = await start({ staticDir: await rendererFolder() })
    const crossSite = 'Sec-Fetch-Site: cross-site'

    expect((await ask(port, 'GET /', [crossSite, 'Sec-Fetch-Mode: navigate'])).status).toBe(200)
    expect((await ask(port, 'GET /', [crossSite, 'Sec-Fetch-Mode: no-cors'])).status).toBe(403)
  })

  it.each([
    ['localhost:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['127.0.0.1:PORT', 200],
    ['[::1]:PORT', 200],
    ['127.0.0.1', 200],
    ['127.0.0.1:1', 200],
    ['localhost:8080', 200],
    ['localhost', 200],
    ['[::1]:1', 200],
    ['127.0.0.2:8080', 200],
    ['localhost.evil.example:PORT', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example:PORT', 403],
    ['192.168.1.5:PORT', 403],
    ['rig.example', 200],
    ['RIG.example:8443', 200],
    ['rig.example.evil.example', 403],
    ['', 403],
  ])('on loopback, Host %s is answered %i', async (host, status) => {
    const port = await start({ hosts: ['rig.example'] })

    const answer = await ask(port, 'GET /api/v1/summary', [`Host: ${host.replace('PORT', String(port.tcpPort))}`])
    expect(answer.status).toBe(status)
  })

  it.each([
    ['192.168.1.5:PORT', 200],
    ['[fe80::1]:PORT', 200],
    [`${hostname()}:PORT`, 200],
    [`${hostname()}.local:PORT`, 200],
    ['192.168.1.5:8080', 200],
    ['192.168.1.5', 200],
    [`${hostname()}:8080`, 200],
    ['evil.example:PORT', 403],
    ['evil.example', 403],
  ])('on all interfaces, Host %s is answered %i', async (host, status) => {
    const port = await start({ bind: { host: '0.0.0.0', port: 0 } })

    const answer = await ask(port, 'GET /metrics', [`Host: ${host.replace('PORT', String(port.tcpPort))}`])
    expect(answer.status).toBe(status)
  })

  it('passes a foreign Host that comes with the right token', async () => {
    const port = await start({ apiToken: token() })
    const host = 'Host: proxy.example'

    expect((await ask(port, 'GET /metrics', [host, `Authorization: Bearer ${TOKEN}`])).status).toBe(200)
    expect((await ask(port, 'GET /metrics', [host, 'Authorization: Bearer wrong'])).status).toBe(403)
  })
})

describe('an explicit token', () => {
  it.each([
    ['none', [], 401],
    ['a wrong one', ['Authorization: Bearer nope'], 401],
    ['the right one', [`Authorization: Bearer ${TOKEN}`], 200],
    ['any case of the scheme and several blanks', [`Authorization: bEARER   ${TOKEN}`], 200],
    ['another scheme', [`Authorization: Basic ${TOKEN}`], 401],
    ['a prefix of it', [`Authorization: Bearer ${TOKEN.slice(0, -1)}`], 401],
    ['a cookie', [`Cookie: token=${TOKEN}`], 401],
  ])('is required for data: %s', async (_, headers, status) => {
    const port = await start({ apiToken: token() })

    const answer = await ask(port, 'GET /api/v1/summary', headers)
    expect(answer.status).toBe(status)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
    expect(answer.body).not.toContain(TOKEN)
  })

  it('is checked before path and method, and never taken from the query', async () => {
    const port = await start({ apiToken: token() })

    expect((await ask(port, 'GET /nothing')).status).toBe(401)
    expect((await ask(port, 'DELETE /metrics')).status).toBe(401)
    expect((await ask(port, `GET /metrics?token=${TOKEN}`)).status).toBe(401)
  })

  it("isn't required for the dashboard", async () => {
    const port = await start({ apiToken: token(), staticDir: await rendererFolder() })

    expect((await ask(port, 'GET /')).status).toBe(200)
    expect((await ask(port, 'GET /assets/index-abc.js')).status).toBe(200)
    expect((await ask(port, 'GET /assets/absent.js')).status).toBe(404)
  })

  it('rejects even the right one after 30 wrong ones, until the minute ends', async () => {
    const port = await start({ apiToken: token() })
    for (let i = 0; i < 30; i++) await ask(port, 'GET /metrics', [`Authorization: Bearer wrong-${i}`])

    const limited = await ask(port, 'GET /metrics', [`Authorization: Bearer ${TOKEN}`])
    port.clock.advance(60_000)
    const later = await ask(port, 'GET /metrics', [`Authorization: Bearer ${TOKEN}`])

    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(later.status).toBe(200)
  })
})

describe('control', () => {
  it("is rejected before the body is read if it isn't allowed", async () => {
    const port = await start()

    expect((await control(port, 'not json')).status).toBe(403)
    expect(port.miner.calls).toEqual([])
  })

  it('acts if it is allowed', async () => {
    const port = await start({ allowControl: true })

    const answer = await control(port, '{"action":"pause","gpu":1}')
    await control(port, '{"action":"resume"}')
    await control(port, '{"action":"restart"}')

    expect(answer).toMatchObject({ status: 200, body: '{"result":true}' })
    expect(port.miner.calls).toEqual(['pause 1', 'resume null', 'restart'])
    expect(JSON.parse((await ask(port, 'GET /api/v1/summary')).body)).toMatchObject({ control: true })
  })

  it('answers a bad body with its error', async () => {
    const port = await start({ allowControl: true })

    const answer = await control(port, '{"action":"pause","gpu":2}')

    expect(answer).toMatchObject({ status: 400, body: '{"error":"gpu must be an integer from 0 to 1"}' })
    expect((await ask(port, 'POST /api/v1/control', [], '{}')).body).toBe(
      '{"error":"Content-Type must be application/json"}',
    )
  })

  it('needs a token through a proxy, whose requests only seem to come from this computer', async () => {
    const port = await start({ allowControl: true, openControl: true, sessionToken: token(), hosts: ['rig.example'] })
    const through = ['X-Forwarded-For: 203.0.113.5']

    expect((await control(port, '{"action":"pause"}', through)).status).toBe(403)
    expect((await control(port, '{"action":"pause"}', ['Host: rig.example'])).status).toBe(403)
    expect(port.miner.calls).toEqual([])
    expect((await control(port, '{"action":"pause"}')).status).toBe(200)
    expect((await control(port, '{"action":"pause"}', [...through, `Authorization: Bearer ${TOKEN}`])).status).toBe(200)
  })

  it('needs the session token where reading is open', async () => {
    const port = await start({ allowControl: true, sessionToken: token() })

    expect((await ask(port, 'GET /api/v1/summary')).status).toBe(200)
    expect((await control(port, '{"action":"pause"}')).status).toBe(401)
    expect((await control(port, '{"action":"pause"}', ['Authorization: Bearer nope'])).status).toBe(401)
    expect((await control(port, '{"action":"pause"}', [`Authorization: Bearer ${TOKEN}`])).status).toBe(200)
    expect(port.miner.calls).toEqual(['pause null'])
  })

  it('is refused to a page of another site, with or without a token', async () => {
    const port = await start({ allowControl: true })

    expect((await control(port, '{"action":"pause"}', ['Origin: http://evil.example'])).status).toBe(403)
    expect(port.miner.calls).toEqual([])
  })
})

describe('the dashboard', () => {
  it('comes with its type and its content security policy', async () => {
    const port = await start({ staticDir: await rendererFolder() })

    const page = await ask(port, 'GET /')
    const script = await ask(port, 'GET /assets/index-abc.js')

    expect(page).toMatchObject({ status: 200, body: '<!doctype html>' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.body).toHaveLength(300_000)
    expect((await ask(port, 'GET /assets/fonts/a.woff2')).headers['content-type']).toBe('font/woff2')
    expect((await ask(port, 'GET /favicon.svg')).status).toBe(200)
    const early = await ask(port, 'GET /first-look.js')
    expect(early).toMatchObject({ status: 200, body: 'y' })
    expect(early.headers['cache-control']).toBe('no-cache')
  })

  it.each([
    '/assets/../secret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/.hidden.js',
    '/assets//index-abc.js',
    '/assets/fonts',
    '/assets/',
    '/secret.txt',
    '/index.html',
    '/../../etc/passwd',
    '//etc/passwd.png',
  ])('has nothing at %s', async (path) => {
    const port = await start({ staticDir: await rendererFolder() })

    expect((await ask(port, `GET ${path}`)).status).toBe(404)
  })
})
