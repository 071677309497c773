// The HTTP side of the port over real sockets: order of checks, shapes, limits, abuse.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../miner/pool-harness'
import { http, readAnswer, TOKEN, USER } from './control-fixture'
import { controlOpener } from './control-open'

const { start, wire } = controlOpener()

const JSON_TYPE = 'Content-Type: application/json'
const AUTHORIZED = `Authorization: Bearer ${TOKEN}`
const status = async (...request: Parameters<typeof http>): Promise<number> => (await http(...request)).status

const rate = z.number().nonnegative()
const count = z.number().int().nonnegative()
const rates = z.strictObject({ now: rate, '60s': rate, '15m': rate })
const shares = z.strictObject({ accepted: count, rejected: count, failed: count })
const gpu = z.strictObject({
  index: count,
  name: z.string(),
  pci: z.string(),
  backend: z.enum(['cuda', 'opencl', 'cpu']),
  hashrate: rates,
  shares,
  paused: z.boolean(),
  pause_reason: z.string(),
  temperature: z.strictObject({ core: z.number(), hotspot: z.number(), memory: z.number() }),
  fan: z.number(),
  power: z.number(),
  power_limit: z.number(),
  clocks: z.strictObject({ core: z.number(), memory: z.number() }),
})
const summarySchema = z.strictObject({
  control: z.boolean(),
  miner: z.strictObject({
    name: z.literal('headframe'),
    version: z.string(),
    algorithm: z.literal('xhash'),
    uptime: count,
  }),
  pool: z.strictObject({
    connected: z.boolean(),
    host: z.string(),
    url: z.string(),
    difficulty: z.number(),
    epoch: z.number().int(),
    block: z.number().int(),
    switches: count,
    warning: z.string(),
    diagnosis: z.strictObject({
      trouble: z.string(),
      seconds: count,
      count,
      answer: z.string(),
      action: z.string(),
    }),
  }),
  hashrate: rates.extend({ effective: rate }),
  shares,
  gpus: z.array(gpu),
})

describe('the summary', () => {
  it('has exactly the documented members, with password and path removed from the address', async () => {
    const { tcpPort, pool, engines, miner } = await start()
    engines[1]?.search.find(0x1n)
    await until('the share', () => miner.snapshot().shares.accepted === 1)
    miner.pause(0)

    const answer = await http(tcpPort, 'GET /api/v1/summary?token=x')
    const summary = summarySchema.parse(JSON.parse(answer.body))

    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-length': String(Buffer.byteLength(answer.body)),
    })
    expect(summary).toMatchObject({
      control: true,
      pool: {
        connected: true,
        host: `127.0.0.1:${pool.port}`,
        url: `stratum+tcp://${USER}.rig1:***@127.0.0.1:${pool.port}`,
        difficulty: expect.closeTo(60, 6),
        epoch: 0,
        switches: 0,
        warning: '',
      },
      shares: { accepted: 1, rejected: 0, failed: 0 },
    })
    expect(summary.gpus.map(({ index, paused, pause_reason }) => [index, paused, pause_reason])).toEqual([
      [0, true, 'Api request'],
      [1, false, ''],
    ])
    expect(summary.gpus[1]?.shares).toEqual(summary.shares)
  })
})

describe('the order of the checks', () => {
  it('a foreign origin is rejected before anything else', async () => {
    const { tcpPort } = await start({ token: TOKEN })
    const foreign = 'Origin: http://evil.example'

    expect(await status(tcpPort, 'GET /api/v1/summary', [foreign, AUTHORIZED])).toBe(403)
    expect(await status(tcpPort, 'DELETE /nowhere', [foreign])).toBe(403)
    expect(await status(tcpPort, 'GET /api/v1/summary', ['Origin: null', AUTHORIZED])).toBe(403)
    expect(await status(tcpPort, 'GET /api/v1/summary', ['Sec-Fetch-Site: cross-site', AUTHORIZED])).toBe(403)
    expect(await status(tcpPort, 'GET /api/v1/summary', [`Origin: http://127.0.0.1:${tcpPort}`, AUTHORIZED])).toBe(200)
  })

  it('then comes the host, which the right token can replace', async () => {
    const { tcpPort } = await start({ token: TOKEN })

    expect(await status(tcpPort, 'GET /api/v1/summary', ['Host: evil.example'])).toBe(403)
    expect(await status(tcpPort, 'GET /api/v1/summary', ['Host: evil.example', AUTHORIZED])).toBe(200)
    expect(await status(tcpPort, 'GET /api/v1/summary', [`Host: LOCALHOST:${tcpPort}`, AUTHORIZED])).toBe(200)
    // A tunnel's port on this computer is its own: what is asked next is the token.
    expect(await status(tcpPort, 'GET /api/v1/summary', [`Host: localhost:${tcpPort + 1}`])).toBe(401)
  })

  it('then the token, on every path, including unknown ones and wrong methods', async () => {
    const { tcpPort } = await start({ token: TOKEN })
    const answer = await http(tcpPort, 'GET /nowhere')

    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(await status(tcpPort, 'PUT /api/v1/summary')).toBe(401)
    expect(await status(tcpPort, `GET /api/v1/summary?token=${TOKEN}`)).toBe(401)
    expect(await status(tcpPort, 'GET /api/v1/summary', [`Cookie: token=${TOKEN}`])).toBe(401)
    expect(await status(tcpPort, 'GET /api/v1/summary', [`authorization: bEaReR   ${TOKEN}`])).toBe(200)
    expect(await status(tcpPort, 'GET /metrics')).toBe(401)
    expect(await status(tcpPort, 'GET /getstat1')).toBe(401)
    expect(await status(tcpPort, 'GET /api/v1/sd')).toBe(401)
  })

  it('then methods and paths', async () => {
    const { tcpPort } = await start()

    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'])
      expect(await status(tcpPort, `${method} /nowhere`)).toBe(405)
    for (const path of ['/nowhere', '/api/v1/summary/', '/API/v1/summary', '/api/v1%2fsummary', '/metrics/'])
      expect(await status(tcpPort, `GET ${path}`)).toBe(404)
    const wrong = await http(tcpPort, 'POST /api/v1/summary', [JSON_TYPE], '{}')
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET'])
    const read = await http(tcpPort, 'GET /api/v1/control')
    expect([read.status, read.headers.allow]).toEqual([405, 'POST'])
    expect(Object.keys(wrong.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('then control: allowed at all, content type, body', async () => {
    const closed = await start({ allowControl: false })
    const allowed = await start()
    const post = (port: number, body: string, type = JSON_TYPE) => http(port, 'POST /api/v1/control', [type], body)

    expect((await post(closed.tcpPort, 'nonsense', 'Content-Type: text/plain')).status).toBe(403)
    expect(await post(allowed.tcpPort, '{}', 'Content-Type: text/plain')).toMatchObject({
      status: 400,
      body: '{"error":"Content-Type must be application/json"}',
    })
    expect(await post(allowed.tcpPort, '{"action":"stop"}')).toMatchObject({
      status: 400,
      body: '{"error":"action must be pause, resume or restart"}',
    })
    expect(await post(allowed.tcpPort, '{"action":"pause","gpu":2}')).toMatchObject({
      status: 400,
      body: '{"error":"gpu must be an integer from 0 to 1"}',
    })
    expect(await post(allowed.tcpPort, '{"action":"pause","gpu":1.0}')).toMatchObject({
      status: 200,
      body: '{"result":true}',
    })
  })
})

describe('control', () => {
  it('shows in the next summary, survives a device restart, and lifts its own reason only', async () => {
    const { tcpPort, engines, miner } = await start()
    const post = (body: object) => http(tcpPort, 'POST /api/v1/control', [JSON_TYPE], JSON.stringify(body))
    const reasons = async () =>
      summarySchema
        .parse(JSON.parse((await http(tcpPort, 'GET /api/v1/summary')).body))
        .gpus.map((each) => each.pause_reason)

    await post({ action: 'pause' })
    expect(await reasons()).toEqual(['Api request', 'Api request'])
    await post({ action: 'pause' })
    await post({ action: 'restart', gpu: 7 })
    await until('the restart', () => engines.every((engine) => engine.searches.every((search) => search.closed)))
    expect(await reasons()).toEqual(['Api request', 'Api request'])
    await post({ action: 'resume', gpu: 1 })
    expect(await reasons()).toEqual(['Api request', ''])
    expect(miner.snapshot().shares).toEqual({ accepted: 0, rejected: 0, failed: 0 })
  })
})

describe('metrics', () => {
  it('are the documented families, each with help and type once, labels in order and escaped', async () => {
    const { tcpPort, pool } = await start()
    const answer = await http(tcpPort, 'GET /metrics')
    const lines = answer.body.split('\n')
    const families = lines.flatMap((line) => /^# TYPE (\S+) (\S+)$/.exec(line)?.slice(1).join(' ') ?? [])

    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.body.endsWith('\n')).toBe(true)
    expect(families).toEqual([
      'miner_info gauge',
      'miner_uptime_seconds gauge',
      'miner_hashrate gauge',
      'miner_effective_hashrate gauge',
      'miner_shares_total counter',
      'miner_gpu_paused gauge',
      'miner_gpu_temperature_celsius gauge',
      'miner_gpu_fan_percent gauge',
      'miner_gpu_power_watts gauge',
      'miner_gpu_power_limit_watts gauge',
      'miner_gpu_clock_mhz gauge',
      'miner_pool_connected gauge',
      'miner_pool_difficulty_hashes gauge',
      'miner_epoch gauge',
      'miner_block_height gauge',
      'miner_pool_switches_total counter',
      'miner_shares_lost_total counter',
    ])
    expect(lines.filter((line) => line.startsWith('# HELP '))).toHaveLength(families.length)
    for (const sample of [
      'miner_info{version="1.2.3"} 1',
      'miner_hashrate{window="15m"} 0',
      'miner_hashrate{window="60s",gpu="1",name="CPU \\"1\\""} 0',
      'miner_shares_total{result="failed",gpu="0",name="CPU \\"0\\""} 0',
      'miner_gpu_temperature_celsius{gpu="0",name="CPU \\"0\\"",sensor="hotspot"} 0',
      'miner_gpu_clock_mhz{gpu="1",name="CPU \\"1\\"",clock="memory"} 0',
      `miner_pool_connected{host="127.0.0.1:${pool.port}"} 1`,
      'miner_pool_switches_total 0',
    ])
      expect(lines).toContain(sample)
    const names = lines.flatMap((line) => /^(miner_\w+)[{ ]/.exec(line)?.[1] ?? [])
    expect(names).toEqual(
      [...names].sort(
        (a, b) => families.findIndex((f) => f.startsWith(`${a} `)) - families.findIndex((f) => f.startsWith(`${b} `)),
      ),
    )
  })
})

describe('the status page', () => {
  it('escapes everything, marks paused rows and loads nothing', async () => {
    const { tcpPort, miner, pool } = await start()
    miner.pause(1)

    const { status: code, headers, body } = await http(tcpPort, 'GET /getstat1')

    expect(code).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'")
    expect(body).toContain('<meta http-equiv="refresh" content="30">')
    expect(body).toContain(`headframe-1.2.3 - 0:00 - stratum+tcp://${USER}.rig1:***@127.0.0.1:${pool.port}`)
    expect(body).toContain('<td class="text">CPU &quot;0&quot;</td><td class="text">CPU</td><td class="text">No</td>')
    expect(body).toContain('<tr class="paused">')
    expect(body).toContain('A0:R0:F0')
    expect(body).not.toMatch(/<script|src=|href=/)
  })
})

describe('rigs', () => {
  it('is only this one if no other is watched', async () => {
    const { tcpPort } = await start()
    const { rigs, mining } = JSON.parse((await http(tcpPort, 'GET /api/v1/rigs')).body)

    expect(mining).toBe(true)
    expect(rigs).toHaveLength(1)
    expect(rigs[0]).toMatchObject({ host: '', local: true, online: true, error: '', age: 0 })
    expect(summarySchema.safeParse(rigs[0].summary).success).toBe(true)
    expect(JSON.parse((await http(tcpPort, 'GET /api/v1/sd')).body)).toEqual([])
  })
})

describe('what is sent over the wire', () => {
  const get = (tcpPort: number, path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${tcpPort}\r\n\r\n`

  it('pipelined requests are answered in order, even byte by byte', async () => {
    const { tcpPort } = await start()
    const client = wire(tcpPort)
    const text = get(tcpPort, '/nowhere') + get(tcpPort, '/api/v1/rigs') + get(tcpPort, '/metrics')
    for (const char of text) {
      client.send(char)
      if (char === '\n') await new Promise((resolve) => setImmediate(resolve))
    }
    await until(
      'three answers',
      () => client.received.split('HTTP/1.1 ').length === 4 && client.received.includes('miner_info{'),
    )

    expect(
      client.received
        .split('HTTP/1.1 ')
        .slice(1)
        .map((part) => part.slice(0, 3)),
    ).toEqual(['404', '200', '200'])
  })

  it.each([
    ['a bare CR', 'GET / HTTP/1.1\rHost: x\r\n\r\n', 400],
    ['a NUL', 'GET / HTTP/1.1\r\nHost: a\u0000b\r\n\r\n', 400],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['a body that is too large', 'POST /api/v1/control HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n', 413],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
    ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(101)}\r\n`, 431],
    ['another version', 'GET / HTTP/2.0\r\nHost: x\r\n\r\n', 505],
    ['rubbish that begins with a capital', 'ABC\u0001\u0002\r\n\r\n', 400],
  ])('%s ends the connection with its status', async (_, text, code) => {
    const { tcpPort } = await start()

    const answer = readAnswer(await wire(tcpPort).send(Buffer.from(text, 'latin1')).untilClosed())

    expect(answer.status).toBe(code)
    expect(answer.headers.connection).toBe('close')
  })

  it('an endless megabyte is rejected at 16 KiB', async () => {
    const { tcpPort } = await start()

    expect(
      readAnswer(
        await wire(tcpPort)
          .send(`GET /${'x'.repeat(1_048_576)}`)
          .untilClosed(),
      ).status,
    ).toBe(431)
  })

  it('a chunked body and Expect: 100-continue are understood', async () => {
    const { tcpPort } = await start()
    const head = `POST /api/v1/control HTTP/1.1\r\nHost: 127.0.0.1:${tcpPort}\r\n${JSON_TYPE}\r\nConnection: close\r\n`
    const client = wire(tcpPort).send(`${head}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`)
    await until('100 Continue', () => client.received.startsWith('HTTP/1.1 100'))
    client.send('9\r\n{"action"\r\n9\r\n:"pause"}\r\n0\r\n\r\n')

    expect(await client.untilClosed()).toContain('{"result":true}')
  })

  it('HTTP/1.0 without a host is answered and closed', async () => {
    const { tcpPort } = await start()

    expect(readAnswer(await wire(tcpPort).send('GET /api/v1/summary HTTP/1.0\r\n\r\n').untilClosed()).status).toBe(200)
  })

  it('the thousandth request on a connection is the last', async () => {
    const { tcpPort } = await start()
    const client = wire(tcpPort).send(get(tcpPort, '/nowhere').repeat(1_001))

    const text = await client.untilClosed(240_000)

    expect(text.split('HTTP/1.1 404').length - 1).toBe(1_000)
    expect(text.slice(text.lastIndexOf('HTTP/1.1 404'))).toMatch(/connection: close/i)
  })

  it('sends every answer completely to a slow reader', async () => {
    const { tcpPort } = await start()
    const client = wire(tcpPort).send(get(tcpPort, '/metrics').repeat(50))
    client.socket.pause()
    const other = wire(tcpPort).send(get(tcpPort, '/metrics'))
    await until('another reader’s page', () => other.received.includes('# TYPE miner_info'))
    client.socket.resume()

    await until('fifty pages', () => client.received.split('# TYPE miner_info').length === 51)
    expect(client.closed).toBe(false)
  })
})
