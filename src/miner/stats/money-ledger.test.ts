import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Journal } from '../../files/journal-file'
import type { MinerEvents } from '../miner-service-options'
import { type FigureContext, forecastOf, lostByDevice, luckOf, type MoneyPeriod, moneyPeriod } from './money-figures'
import { type BlockWorth, type Loss, MoneyLedger } from './money-ledger'
import { DAY_MS, SLOT_MS } from './money-slots'
import type { DeviceSnapshot, SettledShare } from './snapshot'

const LAX = 10n ** 18n
const HOUR = 3_600_000
const NO_PRICES = { lax: null, power: null, currency: '' }

class MemoryJournal implements Journal {
  lines: unknown[] = []
  isFull = false

  async load(): Promise<readonly unknown[]> {
    return structuredClone(this.lines)
  }

  async append(records: readonly object[]): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC: no space left on device')
    this.lines.push(...structuredClone(records))
  }

  async replace(records: readonly object[]): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC: no space left on device')
    this.lines = structuredClone([...records])
  }
}

const aDevice = (change: Partial<DeviceSnapshot> = {}): DeviceSnapshot => ({
  index: 0,
  name: 'RTX 3070',
  pci: '01:00.0',
  backend: 'cuda',
  threads: null,
  state: 'mining',
  progress: null,
  hashrate: { now: 100, s60: 100, m15: 100 },
  meanPowerWatts: null,
  shares: { accepted: 0, rejected: 0, failed: 0 },
  paused: false,
  pauseReasons: [],
  canResume: false,
  error: '',
  restarts: 0,
  pauseEndsAt: null,
  datasetBytes: null,
  responds: true,
  effectiveHashrate: null,
  hashes: 0,
  usualHashrate: 100,
  temperatureLimits: null,
  temperature: { core: 60, hotspot: null, memory: null },
  fanPercent: null,
  powerWatts: 120,
  powerLimitWatts: null,
  clockMhz: { core: null, memory: null },
  takenAt: 0,
  ...change,
})

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

interface World {
  worth: BlockWorth | null
  source: { kind: 'pool' | 'solo' | 'none'; host: string; difficulty: number | null }
  isHot: boolean
}

async function scene({
  journal = new MemoryJournal(),
  clock = new FakeClock(1_700_000_000_000 - (1_700_000_000_000 % DAY_MS)),
  isMining = true,
} = {}) {
  const events = new Emitter<MinerEvents>()
  const world: World = {
    worth: { difficulty: 1e6, subsidyWei: 50n * LAX },
    source: { kind: 'pool', host: 'pool.example:1', difficulty: 1_000 },
    isHot: false,
  }
  const miner = isMining ? { events, snapshot: () => ({ source: world.source }) } : null
  const log = silentLogger
  const ledger = new MoneyLedger({ miner, worth: () => world.worth, isHot: () => world.isHot, journal, clock, log })
  await ledger.start()
  const hashes = new Map<number, number>()
  /** Mines so long, one look a second; `rates` are hashes per second by device. */
  const mine = (
    seconds: number,
    rates: readonly number[],
    change: (index: number) => Partial<DeviceSnapshot> = () => ({}),
  ): void => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      const devices = rates.map((rate, index) => {
        hashes.set(index, (hashes.get(index) ?? 0) + rate)
        const pci = `0${index}:00.0`
        return aDevice({ index, pci, hashes: hashes.get(index) ?? 0, ...change(index) })
      })
      events.emit('devicesChanged', devices)
    }
  }
  const period = (from = 0, to = Number.MAX_SAFE_INTEGER, context: Partial<FigureContext> = {}): MoneyPeriod =>
    moneyPeriod(
      ledger.read(from, to),
      { from, to },
      {
        prices: NO_PRICES,
        present: ledger.present(),
        worth: world.worth,
        now: clock.now(),
        ...context,
      },
    )
  return { clock, events, journal, ledger, world, mine, period }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** usual = counted + lost - gained, and the rows add up to the lost hashes. */
function expectSums({ losses }: MoneyPeriod): void {
  const { usualHashes, countedHashes, lostHashes, gainedHashes, rows } = losses
  const sum = rows.reduce((total, { hashes }) => total + hashes, 0)
  expect(sum).toBeCloseTo(lostHashes.value ?? 0, 6)
  expect((countedHashes.value ?? 0) + sum - gainedHashes).toBeCloseTo(usualHashes.value ?? 0, 6)
}

describe('expectation', () => {
  it('is hashes / difficulty × subsidy, each hash at the values of its time', async () => {
    const { mine, period, world } = await scene()
    mine(1, [0])
    mine(600, [100])
    world.worth = { difficulty: 2e6, subsidyWei: 25n * LAX }
    mine(600, [100])

    const { total } = period()
    expect(total.hashes).toBe(120_000)
    expect(total.expectedBlocks.value).toBeCloseTo(60_000 / 1e6 + 60_000 / 2e6, 12)
    // 60,000 / 1e6 × 50 + 60,000 / 2e6 × 25
    expect(BigInt(total.expectedIncome.value ?? '0')).toBe((375n * LAX) / 100n)
    expect(total.expectedShares).toBeCloseTo(120, 9)
  })

  it('says that there is no price while the network’s difficulty is unknown, and for how much of the work', async () => {
    const { mine, period, world, events } = await scene()
    world.worth = { difficulty: null, subsidyWei: 50n * LAX }
    mine(601, [100])
    events.emit('shareSettled', aShare())
    expect(period().total).toMatchObject({
      expectedIncome: { value: null, missing: 'no-network-difficulty' },
      income: { value: null, missing: 'no-network-difficulty' },
      expectedBlocks: { value: null, missing: 'no-network-difficulty' },
      foundBlocks: { value: null, missing: 'pool-knows' },
      pricedPart: 0,
    })

    world.worth = { difficulty: 1e6, subsidyWei: 50n * LAX }
    mine(600, [100])
    events.emit('shareSettled', aShare())
    expect(period().total.pricedPart).toBeCloseTo(0.5, 3)
  })

  it('tells which part of the accepted shares has a price, even if all hashes have one', async () => {
    const { mine, period, world, events } = await scene()
    mine(600, [100])
    world.worth = { difficulty: null, subsidyWei: 50n * LAX }
    for (let n = 0; n < 3; n++) events.emit('shareSettled', aShare())
    world.worth = { difficulty: 1e6, subsidyWei: 50n * LAX }
    events.emit('shareSettled', aShare())
    expect(period().total.pricedPart).toBe(0.25)
  })

  it('needs no fresh head for solo work, whose job has the network’s difficulty', async () => {
    const { mine, period, world, events } = await scene()
    world.source = { kind: 'solo', host: 'local:0', difficulty: 5e5 }
    world.worth = { difficulty: null, subsidyWei: 50n * LAX }
    mine(1, [0])
    mine(1_000, [100])
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 5e5 }))

    const { total } = period()
    expect(total.expectedBlocks.value).toBeCloseTo(0.2, 12)
    expect(total.foundBlocks).toEqual({ value: 1, missing: null })
    expect(total.income.value).toBe(String(50n * LAX))
  })

  it('has nothing to say about a period without records', async () => {
    const { period } = await scene()
    const { total, losses, energy, margin } = period()
    expect(total.income).toEqual({ value: null, missing: 'nothing-mined' })
    expect(losses.lostHashes).toEqual({ value: null, missing: 'nothing-mined' })
    expect(energy.kilowattHours).toEqual({ value: null, missing: 'nothing-mined' })
    expect(margin.margin).toEqual({ value: null, missing: 'nothing-mined' })
  })
})

describe('shares', () => {
  it('are counted once each, by outcome, and are lost to one cause', async () => {
    const { mine, period, events } = await scene()
    mine(1, [0])
    mine(900, [100])
    for (const outcome of ['accepted', 'accepted', 'rejected', 'stale', 'lost', 'failed'] as const)
      events.emit('shareSettled', aShare({ outcome }))

    const found = period()
    expect(found.total.shares).toEqual({ accepted: 2, rejected: 1, stale: 1, unanswered: 1, failed: 1 })
    // What a pool doesn't count was found: it's a loss, not bad luck.
    expect(found.total.luck.found).toBe(5)
    expect(found.losses.rows.map(({ cause, hashes, kind }) => [cause, hashes, kind]).sort()).toEqual([
      ['rejected', 1_000, 'work'],
      ['stale', 1_000, 'work'],
      ['unanswered', 1_000, 'work'],
      ['wrong-results', 1_000, 'fault'],
    ])
    expect(found.losses.countedHashes.value).toBe(90_000 - 4_000)
    expectSums(found)
  })

  it('are blocks when solo: one that another was faster than is counted, but took no money', async () => {
    const { mine, period, events, world } = await scene()
    world.source = { kind: 'solo', host: '', difficulty: 1e6 }
    mine(20, [100], () => ({ usualHashrate: null }))
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, outcome: 'stale' }))
    expect(period().total.shares.stale).toBe(1)
    expect(period().losses).toMatchObject({ lostIncome: { value: null, missing: 'too-early' }, rows: [] })
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, outcome: 'rejected' }))
    expect(period().losses.lostIncome.value).toBe(String(50n * LAX))
  })

  it('belong to their own pool, whichever is mined for now', async () => {
    const { period, events, mine } = await scene()
    mine(2, [100])
    events.emit('shareSettled', aShare({ pool: 'other:2' }))
    expect(period().sources.map(({ pool, shares }) => [pool, shares.accepted])).toEqual([
      ['pool.example:1', 0],
      ['other:2', 1],
    ])
  })
})

describe('losses', () => {
  it('are the gap to the usual rate, each hash lost to one cause and one device', async () => {
    const { mine, period, ledger, world, clock } = await scene()
    mine(1, [0, 0])
    mine(600, [100, 100])
    // device 1 is paused by hand, then device 0 is without work
    mine(300, [100, 0], (index) =>
      index === 1 ? { paused: true, pauseReasons: ['Api request'], state: 'paused' } : {},
    )
    mine(200, [0, 100], (index) => (index === 0 ? { state: 'waiting' } : {}))
    mine(100, [60, 120])

    const found = period()
    expect(
      found.losses.rows.map(({ cause, hashes, ms, devices, reason }) => [
        cause,
        hashes,
        ms,
        devices.map(({ index }) => index),
        reason,
      ]),
    ).toEqual([
      ['paused', 30_000, 300_000, [1], 'Api request'],
      ['no-work', 20_000, 200_000, [0], 'pool.example:1'],
      ['slow', 4_000, 1_200_000 - 200_000, [0], ''],
    ])
    expect(found.losses.gainedHashes).toBe(2_000)
    expect(found.losses.usualHashes.value).toBe(2 * 1_200 * 100)
    expectSums(found)
    const whole = { from: 0, to: Number.MAX_SAFE_INTEGER }
    const context = { prices: NO_PRICES, present: ledger.present(), worth: world.worth, now: clock.now() }
    const devices = [...lostByDevice(ledger.read(whole.from, whole.to), { ...whole, context }).values()]
    expect(devices.map(({ usualHashes, lostHashes }) => [usualHashes.value, lostHashes.value])).toEqual([
      [120_000, 24_000],
      [120_000, 30_000],
    ])
    // 30,000 hashes / 1e6 × 50 LAX
    expect(found.losses.rows[0]?.income.value).toBe(String((15n * LAX) / 10n))
  })

  it('of a batch that takes seconds even out', async () => {
    const { mine, period } = await scene()
    mine(1, [0])
    for (let batch = 0; batch < 60; batch++) {
      mine(4, [0])
      mine(1, [500])
    }
    expect(period().losses.lostHashes.value).toBe(0)
  })

  it('are heat where a hot device is slowed, and a fault where it doesn’t respond', async () => {
    const { mine, period, world } = await scene()
    mine(1, [0])
    world.isHot = true
    mine(100, [70], () => ({ hashrate: { now: 70, s60: 70, m15: 70 } }))
    world.isHot = false
    mine(100, [0], () => ({ responds: false }))
    expect(period().losses.rows.map(({ cause, hashes, kind, to }) => [cause, hashes, kind, to === null])).toEqual([
      ['silent', 10_000, 'fault', true],
      ['heat', 3_000, 'heat', false],
    ])
  })

  it('are not measured before the usual rate is known', async () => {
    const { mine, period } = await scene()
    mine(300, [50], () => ({ usualHashrate: null }))
    expect(period().losses).toMatchObject({
      usualHashes: { value: null, missing: 'no-usual-hashrate' },
      lostHashes: { value: null, missing: 'no-usual-hashrate' },
      rows: [],
    })
  })

  it('include the time in which the program was off', async () => {
    const before = await scene()
    before.mine(1, [0])
    before.mine(599, [100])
    await before.ledger.stop()
    const { journal, clock } = before
    clock.advance(2 * HOUR)
    const { mine, period } = await scene({ journal, clock })
    const told: number[] = []
    mine(1, [100])
    mine(600, [100])

    const found = period()
    const off = found.losses.rows.find(({ cause }) => cause === 'off')
    expect(off?.hashes).toBeCloseTo((2 * HOUR + 1_000) / 10, 6)
    expect(told).toEqual([])
    expectSums(found)
  })
})

describe('effort', () => {
  it('only grows until a block is found, and survives a restart', async () => {
    const first = await scene()
    first.world.source = { kind: 'solo', host: 'local:0', difficulty: 1e6 }
    let before = 0
    for (let minute = 0; minute < 30; minute++) {
      first.world.source = { ...first.world.source, difficulty: minute % 2 === 0 ? 1e6 : 3e6 }
      first.mine(60, [minute % 3 === 0 ? 0 : 100])
      expect(first.ledger.effort).toBeGreaterThanOrEqual(before)
      before = first.ledger.effort
    }
    await first.ledger.stop()
    const second = await scene({ journal: first.journal, clock: first.clock })
    expect(second.ledger.effort).toBeCloseTo(before, 12)
    second.events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6 }))
    expect([second.ledger.effort, second.ledger.effortSince]).toEqual([0, second.clock.now()])
  })
})

describe('money', () => {
  it('is energy × price and LAX × price, and says which price is missing', async () => {
    const { mine, period, events } = await scene()
    mine(1, [0])
    mine(3_600, [100])
    for (let n = 0; n < 40; n++) events.emit('shareSettled', aShare({ jobDifficulty: 10_000 }))

    expect(period().energy).toMatchObject({ cost: { value: null, missing: 'no-power-price' }, meteredPart: 1 })
    expect(period().energy.kilowattHours.value).toBeCloseTo(0.12, 9)
    expect(period().margin.margin).toEqual({ value: null, missing: 'no-lax-price' })
    const priced = period(0, Number.MAX_SAFE_INTEGER, { prices: { lax: 2, power: 0.5, currency: 'EUR' } })
    // 40 × 10,000 / 1e6 × 50 LAX × 2, minus 0.12 kWh × 0.5
    expect(priced.margin.margin.value).toBeCloseTo(40 - 0.06, 6)
  })

  it('has no energy where no device reports its power', async () => {
    const { mine, period } = await scene()
    mine(200, [100], () => ({ powerWatts: null }))
    expect(period().energy.kilowattHours).toEqual({ value: null, missing: 'no-power-reading' })
  })
})

describe('the record', () => {
  const slotsOf = ({ journal }: Scene) => journal.lines.filter((line) => JSON.stringify(line).startsWith('{"slot"'))

  it('loses at most half a minute to a kill, and nothing of a found block', async () => {
    const { mine, events, journal, clock, world } = await scene()
    world.source = { kind: 'solo', host: 'local:0', difficulty: 1e6 }
    mine(3_599, [100])
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6 }))
    await Promise.resolve()
    const after = await scene({ journal, clock })
    expect(after.period().total.shares.accepted).toBe(1)
    expect(after.period().total.hashes).toBeGreaterThanOrEqual(356_900)
  })

  it('says that it can’t be saved while the disk is full, and loses nothing when there is space again', async () => {
    const { mine, journal, ledger, clock } = await scene()
    mine(60, [100])
    journal.isFull = true
    mine(3_000, [100])
    await Promise.resolve()
    expect(ledger.notSaved).toContain('ENOSPC')
    journal.isFull = false
    await ledger.stop()
    expect(ledger.notSaved).toBe('')
    const after = await scene({ journal, clock })
    expect(after.period().total.hashes).toBe(305_900)
  })

  it('skips torn and foreign lines', async () => {
    const first = await scene()
    first.mine(100, [100])
    await first.ledger.stop()
    first.journal.lines.push({ slot: { at: 'soon' } }, { other: 1 })
    const { period } = await scene({ journal: first.journal, clock: first.clock })
    expect(period().total.hashes).toBe(9_900)
  })

  it('puts an older file to use as it is', async () => {
    const first = await scene()
    first.mine(100, [100])
    await first.ledger.stop()
    const old = new MemoryJournal()
    old.lines = structuredClone(first.journal.lines)
    first.clock.advance(HOUR)
    const second = await scene({ journal: first.journal, clock: first.clock })
    second.mine(100, [100])
    await second.ledger.stop()
    const third = await scene({ journal: old, clock: first.clock })
    third.mine(2, [100])
    expect(third.period().total.hashes).toBe(9_900 + 100)
  })

  it('keeps what was recorded when the clock leaps for a while, and dates it right', async () => {
    const first = await scene()
    first.mine(600, [100])
    await first.ledger.stop()
    const { clock, journal } = first
    clock.setWallClock(2 * 365 * DAY_MS)
    const second = await scene({ journal, clock })
    second.mine(10, [100])
    clock.setWallClock(-2 * 365 * DAY_MS)
    second.mine(10, [100])
    await second.ledger.stop()
    const { period } = await scene({ journal, clock })
    expect(period().total.hashes).toBe(59_900 + 1_900)
    expect(period(clock.now() - DAY_MS, clock.now() + DAY_MS).total.hashes).toBe(59_900 + 1_900)
    expect(period().losses.rows.filter(({ cause }) => cause === 'off')).toEqual([])
  })

  it('merges what is older than 32 days into whole days, sums unchanged', async () => {
    const first = await scene()
    for (let day = 0; day < 40; day++) {
      first.mine(60, [100])
      await first.ledger.stop()
      first.clock.advance(DAY_MS - 60_000)
      await first.ledger.start()
    }
    const { period, ledger } = first
    const before = period().total.hashes
    await ledger.stop()
    expect(slotsOf(first).some((line) => JSON.stringify(line).includes(`"ms":${DAY_MS}`))).toBe(true)
    const second = await scene({ journal: first.journal, clock: first.clock })
    expect(second.period().total.hashes).toBe(before)
  })

  it('keeps at most 64 sources apart in a quarter of an hour', async () => {
    const { events, period } = await scene()
    for (let n = 0; n < 500; n++) events.emit('shareSettled', aShare({ pool: `p${n}:1` }))
    expect(period().sources).toHaveLength(65)
    expect(period().total.shares.accepted).toBe(500)
  })

  it('reports each loss as it happens', async () => {
    const { ledger, mine } = await scene()
    const told: Loss[] = []
    ledger.events.on('lost', (loss) => told.push(loss))
    mine(1, [0])
    mine(2, [0], () => ({ state: 'waiting' }))
    expect(told).toHaveLength(2)
    expect(told[0]).toMatchObject({ device: 0, cause: 'no-work', hashes: 100, ms: 1_000 })
  })

  it('adds up whatever slots a period is made of', async () => {
    const { mine, period, clock } = await scene()
    const from = clock.now()
    mine(1, [0])
    for (let quarter = 0; quarter < 6; quarter++)
      mine(900, [quarter * 30], () => (quarter === 2 ? { paused: true, pauseReasons: ['Schedule'] } : {}))
    const parts = Array.from({ length: 7 }, (_, n) => period(from + n * SLOT_MS, from + (n + 1) * SLOT_MS))
    const whole = period(from, from + 7 * SLOT_MS)
    const sum = (read: (part: MoneyPeriod) => number) => parts.reduce((total, part) => total + read(part), 0)
    expect(sum(({ total }) => total.hashes)).toBeCloseTo(whole.total.hashes, 6)
    expect(sum(({ losses }) => losses.usualHashes.value ?? 0)).toBeCloseTo(whole.losses.usualHashes.value ?? 0, 6)
    expect(sum(({ energy }) => energy.kilowattHours.value ?? 0)).toBeCloseTo(whole.energy.kilowattHours.value ?? 0, 9)
    for (const part of [...parts, whole]) expectSums(part)
  })
})

it('luck is what was found beside the range of a Poisson mean', () => {
  expect(luckOf(4, 4.6)).toMatchObject({ verdict: 'normal', mean: 4.6 })
  expect(luckOf(0, 0.5).verdict).toBe('early')
  expect(luckOf(0, 6).verdict).toBe('low')
  expect(luckOf(20, 6).verdict).toBe('high')
})

it('a forecast is hashrate × day / difficulty, at most the chain’s pace', () => {
  const worth = { difficulty: 1e9, subsidyWei: 50n * LAX }
  const input = { hashrate: 3_900, isSolo: true, worth, spacingSeconds: 600 }
  // 3.9 kH/s at difficulty 1 G find a block in 2 d 23 h on average: 16.85 LAX a day.
  expect(Number(forecastOf(input).incomePerDay.value) / 1e18).toBeCloseTo(16.848, 3)
  expect(forecastOf(input).nextBlock.median.value).toBeCloseTo(Math.LN2 * (1e9 / 3_900), 3)
  expect(forecastOf({ ...input, hashrate: 1e12 }).blocksPerDay.value).toBe(144)
  expect(forecastOf({ ...input, hashrate: null }).incomePerDay).toEqual({ value: null, missing: 'too-early' })
  expect(forecastOf({ ...input, worth: null }).blocksPerDay).toEqual({ value: null, missing: 'no-network-difficulty' })
  expect(forecastOf({ ...input, isSolo: false }).nextBlock.median).toEqual({ value: null, missing: 'pool-knows' })
})

describe('a block that leaves the chain', () => {
  const ours = (height: number, hash: string) => ({ height, hash, isOurs: true })
  const theirs = (height: number, hash: string) => ({ height, hash, isOurs: false })
  const solo = { kind: 'solo', host: '', difficulty: 1e6 } as const

  async function withBlock(journal = new MemoryJournal()) {
    const it = await scene({ journal })
    it.world.source = solo
    it.mine(1, [100])
    it.events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height: 7 }))
    it.ledger.found.moved({ removed: [], added: [ours(7, '0xaa')] })
    return it
  }
  const lax = (text: string | null) => Number(text) / 1e18

  it('takes its income back, says so, and gives it again when it comes back', async () => {
    const { ledger, period } = await withBlock()
    expect(lax(period().total.income.value)).toBe(50)
    ledger.found.moved({ removed: [ours(7, '0xaa')], added: [theirs(7, '0xbb'), theirs(8, '0xcc')] })
    expect(lax(period().total.income.value)).toBe(0)
    expect(period().total).toMatchObject({ foundBlocks: { value: 1 }, sideBlocks: { value: 1 } })
    ledger.found.moved({ removed: [theirs(7, '0xbb'), theirs(8, '0xcc')], added: [ours(7, '0xaa')] })
    expect(lax(period().total.income.value)).toBe(50)
    expect(period().total.sideBlocks.value).toBe(0)
  })

  it('pays the fees of its transactions, once, while it is on the chain', async () => {
    const journal = new MemoryJournal()
    const { ledger, period, clock } = await withBlock(journal)
    const fees = [7, '0xaa', 2.5e6] as const
    ledger.found.payFees(7, '0xbb', 2.5e6)
    expect(lax(period().total.income.value)).toBe(50)
    for (let time = 0; time < 2; time++) ledger.found.payFees(...fees)
    expect(lax(period().total.income.value)).toBe(52.5)
    ledger.found.moved({ removed: [ours(7, '0xaa')], added: [theirs(7, '0xbb')] })
    expect(lax(period().total.income.value)).toBe(0)
    ledger.found.moved({ removed: [theirs(7, '0xbb')], added: [ours(7, '0xaa')] })
    await ledger.stop()

    const second = await scene({ journal, clock })
    second.ledger.found.moved({ removed: [], added: [ours(7, '0xaa')] })
    second.ledger.found.payFees(...fees)
    expect(lax(second.period().total.income.value)).toBe(52.5)
  })

  it('pays fees that are known before the block is settled', async () => {
    const { ledger, events, period } = await scene()
    ledger.found.moved({ removed: [], added: [ours(7, '0xaa')] })
    ledger.found.payFees(7, '0xaa', 1e6)
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height: 7 }))
    expect(lax(period().total.income.value)).toBe(51)
  })

  it('is told from another block of ours at its height', async () => {
    const { ledger, events, period } = await withBlock()
    ledger.found.moved({ removed: [ours(7, '0xaa')], added: [theirs(7, '0xbb')] })
    ledger.found.moved({ removed: [theirs(7, '0xbb')], added: [] })
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height: 7 }))
    ledger.found.moved({ removed: [], added: [ours(7, '0xdd')] })
    expect(lax(period().total.income.value)).toBe(50)
    expect(period().total).toMatchObject({ foundBlocks: { value: 2 }, sideBlocks: { value: 1 } })
  })

  it('pays nothing when another was there first, until the chain turns to it', async () => {
    const { ledger, events, period } = await scene()
    ledger.found.moved({ removed: [], added: [theirs(7, '0xbb')] })
    events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height: 7 }))
    expect(lax(period().total.income.value)).toBe(0)
    ledger.found.moved({ removed: [theirs(7, '0xbb')], added: [ours(7, '0xaa')] })
    expect(lax(period().total.income.value)).toBe(50)
  })

  it('or stays, in any order of finds, branches and returns: income is that of our blocks on the chain', async () => {
    const step = fc.record({
      kind: fc.constantFrom('ours', 'side', 'theirs', 'reorg'),
      depth: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { ledger, events, period } = await scene()
        let chain = [theirs(0, '0x0')]
        ledger.found.moved({ removed: [], added: chain })
        let dropped: (typeof chain)[number][] = []
        let serial = 0
        const extend = (isOurs: boolean) => ({ height: chain.length, hash: `0x${++serial}`, isOurs })
        const find = (height: number) => events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height }))
        const move = (removed: typeof chain, added: typeof chain): void => {
          chain = [...chain.slice(0, chain.length - removed.length), ...added]
          ledger.found.moved({ removed, added })
        }
        for (const { kind, depth } of steps) {
          if (kind === 'ours') find(chain.length)
          if (kind === 'ours' || kind === 'theirs') move([], [extend(kind === 'ours')])
          // Found for the head's height, where another block is already; it never gets onto the chain.
          if (kind === 'side' && chain.at(-1)?.isOurs === false) find(chain.length - 1)
          if (kind !== 'reorg') continue
          const removed = chain.slice(Math.max(1, chain.length - depth))
          const back = dropped[0]?.height === chain.length - removed.length ? dropped : []
          const length = removed.length + 1 - back.length
          const more = Array.from({ length: Math.max(0, length) }, (_, at) =>
            theirs(chain.length - removed.length + back.length + at, `0x${++serial}`),
          )
          dropped = removed
          move(removed, [...back, ...more])
        }
        const paid = chain.filter(({ isOurs }) => isOurs).length
        const { income, foundBlocks, sideBlocks } = period().total
        if (foundBlocks.value !== null) expect(lax(income.value)).toBeCloseTo(50 * paid, 6)
        expect((foundBlocks.value ?? 0) - (sideBlocks.value ?? 0)).toBe(paid)
      }),
      { numRuns: 60, seed: 28 },
    )
  })

  it('is seen when the chain is read at the next start: the change itself was missed', async () => {
    const journal = new MemoryJournal()
    const { ledger, clock } = await withBlock(journal)
    await ledger.stop()
    const second = await scene({ journal, clock })
    second.ledger.found.moved({ removed: [], added: [theirs(6, '0x99'), theirs(7, '0xbb'), theirs(8, '0xcc')] })
    expect(second.period().total).toMatchObject({ income: { value: '0' }, sideBlocks: { value: 1 } })
  })

  it('is known after a restart, in the day that its quarter hour was merged into', async () => {
    const journal = new MemoryJournal()
    const { ledger, clock } = await withBlock(journal)
    await ledger.stop()
    clock.advance(40 * DAY_MS)
    const second = await scene({ journal, clock })
    second.mine(1, [100])
    second.ledger.found.moved({ removed: [ours(7, '0xaa')], added: [theirs(7, '0xbb')] })
    expect(lax(second.period().total.income.value)).toBe(0)
    expect(second.period().total.sideBlocks.value).toBe(1)
    await second.ledger.stop()
    const third = await scene({ journal, clock })
    expect(lax(third.period().total.income.value)).toBe(0)
    expect(third.period().total).toMatchObject({ foundBlocks: { value: 1 }, sideBlocks: { value: 1 } })
  })
})

/** As real clocks: the monotonic one has fractions of milliseconds. */
class RealisticClock extends FakeClock {
  override monotonic(): number {
    return super.monotonic() * 1.000_001_7 + 0.123
  }
}

it('reads back what it wrote, by clocks as they really are: each cause of loss, time off, blocks', async () => {
  const journal = new MemoryJournal()
  const clock = new RealisticClock(1_700_000_000_000 - (1_700_000_000_000 % DAY_MS))
  const first = await scene({ journal, clock })
  first.mine(600, [100, 100])
  first.mine(60, [100, 0], (index) => ({ paused: index === 1, pauseReasons: index === 1 ? ['Api request'] : [] }))
  first.mine(60, [0, 50], (index) => ({ state: index === 0 ? 'waiting' : 'mining' }))
  first.events.emit('shareSettled', aShare({ outcome: 'rejected' }))
  first.world.source = { kind: 'solo', host: '', difficulty: 1e6 }
  first.mine(60, [100, 100])
  first.events.emit('shareSettled', aShare({ pool: '', jobDifficulty: 1e6, height: 3 }))
  const before = first.period()
  await first.ledger.stop()
  const causes = before.losses.rows.map(({ cause }) => cause).sort()
  expect(causes).toEqual(['no-work', 'paused', 'rejected', 'slow'])

  const second = await scene({ journal, clock })
  const present = first.ledger.present()
  expect(second.period(0, Number.MAX_SAFE_INTEGER, { present })).toEqual(before)
  clock.advance(90_000)
  second.mine(1, [100, 100])
  const third = await scene({ journal: await afterSave(second, journal), clock })
  expect(third.period().losses.rows.find(({ cause }) => cause === 'off')?.ms).toBeCloseTo(2 * 91_000, -3)
})

/** The journal once the ledger has ended. */
async function afterSave({ ledger }: { ledger: MoneyLedger }, journal: MemoryJournal): Promise<MemoryJournal> {
  await ledger.stop()
  return journal
}

it('counts hashes that finish when the job is gone at the difficulty that they were computed for', async () => {
  const { world, mine, period } = await scene()
  mine(10, [100])
  world.source = { ...world.source, difficulty: null }
  mine(10, [100])
  const [source] = period().sources
  expect(source?.expectedShares).toBeCloseTo((source?.hashes ?? 0) / 1_000, 9)
})

describe('rigs of the stratum port', () => {
  it('is recorded where this program itself doesn’t mine, and survives its restarts', async () => {
    const first = await scene({ isMining: false })
    for (let n = 0; n < 8; n++) first.ledger.rigShare({ difficulty: 2.5e5, blockDifficulty: 1e6 })
    first.ledger.rigBlock({ height: 9, difficulty: 1e6, outcome: 'accepted' })
    await first.ledger.stop()
    first.clock.advance(HOUR)

    const { ledger, period } = await scene({ journal: first.journal, clock: first.clock, isMining: false })
    ledger.rigBlock({ height: 10, difficulty: 1e6, outcome: 'accepted' })

    const { rigs, sources, losses } = period()
    expect(rigs).toMatchObject({ hashes: 2e6, foundBlocks: { value: 2 }, income: { value: String(100n * LAX) } })
    expect(sources).toEqual([])
    expect(losses).toMatchObject({ lostHashes: { missing: 'nothing-mined' }, rows: [] })
  })

  it('are a source of their own, in no sum of this computer', async () => {
    const { ledger, mine, period } = await scene()
    mine(10, [100])
    const before = period()
    expect(before.rigs).toBeNull()
    for (let n = 0; n < 12; n++) ledger.rigShare({ difficulty: 2.5e5, blockDifficulty: 1e6 })
    ledger.rigBlock({ height: 9, difficulty: 1e6, outcome: 'accepted' })
    ledger.rigBlock({ height: 9, difficulty: 1e6, outcome: 'stale' })
    const after = period()
    expect(after).toMatchObject({ total: before.total, losses: before.losses, margin: before.margin })
    expect(after.rigs).toMatchObject({
      hashes: 3e6,
      shares: { accepted: 1, stale: 1, rejected: 0 },
      foundBlocks: { value: 1 },
      income: { value: String(50n * LAX) },
      expectedIncome: { value: String(150n * LAX) },
      luck: { found: 1, mean: 3 },
    })
    ledger.found.moved({ removed: [], added: [{ height: 9, hash: '0xbb', isOurs: false }] })
    expect(period().rigs).toMatchObject({ sideBlocks: { value: 1 }, income: { value: '0' } })
  })
})
