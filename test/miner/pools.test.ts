// Every dialect against a pool that judges shares with its own code: login, work, shares, and what pools do wrong.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { currentJob, fullEngine, judge, makeRig, type Rig, ShareFinder, until } from './pool-harness'
import { selfSigned } from './pool-sim/certificate'
import type { Faults } from './pool-sim/faults'
import { type Flavour, type PoolOptions, SimulatedPool } from './pool-sim/pool'

const LOGIN = '0x1111111111111111111111111111111111111111.rig1:x'
const SCHEMES = {
  stratum: 'stratum+tcp',
  'eth-proxy': 'stratum1+tcp',
  nicehash: 'stratum2+tcp',
  stratum2: 'stratum3+tcp',
  getwork: 'getwork',
} as const satisfies Record<Flavour, string>
const FLAVOURS: readonly Flavour[] = ['stratum', 'eth-proxy', 'nicehash', 'stratum2', 'getwork']
const LINES: readonly Flavour[] = ['stratum', 'eth-proxy', 'nicehash', 'stratum2']

const engine = fullEngine()
const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})
// Caches are built before any test's timeout starts.
beforeAll(async () => {
  judge.evaluate(0, new Uint8Array(32), 0n)
  await engine.prepareEpoch(0)
})
afterAll(() => engine.close())

async function aPool(options: Partial<PoolOptions> & { flavour: Flavour | null }): Promise<SimulatedPool> {
  const pool = new SimulatedPool({ difficulty: 2, ...options }, judge)
  await pool.start()
  open.push(pool)
  return pool
}

async function aRig(urls: readonly string[], options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig(urls, options)
  open.push(rig.source)
  await rig.source.start()
  return rig
}

function address(scheme: string, pool: SimulatedPool, query = '?diff=hashes'): string {
  return `${scheme}://${LOGIN}@127.0.0.1:${pool.port}${query}`
}

async function mineOne(flavour: Flavour, faults: Faults, options: Parameters<typeof makeRig>[1] = {}) {
  const pool = await aPool({ flavour, faults })
  const rig = await aRig([address(SCHEMES[flavour], pool)], options)
  const verdict = await new ShareFinder(engine).submit(rig, await currentJob(rig))
  return { pool, rig, verdict }
}

it.each(FLAVOURS)('%s: logs in, gets work, and its shares are accepted', async (flavour) => {
  const { pool, rig, verdict } = await mineOne(flavour, {})

  expect(verdict.kind).toBe('accepted')
  expect(pool.counts).toEqual({ accepted: 1, rejected: 0, stale: 0, duplicate: 0 })
  expect(rig.source.state()).toMatchObject({ connected: true, switches: 0, host: `127.0.0.1:${pool.port}` })
  expect(rig.source.state().url).toContain(':***@')
})

it.each(LINES)('stratum:// detects that the pool speaks %s', async (flavour) => {
  const pool = await aPool({ flavour })
  const rig = await aRig([address('stratum', pool)])

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  pool.drop()
  const before = pool.connections
  await until('a reconnect', () => pool.connections === before + 1)
  await until('work again', () => rig.jobs.at(-1) !== null)
  // The dialect is remembered: one more connection, not four.
  expect(pool.connections).toBe(before + 1)
})

it.each(LINES)(
  '%s over TLS: rejects an unknown certificate permanently, accepts it unverified on request',
  async (flavour) => {
    const tls = selfSigned('localhost', Date.now())
    const pool = await aPool({ flavour, tls })
    const scheme = SCHEMES[flavour].replace('tcp', 'tls')
    const careful = await aRig([address(scheme, pool)])
    await until('the refusal', () => careful.source.pools()[0]?.state === 'unusable')
    expect(careful.source.pools()[0]?.lastFault).toMatch(/self.signed/i)

    const careless = await aRig([address(scheme, pool, '?diff=hashes&verify=0')])
    expect((await new ShareFinder(engine).submit(careless, await currentJob(careless))).kind).toBe('accepted')
  },
)

const HARMLESS: readonly (readonly [string, Faults])[] = [
  ['half lines', { halfLine: 5 }],
  ['merged lines', { merge: 20 }],
  ['a line of garbage before every second one', { garbage: 2 }],
  ['blank lines and CR LF', { blank: true }],
  ['slow answers', { slow: 60 }],
  ['ids as strings', { stringId: true }],
  ['targets without leading zeros', { shortTarget: true }],
  ['hashes without prefix', { noPrefix: true }],
  ['every job twice', { dupJob: true }],
  ['a request for our version', { versionRequest: true }],
]
it.each(LINES.flatMap((flavour) => HARMLESS.map(([name, faults]) => ({ flavour, name, faults }))))(
  '$flavour: mines through $name on one connection',
  async ({ flavour, faults }) => {
    const { pool, verdict } = await mineOne(flavour, faults)

    expect(verdict.kind).toBe('accepted')
    expect(pool.connections).toBe(1)
    expect(pool.counts.duplicate).toBe(0)
  },
)

it('answers client.get_version with our name', async () => {
  const { pool } = await mineOne('stratum', { versionRequest: true })

  expect(pool.received).toContain('{"id":77,"jsonrpc":"2.0","result":"headframe/test"}')
})

it.each([
  ['a closed door', { closeOnConnect: true }],
  ['a connection that ends after two lines', { dropAfter: 2 }],
  ['a line cut in the middle', { cutLine: 2 }],
  ['bytes that are no text', { binary: 1 }],
  ['a line without end', { bigLine: 300_000 }],
  ['a silent login', { muteLogin: true }],
  ['silence', { muteAll: true }],
] as const satisfies readonly (readonly [string, Faults])[])(
  'retries at growing intervals after %s, and works once the pool is well',
  async (_name, faults) => {
    const pool = await aPool({ flavour: 'stratum', faults })
    // Long enough for an honest answer of a busy computer, which the last share waits for.
    const rig = await aRig([address('stratum+tcp', pool)], { retryDelayMs: 40, limits: { responseMs: 2_000 } })
    await until('a second attempt', () => pool.connections >= 2)
    expect(pool.connections).toBeLessThan(6)

    pool.faults = {}
    expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
    expect(pool.counts.duplicate).toBe(0)
  },
)

it.each([
  ['a zero target', { zeroTarget: true }, 'target'],
  ['a short header', { badHeader: true }, 'header'],
  ['a seed of no epoch', { badSeed: true }, 'seed'],
] as const)('rejects a job with %s and reports it', async (_name, faults, word) => {
  const pool = await aPool({ flavour: 'stratum', faults })
  const rig = await aRig([address('stratum+tcp', pool)])

  await until('the refusal', () => rig.said.some((text) => text.includes(word)))
  expect(rig.jobs.filter((job) => job !== null)).toEqual([])
})

it('leaves a pool whose jobs are for another chain after three of them', async () => {
  const pool = await aPool({ flavour: 'stratum', faults: { badSeed: true } })
  const rig = await aRig([address('stratum+tcp', pool)])
  for (const count of [1, 2]) {
    await until('the refusal', () => rig.said.length >= count)
    pool.broadcast()
  }

  await until('the end', () => rig.source.pools()[0]?.lastFault.includes('3 jobs') === true)
})

it.each(LINES)('%s: gives up a pool that rejects the login, and switches to the next', async (flavour) => {
  const refusing = await aPool({ flavour, faults: { rejectLogin: true } })
  const good = await aPool({ flavour })
  const rig = await aRig([address(SCHEMES[flavour], refusing), address(SCHEMES[flavour], good)])

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  expect(rig.source.pools().map(({ state }) => state)).toEqual(['unusable', 'active'])
  expect(refusing.connections).toBe(1)
})

it('counts a negative answer as rejected with its reason, and a missing one as lost', async () => {
  const rejecting = await mineOne('stratum', { rejectEvery: 1 })
  expect(rejecting.verdict).toMatchObject({ kind: 'rejected', reason: 'Low difficulty share' })

  const mute = await mineOne('stratum', { muteSubmit: true }, { limits: { responseMs: 150 } })
  expect(mute.verdict.kind).toBe('lost')

  const wrong = await mineOne('stratum', { wrongId: true }, { limits: { responseMs: 150 } })
  expect(wrong.verdict.kind).toBe('lost')
})

it('counts a stale share of EthereumStratum/2 as accepted, as the pool says', async () => {
  const { verdict } = await mineOne('stratum2', { staleEvery: 1 })

  expect(verdict.kind).toBe('accepted')
})

it.each(['nicehash', 'stratum2'] as const)('%s: uses a new extranonce from the next job', async (flavour) => {
  const { pool, rig } = await mineOne(flavour, {})
  pool.setExtranonce('85f2c1')
  await until('the new extranonce', () => rig.jobs.at(-1)?.extranonce?.prefix === 0x85f2c1n)

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  expect(pool.judged.at(-1)?.nonce.startsWith('85f2c1')).toBe(true)
})

it.each(FLAVOURS)('%s: follows the pool into the next epoch and to another difficulty', async (flavour) => {
  const pool = await aPool({ flavour, verify: false })
  const rig = await aRig([address(SCHEMES[flavour], pool)])
  await currentJob(rig)
  pool.setEpoch(1)
  await until('the epoch', () => rig.jobs.at(-1)?.epoch === 1)
  pool.setDifficulty(70_000)

  await until('the difficulty', () => rig.jobs.at(-1)?.difficulty === 70_000n)
})

it('returns when the pool asks it to', async () => {
  const { pool, rig } = await mineOne('stratum', {})
  pool.sendAll({ id: null, method: 'client.reconnect', params: [] })

  await until('the reconnect', () => pool.connections === 2)
  await until('work', () => rig.jobs.at(-1) !== null)
  expect(rig.source.state().switches).toBe(0)
})

it.each(['stratum', 'eth-proxy', 'nicehash', 'stratum2', 'getwork'] as const)(
  '%s: keeps a share found while the pool was away, and sends it once it is back',
  async (flavour) => {
    const pool = await aPool({ flavour })
    const rig = await aRig([address(SCHEMES[flavour], pool)], { limits: { pollMs: 20 }, retryDelayMs: 150 })
    const job = await currentJob(rig)
    const share = await new ShareFinder(engine).find(job)
    pool.faults = flavour === 'getwork' ? { httpError: true } : { closeOnConnect: true }
    pool.drop()
    await until('the loss', () => rig.jobs.at(-1) === null)
    const verdict = rig.source.submit(share, new AbortController().signal)
    pool.faults = {}

    expect((await verdict).kind).toBe('accepted')
    expect(pool.counts).toMatchObject({ accepted: 1, duplicate: 0 })
  },
)

it("reports the hashrate in each dialect's words", async () => {
  const rigs = await Promise.all(FLAVOURS.map((flavour) => mineOne(flavour, {})))
  for (const { rig } of rigs) rig.source.reportNow()
  await until('the reports', () => rigs.every(({ pool }) => pool.reports.length === 1))

  const rates = rigs.map(({ pool }) => pool.reports[0]?.rate)
  const padded = `0x${(12_345).toString(16).padStart(32, '0')}`
  expect(rates).toEqual([padded, padded, padded, '3039', '0x3039'])
  expect(rigs[0]?.pool.reports[0]).toMatchObject({ id: `0x${'ab'.repeat(32)}`, worker: 'rig1' })
})

it('waits and asks again while a node has no work', async () => {
  const pool = await aPool({ flavour: 'getwork', faults: { rpcError: true } })
  const rig = await aRig([address('getwork', pool)])
  await until('the answer', () => rig.source.pools()[0]?.lastFault.includes('no mining work') === true)
  pool.faults = { chunked: true }

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
})
