// Pools that behave badly, over real sockets: random ones of every dialect on a clock moved by hand, and the ways of
// single faults. Whatever a pool does, ten minutes without an accepted share are neither green nor silent.
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { probePool } from '../../src/miner/pool/pool-probe'
import { startTarget } from '../../src/miner/pool/session/share-target'
import type { Job } from '../../src/miner/work-source'
import { networkTurn } from '../../src/net/testing/network-turn'
import { freePort } from '../free-port'
import { makeRig, poolUrl, type Rig, until } from './pool-harness'
import { selfSigned } from './pool-sim/certificate'
import { SimulatedPool } from './pool-sim/pool'

type Say = (message: object | string) => void
interface Message {
  readonly id: unknown
  readonly method: string
}
/** What a scripted pool does with a request. */
type Script = (message: Message, say: Say, socket: Socket) => void

const open: { stop(): Promise<void> | void }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

const ZERO = '0'.repeat(64)
const HARD = `0x${'0'.repeat(10)}${'f'.repeat(54)}`
const header = (n: number): string => `0x${(n + 1).toString(16).padStart(64, '0')}`

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function scripted(script: Script, onConnect: (say: Say, socket: Socket) => void = () => undefined) {
  const seen = { connections: 0, methods: [] as string[] }
  // Otherwise an answer waits up to 40 ms for the rig's next acknowledgement, more than a login is given by the turned clock.
  const server = createServer({ noDelay: true }, (socket) => {
    seen.connections += 1
    const say: Say = (message) => {
      if (!socket.destroyed) socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`)
    }
    onConnect(say, socket)
    let rest = ''
    socket.on('data', (data) => {
      const lines = (rest + String(data)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const message: Message = JSON.parse(line)
        seen.methods.push(message.method)
        script(message, say, socket)
      }
    })
  })
  const port = await listen(server)
  return { port, seen }
}

/** Lets in whoever comes, in any dialect, and offers a job in it. */
function friendly(number = 0): Script {
  return ({ id, method }, say) => {
    if (method === 'mining.hello') return say({ id, error: { code: -32601, message: 'Method not found' } })
    if (method === 'eth_getWork') return say({ id, result: [header(number), `0x${ZERO}`, HARD, '0x1'], error: null })
    if (method === 'mining.authorize') {
      say({ id, result: true, error: null })
      return say({ id: null, method: 'mining.notify', params: ['j', header(number), `0x${ZERO}`, HARD, true] })
    }
    say({ id, result: true, error: null })
  }
}

async function rigFor(urls: readonly string[], options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig(urls, { retryDelayMs: 1_000, ...options })
  open.push(rig.source)
  await rig.source.start()
  return rig
}

const url = (port: number, scheme = 'stratum1+tcp'): string => `${scheme}://u.rig1:x@127.0.0.1:${port}`
const share = (job: Job, nonce: bigint) => ({
  job,
  nonce: ((job.extranonce?.prefix ?? 0n) << BigInt(64 - (job.extranonce?.bits ?? 0))) + nonce,
  mixDigest: new Uint8Array(32),
  result: new Uint8Array(32),
  replaced: false,
})
const trouble = (rig: Rig, index = 0) => rig.source.pools()[index]?.diagnosis?.trouble
const isShare = (method: string): boolean => /submitWork|mining\.submit$/.test(method)

/** Moves the clock in steps, each with time for the network; a share is found in every second one. */
async function pass(rig: Rig, clock: FakeClock, ms: number, stepMs = 5_000): Promise<void> {
  for (let spent = 0, nonce = 0n; spent < ms; spent += stepMs) {
    const job = rig.jobs.at(-1) ?? null
    nonce += 1n
    if (job !== null && nonce % 2n === 0n) void rig.source.submit(share(job, nonce), new AbortController().signal)
    // A login takes several answers, one after the other.
    for (let turn = 0; turn < 3; turn++) await networkTurn()
    clock.advance(stepMs)
  }
  await networkTurn()
}

const refusals = fc.constantFrom<object | null>(
  { result: false },
  { result: null, error: [24, 'Unauthorized worker', null] },
  { result: null, error: { code: 23, message: 'Share above target' } },
  { result: null, error: 'stale' },
  { result: null, error: { code: -1 } },
  { result: null, error: null },
  { status: 'REJECTED' },
  null, // no answer
)
const logins = fc.constantFrom<object | null | 'close' | 'http' | 'noise'>(
  { result: true, error: null },
  { result: true, error: [] },
  { result: true },
  { result: true, error: {} },
  { result: false, error: { code: 24, message: 'Invalid wallet address' } },
  { error: { code: -32601, message: 'Method not found' } },
  null,
  'close',
  'http',
  'noise',
)
const jobs = fc.constantFrom('good', 'none', 'misfit', 'otherCoin', 'redirect', 'hangUp')
const schemes = fc.constantFrom('stratum', 'stratum+tcp', 'stratum1+tcp', 'stratum2+tcp', 'stratum3+tcp')

function hostile(login: unknown, kind: string, refusal: object | null): Script {
  let jobNumber = 0
  return ({ id, method }, say, socket) => {
    if (isShare(method)) return refusal === null ? undefined : say({ id, ...refusal })
    if (login === null) return
    if (login === 'close') return void socket.end()
    if (login === 'http') return say('HTTP/1.1 400 Bad Request\r\n\r\n<html>')
    if (login === 'noise') return say(Buffer.from([0xd5, 0xe2, 0xff, 10]).toString('latin1'))
    const hello = {
      proto: 'EthereumStratum/2.0.0',
      encoding: 'plain',
      resume: '0',
      timeout: '8',
      maxerrors: '5',
      node: 'x',
    }
    const isIn = typeof login === 'object' && 'result' in login && login.result === true
    const nice = [['mining.notify', 'x', 'EthereumStratum/1.0.0'], '0a1b']
    if (method === 'mining.hello' && isIn) say({ id, result: hello, error: null })
    else if (method === 'mining.subscribe' && isIn) say({ id, result: nice, error: null })
    else if (method !== 'eth_getWork') say({ id, ...(login as object) })
    if (!isIn || (method !== 'eth_getWork' && method !== 'mining.authorize')) return
    if (kind === 'redirect') return say({ id: null, method: 'client.reconnect', params: ['evil.example', 1, 0] })
    if (kind === 'none') return
    jobNumber += 1
    const head = kind === 'misfit' ? '0x12' : header(jobNumber)
    const seed = kind === 'otherCoin' ? header(77) : `0x${ZERO}`
    if (method === 'eth_getWork') say({ id, result: [head, seed, HARD], error: null })
    else {
      say({ id: null, method: 'mining.set_difficulty', params: [0.001] })
      say({
        id: null,
        method: 'mining.set',
        params: { epoch: '0', target: HARD.slice(2), algo: 'xhash', extranonce: '0a' },
      })
      say({ id: null, method: 'mining.notify', params: ['j', head, seed, HARD, true] })
    }
    if (kind === 'hangUp') socket.end()
  }
}

describe('ten minutes without an accepted share', () => {
  it('are never silent, and name a cause, whatever the pool does', async () => {
    await fc.assert(
      fc.asyncProperty(schemes, logins, jobs, refusals, async (scheme, login, kind, refusal) => {
        const clock = new FakeClock()
        const pool = await scripted(hostile(login, kind, refusal))
        const rig = await rigFor([url(pool.port, scheme)], { clock })
        await pass(rig, clock, 620_000, 10_000)

        const { warning, diagnosis } = rig.source.state()
        expect(diagnosis).not.toBeNull()
        expect(warning).not.toBe('')
        expect(rig.records.some(({ level }) => level === 'warn' || level === 'error')).toBe(true)
        // Never in a tight loop either.
        expect(pool.seen.connections).toBeLessThan(400)
        await rig.source.stop()
      }),
      { numRuns: 12, seed: 20_261_128 },
    )
  })
})

it('a pool that rejects everything is logged in to again, then left for the next one', async () => {
  const clock = new FakeClock()
  const bad = await scripted((message, say, socket) => {
    if (isShare(message.method))
      say({ id: message.id, result: null, error: { code: 24, message: 'Unauthorized worker' } })
    else friendly()(message, say, socket)
  })
  const good = await scripted(friendly(1))
  const rig = await rigFor([url(bad.port), url(good.port)], { clock })
  await pass(rig, clock, 240_000)

  expect(bad.seen.connections).toBe(2)
  expect(trouble(rig)).toBe('share-unauthorized')
  expect(rig.source.pools().map(({ state }) => state)).toEqual(['unusable', 'active'])
  expect(rig.source.pools()[1]?.shares.accepted).toBeGreaterThan(0)
})

it('a pool that was left is taken again when the others cannot be reached', async () => {
  const clock = new FakeClock()
  const recovers = clock.monotonic() + 150_000
  const wavering = await scripted((message, say, socket) => {
    if (isShare(message.method) && clock.monotonic() < recovers)
      say({ id: message.id, result: null, error: { code: 24, message: 'Unauthorized worker' } })
    else friendly()(message, say, socket)
  })
  const rig = await rigFor([url(wavering.port), url(await freePort())], { clock })
  await pass(rig, clock, 300_000)

  // Not ten minutes of knocking at a closed door.
  expect(rig.source.pools()[0]?.shares.accepted).toBeGreaterThan(0)
  expect(rig.source.pools()[1]?.shares.accepted).toBe(0)
  expect(rig.records.some(({ message }) => message === 'pool left')).toBe(true)
})

it('a node that repeats its work for hours is said to, and left for a pool', async () => {
  const clock = new FakeClock()
  const node = new SimulatedPool({ flavour: 'getwork', difficulty: 1e12, heights: true, verify: false })
  await node.start()
  open.push(node)
  const good = await scripted(friendly(1))
  const limits = { pollMs: 100_000, responseMs: 1e9 }
  const rig = await rigFor([`getwork://127.0.0.1:${node.port}/`, url(good.port)], { clock, limits })
  clock.advance(1)
  await until('work', () => rig.jobs.at(-1) != null)
  for (let n = 0; n < 82; n++) {
    clock.advance(100_000)
    await networkTurn()
  }
  expect(rig.source.state()).toMatchObject({ connected: true, host: `127.0.0.1:${node.port}` })
  expect(trouble(rig)).toBe('no-share-yet')
  clock.advance(100_000)
  await until('the other pool', () => rig.source.pools()[1]?.state === 'active')

  expect(rig.source.pools()[0]).toMatchObject({ state: 'unusable', diagnosis: { trouble: 'old-work' } })
  expect(rig.records.find(({ message }) => message === 'pool left')?.fields.reason).toBe('it repeats old work')
})

it('a pool that sends the miner away again and again is a failing pool', async () => {
  const clock = new FakeClock()
  const bad = await scripted(friendly(), () => undefined)
  const redirecting = await scripted((message, say, socket) => {
    if (message.method === 'eth_getWork')
      say({ id: null, method: 'client.reconnect', params: ['evil.example', 3333, 0] })
    else friendly()(message, say, socket)
  })
  const rig = await rigFor([url(redirecting.port), url(bad.port)], { clock })
  await pass(rig, clock, 60_000)

  expect(redirecting.seen.connections).toBe(3)
  expect(rig.source.pools()[1]?.state).toBe('active')
  expect(trouble(rig)).toBe('redirect')
  expect(rig.records.filter(({ fields }) => fields.trouble === 'redirect')[0]?.level).toBe('warn')
})

it("jobs that don't fit refute a guessed dialect, and the next one is found", async () => {
  const clock = new FakeClock()
  // Says yes to everything and sends NiceHash's jobs, whatever was asked.
  const says = new Set<Say>()
  const pool = await scripted(
    ({ id, method }, say) => {
      const nice = [['mining.notify', 'x', 'EthereumStratum/1.0.0'], '0a1b']
      say({ id, result: method === 'mining.subscribe' ? nice : true, error: null })
    },
    (say) => says.add(say),
  )
  let number = 0
  clock.setInterval(() => {
    number += 1
    for (const say of says) {
      say({ id: null, method: 'mining.set_difficulty', params: [0.0002] })
      say({ id: null, method: 'mining.notify', params: [String(number), ZERO, header(number).slice(2), true] })
    }
  }, 2_000)
  const rig = await rigFor([url(pool.port, 'stratum')], { clock })
  // The network may be slower than a clock turned by hand.
  for (let n = 0; n < 40 && rig.jobs.at(-1)?.extranonce == null; n++) await pass(rig, clock, 20_000, 250)

  expect(rig.jobs.at(-1)?.extranonce).toEqual({ bits: 16, prefix: 0x0a1bn })
})

it('a job that comes before mining.set waits for it, and that is said', async () => {
  const hello = { proto: '', encoding: '', resume: '', timeout: '', maxerrors: '', node: '' }
  const params = { epoch: '0', target: HARD.slice(2), algo: 'xhash', extranonce: '0a1b' }
  const says: Say[] = []
  const pool = await scripted((message, say) => {
    says[0] = say
    const results: Readonly<Record<string, unknown>> = { 'mining.hello': hello, 'mining.authorize': 'w-1' }
    say({ id: message.id, result: results[message.method] ?? true, error: null })
    const job = ['j', '1', header(1), '1']
    if (message.method === 'mining.authorize') say({ id: null, method: 'mining.notify', params: job })
  })
  const rig = await rigFor([url(pool.port, 'stratum3+tcp')], {})
  await until('what it waits for', () => rig.said.some((text) => text.includes('mining.set')))
  await until('the trouble', () => trouble(rig) === 'no-work')
  expect(rig.jobs.every((job) => job === null)).toBe(true)
  expect(rig.source.state().diagnosis?.answer).toContain('mining.set')
  says[0]?.({ id: null, method: 'mining.set', params })
  await until('the job', () => rig.jobs.at(-1) != null)

  expect(rig.jobs.at(-1)).toMatchObject({ jobId: 'j', difficulty: 2n ** 40n })
  expect(rig.jobs.at(-1)?.extranonce).toEqual({ bits: 16, prefix: 0x0a1bn })
  expect(rig.source.state().diagnosis).toBeNull()
})

it('a job that comes before a difficulty is worked on at the one that the protocol defines, and that is said', async () => {
  const pool = await scripted(({ id, method }, say) => {
    const nice = [['mining.notify', 'x', 'EthereumStratum/1.0.0'], '0a1b']
    say({ id, result: method === 'mining.subscribe' ? nice : true, error: null })
    const job = ['j', ZERO, header(1).slice(2), true]
    if (method === 'mining.authorize') say({ id: null, method: 'mining.notify', params: job })
  })
  const rig = await rigFor([url(pool.port, 'stratum2+tcp')], {})
  await until('the job', () => rig.jobs.at(-1) != null)

  expect(rig.jobs.at(-1)?.target).toEqual(startTarget())
  expect(rig.said.filter((text) => text.includes('2^32 hashes'))).toHaveLength(1)
})

it('a job that comes before the extranonce waits for it', async () => {
  const pool = await scripted(({ id, method }, say) => {
    if (method === 'mining.subscribe') {
      say({ id: null, method: 'mining.set_difficulty', params: [2 ** -32] })
      say({ id: null, method: 'mining.notify', params: ['j', ZERO, header(1).slice(2), true] })
      say({ id, result: [['mining.notify', 'x', 'EthereumStratum/1.0.0'], '0a1b'], error: null })
    } else say({ id, result: true, error: null })
  })
  const rig = await rigFor([url(pool.port, 'stratum2+tcp')], {})
  await until('the job', () => rig.jobs.at(-1) != null)

  expect(rig.jobs.at(-1)?.extranonce).toEqual({ bits: 16, prefix: 0x0a1bn })
})

it('a pool added while the first one waits is connected at once', async () => {
  const clock = new FakeClock()
  const rig = await rigFor(['stratum1+tcp://u@127.0.0.1:1'], { clock, retryDelayMs: 60_000, retryMax: 0 })
  await until('the failure', () => trouble(rig) === 'connection-refused')
  const pool = await scripted(friendly())
  rig.source.add(poolUrl(url(pool.port)))
  await until('work', () => rig.jobs.at(-1) != null)

  expect(clock.monotonic()).toBe(0)
  expect(rig.source.state()).toMatchObject({ connected: true, host: `127.0.0.1:${pool.port}`, diagnosis: null })
})

it.each([{ error: [] }, { error: {} }, { error: '' }, { error: 0 }, { error: false }, {}])(
  'an empty error is none: %j',
  async (empty) => {
    const pool = await scripted((message, say, socket) => {
      if (message.method === 'eth_getWork') friendly()(message, say, socket)
      else say({ id: message.id, result: true, ...empty })
    })
    const rig = await rigFor([url(pool.port)])
    await until('work', () => rig.jobs.at(-1) != null)
    const job = rig.jobs.at(-1)
    if (job == null) throw new Error('no job')

    expect((await rig.source.submit(share(job, 1n), new AbortController().signal)).kind).toBe('accepted')
  },
)

it('a ping is answered with a pong, and a message that is not UTF-8 ends nothing', async () => {
  const answers: string[] = []
  const pool = await scripted(
    (message, say, socket) => {
      friendly()(message, say, socket)
      if (message.method !== 'eth_getWork') return
      socket.write(
        Buffer.concat([
          Buffer.from('{"id":null,"method":"client.show_message","params":["'),
          Buffer.from([0xc4, 0xe3, 0xba, 0xc3]),
          Buffer.from('"]}\n'),
        ]),
      )
      say({ id: 'p1', method: 'mining.ping', params: [] })
    },
    (_say, socket) => socket.on('data', (data) => answers.push(String(data))),
  )
  const rig = await rigFor([url(pool.port)])
  await until('the answer', () => answers.join('').includes('pong'))

  expect(answers.join('')).toContain('{"id":"p1","jsonrpc":"2.0","result":"pong"}')
  expect(pool.seen.connections).toBe(1)
  expect(rig.said.some((text) => text.includes('\ufffd'))).toBe(true)
})

describe('what speaks at the port', () => {
  it('is said of a web server', async () => {
    const pool = await scripted((_message, say, socket) => {
      say('HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n<html></html>')
      socket.end()
    })
    const rig = await rigFor([url(pool.port)])
    await until('the diagnosis', () => trouble(rig) === 'http-port')
    expect(rig.source.state().warning).toContain('A web server answers at this port, not a pool: HTTP/1.1 400')
  })

  it('is said of a port without TLS', async () => {
    const pool = createServer((socket) => socket.on('data', () => socket.end('{"error":"what?"}\n')))
    const rig = await rigFor([url(await listen(pool), 'stratum1+tls')])
    await until('the diagnosis', () => trouble(rig) === 'plain-port')
  })

  it('is said of a silent port without TLS, once the time is up', async () => {
    const clock = new FakeClock()
    const pool = createServer(() => undefined)
    const rig = await rigFor([url(await listen(pool), 'stratum1+tls')], { clock })
    await networkTurn()
    clock.advance(5_000)
    await until('the diagnosis', () => trouble(rig) === 'plain-port')
  })

  it('is said of a port with TLS, where the pool is tested', async () => {
    const server = createTlsServer(selfSigned('pool', Date.now()))
    server.on('tlsClientError', () => undefined)
    const { session } = makeRig([])
    const found = await probePool(poolUrl(url(await listen(server))), session, new AbortController().signal)
    expect(found).toMatchObject({ trouble: 'tls-port' })
  })
})

const DAY_MS = 86_400_000

it.each([
  ['certificate-expired', -10 * DAY_MS],
  ['certificate-clock', 10 * DAY_MS],
] as const)('%s is tried again after 5 s: the clock may be set by then', async (name, ms) => {
  const clock = new FakeClock()
  const certificate = selfSigned('pool', Date.now() + ms)
  const seen = { connections: 0 }
  const server = createTlsServer(certificate)
  server.on('tlsClientError', () => undefined)
  server.on('connection', () => {
    seen.connections += 1
  })
  const rig = await rigFor([url(await listen(server), 'stratum1+tls')], { clock, certificates: certificate.cert })
  await until('the refusal', () => rig.source.pools()[0]?.state === 'unusable')
  expect(trouble(rig)).toBe(name)
  await pass(rig, clock, 10_000, 2_500)

  expect(seen.connections).toBeGreaterThanOrEqual(2)
})

it('a certificate of an unknown authority is said to be one', async () => {
  const server = createTlsServer(selfSigned('pool', Date.now()))
  server.on('tlsClientError', () => undefined)
  const rig = await rigFor([url(await listen(server), 'stratum1+tls')])
  await until('the refusal', () => trouble(rig) === 'certificate-authority')
})
