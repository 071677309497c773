import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { Crowd } from '../../net/testing/crowd'
import { MAX_BODY_BYTES, SignerHttp } from './http'
import type { ExternalCall } from './json-rpc'

/** Ends what hangs, and nothing that is slow. */
const LIMIT_MS = 240_000

let calls: ExternalCall[] = []
/** What each call waits for before it is answered. */
let decided: Promise<void> = Promise.resolve()
let clock = new FakeClock()
let http = makeHttp(['localhost'])

function makeHttp(vhosts: readonly string[], bodiesBytes?: number): SignerHttp {
  const handle = async (call: ExternalCall): Promise<string> => {
    calls.push(call)
    await decided
    return 'done'
  }
  const options = { host: '127.0.0.1', port: 0, vhosts, ...(bodiesBytes === undefined ? {} : { bodiesBytes }) }
  return new SignerHttp(options, { handle, log: silentLogger, clock })
}

beforeEach(async () => {
  calls = []
  decided = Promise.resolve()
  clock = new FakeClock()
  http = makeHttp(['localhost', 'Signer.Example'])
  await http.start()
})

afterEach(() => http.stop())

/** Sends raw text and returns everything received until the other side closed. */
function exchange(text: string, port = http.address()?.port ?? 0): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

const BODY = '{"id":1,"method":"m"}'

function post(
  headers: Readonly<Record<string, string>>,
  body = BODY,
  method = 'POST',
  port = http.address()?.port ?? 0,
): Promise<string> {
  const all = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return exchange(`${method} / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`, port)
}

describe('the Host header', () => {
  it.each(['localhost', 'LOCALHOST:8550', 'signer.example', '127.0.0.1', '203.0.113.7:1', '[::1]:8550', '[::1]'])(
    'may be %s',
    async (host) => {
      expect(await post({ Host: host })).toContain('"result":"done"')
    },
  )

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', 'evil.example:127', '[evil]:1'])(
    'may not be %s',
    async (host) => {
      const answer = await post({ Host: host })

      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toContain('invalid host specified')
      expect(calls).toEqual([])
    },
  )
})

describe('a request', () => {
  it.each(['PUT', 'DELETE', 'PATCH'])('by %s is rejected', async (method) => {
    expect(await post({}, BODY, method)).toMatch(/^HTTP\/1\.1 405 /)
    expect(calls).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'that a web page can send unasked (%j) is rejected',
    async (type) => {
      expect(await post({ 'Content-Type': type })).toMatch(/^HTTP\/1\.1 415 /)
      expect(calls).toEqual([])
    },
  )

  it.each(['APPLICATION/JSON', 'application/json-rpc; charset=utf-8', 'application/jsonrequest'])(
    'with content type %s is processed',
    async (type) => {
      expect(await post({ 'Content-Type': type })).toContain('"result":"done"')
    },
  )

  it('is told to retry if too many bodies are being received, and succeeds once they are gone', async () => {
    const tight = makeHttp(['localhost'], 1_000)
    await tight.start()
    const port = tight.address()?.port ?? 0
    const half = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n${' '.repeat(900)}`
    const senders = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    // Whichever is read second is one too many.
    const answers = senders.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
    for (const socket of senders) socket.on('error', () => undefined).write(half)
    try {
      expect(String(await Promise.race(answers))).toMatch(/^HTTP\/1\.1 503 /)
    } finally {
      for (const socket of senders) socket.destroy()
    }
    await vi.waitFor(async () => expect(await post({}, BODY, 'POST', port)).toContain('"result":"done"'), LIMIT_MS)
    await tight.stop()
  })

  it('never gets a CORS header, not even on a preflight', async () => {
    const preflight = await post(
      { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      '',
      'OPTIONS',
    )
    const answer = await post({ Origin: 'https://evil.example' })

    expect(preflight).toMatch(/^HTTP\/1\.1 200 /)
    expect(`${preflight}${answer}`.toLowerCase()).not.toContain('access-control')
    expect(calls.map((call) => call.caller.origin)).toEqual(['https://evil.example'])
  })

  it('keeps its connection for two minutes, as clef does', async () => {
    const answer = await fetch(`http://127.0.0.1:${http.address()?.port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    })

    expect(answer.headers.get('keep-alive')).toBe('timeout=120')
  })

  it('identifies its caller by socket and headers only', async () => {
    await post({ 'User-Agent': 'x'.repeat(3_000), 'X-Forwarded-For': '10.0.0.1' })

    expect(calls[0]?.caller).toEqual({
      transport: 'http',
      remote: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      local: 'localhost',
      userAgent: 'x'.repeat(1_024),
      origin: '',
    })
  })
})

describe('a body', () => {
  it('that declares more than 5 MiB is rejected unread', async () => {
    const answer = await exchange(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n`,
    )

    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain(`content length too large (${MAX_BODY_BYTES + 1}>${MAX_BODY_BYTES})`)
  })

  it('without a length is cut off at 5 MiB, and the connection ends', async () => {
    const chunk = Buffer.alloc(64 * 1024, ' ').toString('latin1')
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(81)

    const answer = await exchange(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    )

    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it('that ends early is dropped without an answer', async () => {
    const socket = connect(http.address()?.port ?? 0, '127.0.0.1', () => {
      socket.write(
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      setImmediate(() => socket.destroy())
    })
    await new Promise((resolve) => socket.on('close', resolve))

    expect(await post({})).toContain('"result":"done"')
    expect(calls).toHaveLength(1)
  })
})

describe('a caller that disconnects', () => {
  it('withdraws all of its calls, including those queued behind an unanswered one', async () => {
    let decide = (): void => undefined
    decided = new Promise((resolve) => {
      decide = resolve
    })
    const one = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
    const socket = connect(http.address()?.port ?? 0, '127.0.0.1', () => socket.write(one + one + one))
    await expect.poll(() => calls.length).toBe(3)

    socket.destroy()

    await expect.poll(() => calls.map((call) => call.callerGone.aborted)).toEqual([true, true, true])
    decide()
  })
})

describe.skipIf(process.platform !== 'linux')('a program with too many connections', () => {
  it.each([
    ['sends half a request on each', 'POST / HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'has a request wait on each',
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    ],
  ])("and %s doesn't block another one", async (_, text) => {
    let decide = (): void => undefined
    decided = new Promise((resolve) => {
      decide = resolve
    })
    const crowd = await Crowd.open(http.address()?.port ?? 0, 1_300, text)
    try {
      await vi.waitFor(async () => {
        clock.advance(500)
        expect(await crowd.size()).toBe(1_100)
      }, LIMIT_MS)
      decide()

      expect(await post({})).toContain('"result":"done"')
    } finally {
      decide()
      await crowd.leave()
    }
  })
})
