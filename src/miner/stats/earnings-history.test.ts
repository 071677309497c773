import { expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { MinerEvents } from '../miner-service-options'
import { EarningsHistory, type Worth } from './earnings-history'
import type { HistoryStore } from './history-file'
import type { SettledShare } from './snapshot'

const LAX = 10n ** 18n
const STEP_MS = 600_000

class MemoryStore implements HistoryStore {
  bytes: Uint8Array | null = null
  isBroken = false

  async load(): Promise<Uint8Array | null> {
    return this.bytes
  }

  async save(bytes: Uint8Array): Promise<void> {
    if (this.isBroken) throw new Error('no space left')
    this.bytes = bytes
  }
}

const aShare = (change: Partial<SettledShare> = {}): SettledShare => ({
  at: 0,
  device: 0,
  pool: 'pool.example:1',
  jobId: 'j',
  height: null,
  jobDifficulty: 1_000,
  ownDifficulty: null,
  outcome: 'accepted',
  reason: '',
  latencyMs: 1,
  epoch: 0,
  nonce: 0n,
  ...change,
})

async function scene(store = new MemoryStore()) {
  const clock = new FakeClock()
  const events = new Emitter<MinerEvents>()
  const world: { worth: ReturnType<Worth>; difficulty: number } = {
    difficulty: 1_000,
    worth: { difficulty: 100_000, subsidyWei: 50n * LAX },
  }
  const miner = {
    events,
    snapshot: () => ({
      hashrate: { now: 50 },
      source: { kind: 'pool', host: 'pool.example:1', difficulty: world.difficulty } as const,
    }),
  }
  const history = new EarningsHistory({ miner, worth: () => world.worth, store, clock, log: silentLogger })
  await history.start()
  return { clock, events, history, store, world }
}

it('prices accepted shares at the moment of acceptance', async () => {
  const { clock, events, history, world } = await scene()

  events.emit('shareSettled', aShare())
  world.worth = { difficulty: 200_000, subsidyWei: 50n * LAX }
  events.emit('shareSettled', aShare())
  world.worth = null
  events.emit('shareSettled', aShare())
  events.emit('shareSettled', aShare({ outcome: 'rejected' }))
  events.emit('shareSettled', aShare({ outcome: 'failed' }))

  expect(history.read(clock.now()).rows).toEqual([
    {
      pool: 'pool.example:1',
      shares: 3,
      rejected: 1,
      work: 3_000,
      pricedWork: 2_000,
      expectedWei: (3n * LAX) / 4n,
      hashes: 0,
      expectedShares: 0,
      computedWei: 0n,
    },
  ])
})

it('counts computed hashes, without gaps', async () => {
  const { clock, events, history } = await scene()
  for (const waitMs of [0, 1_000, 1_000, 60_000, 1_000]) {
    clock.advance(waitMs)
    events.emit('devicesChanged', [])
  }

  expect(history.read(0).rows[0]?.hashes).toBe(150)
})

it('expects shares by the difficulty of each moment, and prices hashes likewise', async () => {
  const { clock, events, history, world } = await scene()
  events.emit('devicesChanged', [])
  clock.advance(1_000)
  events.emit('devicesChanged', [])
  world.difficulty = 10_000
  world.worth = { difficulty: 1_000_000, subsidyWei: 50n * LAX }
  clock.advance(1_000)
  events.emit('devicesChanged', [])

  const [row] = history.read(0).rows
  expect(row?.expectedShares).toBeCloseTo(50 / 1_000 + 50 / 10_000, 12)
  expect(row?.computedWei).toBe(27_500n * 10n ** 12n)
})

it("estimates an older record's expected earnings by the work of its shares", async () => {
  const store = new MemoryStore()
  const slot = { at: 0, first: 0, pool: '', shares: 4, rejected: 0, work: 4_000, priced: 0, micro: 0, hashes: 5_000 }
  store.bytes = new TextEncoder().encode(
    JSON.stringify({ version: 1, slots: [slot, { ...slot, at: 600_000, shares: 0 }] }),
  )
  const { history } = await scene(store)

  expect(history.read(0).rows[0]?.expectedShares).toBe(5)
})

it('keeps pools apart, and reads from the step that contains the requested time', async () => {
  const { clock, events, history } = await scene()
  clock.advance(7)
  const first = clock.now()
  events.emit('shareSettled', aShare())
  clock.advance(2 * STEP_MS)
  events.emit('shareSettled', aShare({ pool: '' }))

  expect(history.read(clock.now()).rows.map(({ pool }) => pool)).toEqual([''])
  expect(history.read(0)).toMatchObject({ firstAt: first, rows: [{ pool: 'pool.example:1' }, { pool: '' }] })
})

it('outlives the program for a month', async () => {
  const { clock, events, history, store } = await scene()
  events.emit('shareSettled', aShare())
  await history.stop()

  const later = await scene(store)
  expect(later.history.read(0).rows).toMatchObject([{ shares: 1 }])
  later.clock.advance(clock.now() - later.clock.now() + 32 * 86_400_000)
  later.events.emit('shareSettled', aShare({ pool: 'new' }))

  expect(later.history.read(0).rows.map(({ pool }) => pool)).toEqual(['new'])
})

it("starts over if its file can't be read, and keeps what can't be written", async () => {
  const store = new MemoryStore()
  store.bytes = new TextEncoder().encode('{"version":9}')
  const { clock, events, history } = await scene(store)
  expect(history.read(0)).toMatchObject({ firstAt: null, rows: [] })
  events.emit('shareSettled', aShare())
  store.isBroken = true
  await history.stop()
  store.isBroken = false
  await history.stop()

  const next = await scene(store)
  expect(next.history.read(clock.now()).rows).toMatchObject([{ shares: 1 }])
})

it("doesn't grow with a pool that keeps moving to other names", async () => {
  const store = new MemoryStore()
  const at = new FakeClock().now() - STEP_MS
  const slots = Array.from({ length: 21_000 }, (_, index) => ({
    at: at - (at % STEP_MS),
    first: at,
    pool: `x${index}.example:1`,
    shares: 1,
    rejected: 0,
    work: 1,
    priced: 0,
    micro: 0,
    hashes: 0,
  }))
  store.bytes = new TextEncoder().encode(JSON.stringify({ version: 1, slots }))
  const { events, history } = await scene(store)

  events.emit('shareSettled', aShare({ pool: 'y.example:1' }))

  const { rows } = history.read(0)
  expect(rows).toHaveLength(20_000)
  expect(rows.at(-1)).toMatchObject({ pool: 'y.example:1', shares: 1 })
  await history.stop()
})

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const shares = (history: EarningsHistory) => history.read(0).rows.reduce((sum, row) => sum + row.shares, 0)

it('loses nothing to a clock that leaps years ahead for a moment, in a run or between two', async () => {
  const { clock, events, history, store } = await scene()
  for (let day = 0; day < 2; day++) {
    events.emit('shareSettled', aShare())
    clock.advance(DAY_MS)
  }
  clock.setWallClock(2 * YEAR_MS)
  clock.advance(10_000)
  events.emit('shareSettled', aShare())
  expect(shares(history)).toBe(3)
  clock.setWallClock(-2 * YEAR_MS)
  events.emit('shareSettled', aShare())
  const today = clock.now()
  await history.stop()

  const next = await scene(store)
  next.clock.setWallClock(today + 2 * YEAR_MS - next.clock.now())
  await next.history.stop()
  await next.history.start()
  next.events.emit('shareSettled', aShare())
  expect(shares(next.history)).toBe(5)
  next.clock.setWallClock(-2 * YEAR_MS)
  next.events.emit('shareSettled', aShare())

  expect(shares(next.history)).toBe(6)
  expect(next.history.read(today - DAY_MS / 2).rows.map((row) => row.shares)).toEqual([4])
  expect(next.history.read(today + DAY_MS).rows).toEqual([])
})

it('still drops what is older than a month', async () => {
  const { clock, events, history, store } = await scene()
  events.emit('shareSettled', aShare())
  clock.advance(20 * DAY_MS)
  events.emit('shareSettled', aShare())
  clock.advance(12 * DAY_MS)
  events.emit('shareSettled', aShare())

  expect(shares(history)).toBe(2)
  await history.stop()
  const next = await scene(store)
  next.clock.advance(100 * DAY_MS)
  await next.history.stop()
  await next.history.start()
  next.events.emit('shareSettled', aShare())
  expect(shares(next.history)).toBe(3)
  next.clock.advance(DAY_MS)
  next.events.emit('shareSettled', aShare())
  expect(shares(next.history)).toBe(2)
})
