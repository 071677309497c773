// The list of pools over real sockets: order, patience, returning without a gap, and no share lost or duplicated.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { systemClock } from '../../src/base/time'
import { currentJob, fullEngine, judge, makeRig, poolUrl, type Rig, ShareFinder, until } from './pool-harness'
import { type PoolOptions, SimulatedPool } from './pool-sim/pool'

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

async function aPool(options: Partial<PoolOptions> = {}, port = 0): Promise<SimulatedPool> {
  const pool = new SimulatedPool({ flavour: 'stratum', difficulty: 2, ...options }, judge)
  await pool.start(port)
  open.push(pool)
  return pool
}

async function aRig(urls: readonly string[], options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig(urls, { retryDelayMs: 20, ...options })
  open.push(rig.source)
  await rig.source.start()
  return rig
}

const address = (pool: { readonly port: number }, scheme = 'stratum+tcp'): string =>
  `${scheme}://u.rig:x@127.0.0.1:${pool.port}`
const states = (rig: Rig): readonly string[] => rig.source.pools().map(({ state }) => state)

it('switches to the next pool after three attempts, and counts one switch', async () => {
  const first = await aPool()
  const second = await aPool()
  const rig = await aRig([address(first), address(second)])
  await currentJob(rig)
  await first.stop()

  await until('the second pool', () => states(rig)[1] === 'active')
  expect(rig.source.state()).toMatchObject({ connected: true, switches: 1, host: `127.0.0.1:${second.port}` })
})

it('returns to the first pool without a moment without work', async () => {
  const first = await aPool({ faults: { closeOnConnect: true } })
  const second = await aPool()
  const rig = await aRig([address(first), address(second)], { failoverMs: 100 })
  await until('the second pool', () => states(rig)[1] === 'active')
  const before = rig.jobs.length
  first.faults = { noJob: true }
  await until('a test of the first', () => first.logins.length > 0)
  expect(states(rig)[1]).toBe('active')
  first.faults = {}
  first.drop()

  await until('the first pool', () => states(rig)[0] === 'active')
  expect(rig.jobs.slice(before).every((job) => job !== null)).toBe(true)
  expect(rig.source.state().switches).toBe(1)
})

it('sends shares of the pool that it leaves to that pool', async () => {
  const first = await aPool()
  const second = await aPool()
  const rig = await aRig([address(first), address(second)])
  const late = await new ShareFinder(engine).find(await currentJob(rig))
  rig.source.setActive(1)
  await until('the switch', () => states(rig)[1] === 'active')

  expect((await rig.source.submit(late, new AbortController().signal)).kind).toBe('accepted')
  expect([first.counts.accepted, second.counts.accepted]).toEqual([1, 0])
})

it('stays if the requested pool gives no work', async () => {
  const first = await aPool()
  const second = await aPool({ faults: { noJob: true } })
  const rig = await aRig([address(first), address(second)], { limits: { responseMs: 120 } })
  await currentJob(rig)
  rig.source.setActive(1)
  await until('the answer', () => rig.source.pools()[1]?.lastFault === 'it gave no work')

  expect(states(rig)).toEqual(['active', 'idle'])
  expect(rig.source.state().switches).toBe(0)
})

it('reconnects immediately after the computer slept, and its shares still count', async () => {
  const pool = await aPool()
  const rig = await aRig([address(pool)], { retryDelayMs: 600_000 })
  const share = await new ShareFinder(engine).find(await currentJob(rig))
  const jobs = rig.jobs.length

  rig.source.reconnect()
  await until('the second login', () => pool.logins.length === 2)
  await until('work again', () => rig.jobs.length > jobs && rig.jobs.at(-1) !== null)

  expect((await rig.source.submit(share, new AbortController().signal)).kind).toBe('accepted')
  expect(rig.source.state()).toMatchObject({ connected: true, switches: 0 })
})

it("doesn't wait for the next attempt after the computer slept", async () => {
  const pool = await aPool({ faults: { closeOnConnect: true } })
  const rig = await aRig([address(pool)], { retryDelayMs: 600_000 })
  await until('the first failure', () => rig.records.some(({ message }) => message === 'pool not reached'))
  pool.faults = {}

  rig.source.reconnect()

  await currentJob(rig)
})

it('keeps trying its only pool', async () => {
  const pool = await aPool({ faults: { closeOnConnect: true } })
  const rig = await aRig([address(pool)], { retryMax: 1 })
  await until('five attempts', () => pool.connections >= 5)
  expect(rig.records.filter(({ message }) => message === 'pool not reached').length).toBeGreaterThanOrEqual(4)
  pool.faults = {}

  await currentJob(rig)
})

it("requests the program's end if the list says so", async () => {
  const pool = await aPool({ faults: { closeOnConnect: true } })
  const rig = await aRig([address(pool)], { retryMax: 2, exitAtEnd: true })

  await until('the end of the list', () => rig.exits > 0)
})

it('says so and waits if no pool is usable', async () => {
  const pool = await aPool({ faults: { rejectLogin: true } })
  const rig = await aRig([address(pool)])
  await until('the warning', () => rig.source.state().warning !== '')

  expect(rig.source.state()).toMatchObject({
    connected: false,
    warning: "The pool refuses the login: Unauthorized worker. Check user and worker against the pool's page.",
    diagnosis: { trouble: 'login-refused', count: 1, answer: 'Unauthorized worker' },
  })
  pool.faults = {}
  rig.source.setActive(0)
  await currentJob(rig)
  expect(rig.source.state().warning).toBe('')
})

it('adds and removes pools while it mines', async () => {
  const first = await aPool()
  const second = await aPool()
  const rig = await aRig([address(first)])
  await currentJob(rig)
  rig.source.add(poolUrl(address(second)))

  expect(() => rig.source.add(poolUrl(address(second)))).toThrow('in the list already')
  expect(() => rig.source.remove(0)).toThrow('active')
  expect(() => rig.source.remove(2)).toThrow('not in 0..1')
  rig.source.remove(1)
  expect(rig.source.pools()).toHaveLength(1)
})

it('skips an unreachable pool, and continues with the next', async () => {
  const deaf = await aPool({ faults: { closeOnConnect: true } })
  const second = await aPool()
  const rig = await aRig([address(deaf)], { retryMax: 0, retryDelayMs: 3_600_000 })
  await until('an attempt', () => deaf.connections > 0)
  rig.source.add(poolUrl(address(second)))

  rig.source.remove(0)

  const { pool } = await currentJob(rig)
  expect(pool).toBe(`127.0.0.1:${second.port}`)
  expect(rig.source.pools()).toHaveLength(1)
  expect(() => rig.source.remove(0)).toThrow('active')
})

it("doesn't hammer a pool that hangs up after each login", async () => {
  const clock = systemClock()
  const startedAt = clock.monotonic()
  const pool = await aPool({ faults: { dropAfter: 3 } })
  const rig = await aRig([address(pool)], { retryDelayMs: 100 })
  await until('four attempts more', () => pool.connections >= 5)

  // Waits of 100, 200, 400 and 800 ms, none of which a busy computer can shorten.
  expect(clock.monotonic() - startedAt).toBeGreaterThan(1_400)
  expect(rig.jobs.length).toBeGreaterThan(0)
})

it('reads the difficulty the other way, once, after twenty shares that were too easy', async () => {
  const pool = await aPool({ flavour: 'nicehash', faults: { rejectEvery: 1 }, verify: false })
  const rig = await aRig([address(pool, 'stratum2+tcp')])
  const job = await currentJob(rig)
  const share = { job, nonce: 0n, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
  const start = (job.extranonce?.prefix ?? 0n) << 48n
  for (let i = 0n; i < 20n; i++) await rig.source.submit({ ...share, nonce: start + i }, new AbortController().signal)

  await until('the other reading', () => rig.jobs.at(-1)?.difficulty === 2n)
  expect(pool.connections).toBe(2)
})

it('neither loses nor duplicates any of 1,000 shares while jobs change and the connection breaks', async () => {
  const pool = await aPool({ verify: false })
  const rig = await aRig([address(pool)], { retryDelayMs: 5, maxSharesPerSecond: 10_000 })
  const verdicts: string[] = []
  const pending: Promise<void>[] = []
  let nonce = 1n
  let lastJob = await currentJob(rig)
  for (let i = 0; i < 1_000; i++) {
    lastJob = rig.jobs.at(-1) ?? lastJob
    const job = lastJob
    const share = { job, nonce: nonce++, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
    pending.push(
      rig.source.submit(share, new AbortController().signal).then(({ kind }) => {
        verdicts.push(kind)
      }),
    )
    if (i % 97 === 96) pool.broadcast()
    if (i % 211 === 210) {
      // Everything sent so far is answered before the cut: the pool decides whether to count what is in transit then.
      await Promise.all(pending)
      pool.drop()
      await until('the loss', () => rig.jobs.at(-1) === null)
    }
    if (i % 20 === 19) await Promise.all(pending)
  }
  await Promise.all(pending)

  expect(verdicts.length).toBe(1_000)
  expect(pool.counts).toEqual({ accepted: 1_000, rejected: 0, stale: 0, duplicate: 0 })
  expect(verdicts.every((kind) => kind === 'accepted')).toBe(true)
})

it('reports for each pool since when it is used, its latency and accepted shares, and the reason for the switch', async () => {
  const first = await aPool()
  const second = await aPool()
  const rig = await aRig([address(first), address(second)])
  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  const [used, other] = rig.source.pools()

  expect(used).toMatchObject({ shares: { accepted: 1, rejected: 0, lost: 0 }, difficulty: 2n, lastSwitch: null })
  expect(used?.connectedAt).not.toBeNull()
  expect(used?.latency?.count).toBe(3) // subscribe, authorize and the share
  expect(other).toMatchObject({ connectedAt: null, difficulty: null, latency: null })

  rig.source.setActive(1)
  await until('the second pool', () => states(rig)[1] === 'active')
  expect(rig.source.pools()[1]?.lastSwitch).toMatchObject({ cause: 'asked', from: `127.0.0.1:${first.port}` })
  await second.stop()
  await until('the first pool again', () => states(rig)[0] === 'active')
  expect(rig.source.pools()[0]?.lastSwitch).toMatchObject({ cause: 'failed', from: `127.0.0.1:${second.port}` })
  expect(rig.source.pools()[0]?.lastSwitch?.reason).not.toBe('')
})

it("reconnects when the active pool's address is changed, which isn't a switch", async () => {
  const before = await aPool()
  const after = await aPool()
  const rig = await aRig([address(before)])
  await currentJob(rig)

  rig.source.replace(0, poolUrl(address(after)))
  await until('the other address', () => after.logins.length === 1 && states(rig)[0] === 'active')

  expect(rig.source.state()).toMatchObject({ connected: true, switches: 0, host: `127.0.0.1:${after.port}` })
  expect(rig.source.pools()).toHaveLength(1)
  expect(() => rig.source.add(poolUrl(address(after)))).toThrow(/already/i)
})

it('moves a pool to its place in the list', async () => {
  const first = await aPool()
  const rig = await aRig([address(first), 'stratum+tcp://me@127.0.0.1:9'])

  rig.source.add(poolUrl('stratum+tcp://me@127.0.0.1:8'), 1)

  expect(rig.source.pools().map(({ url }) => url.port)).toEqual([first.port, 8, 9])
})

it('builds nothing for a stray job of an earlier epoch, unless the pool means it', async () => {
  const clock = new FakeClock()
  const pool = await aPool({ epoch: 3 })
  const rig = await aRig([address(pool)], { clock })
  const epochs = () => rig.jobs.map((job) => job?.epoch ?? null)
  const waited = () => rig.records.filter(({ message }) => message.includes('earlier epoch')).length
  await currentJob(rig)
  pool.setEpoch(0)
  await until('a stray job', () => waited() === 1)
  pool.setEpoch(3)
  await until('the next job', () => rig.jobs.length > 1)
  clock.advance(4_999)
  expect(epochs()).toEqual([3, 3])

  pool.setEpoch(0)
  await until('a job that waits', () => waited() === 2)
  clock.advance(4_999)
  expect(epochs()).toEqual([3, 3])
  clock.advance(1)
  expect(epochs()).toEqual([3, 3, 0])

  pool.setEpoch(3)
  await until('the chain’s own epoch', () => rig.jobs.length > 3)
  pool.setEpoch(2)
  await until('a job that waits', () => waited() === 3)
  pool.setEpoch(2)
  await until('the second job of an epoch', () => rig.jobs.length > 4)
  expect(epochs()).toEqual([3, 3, 0, 3, 2])
})
