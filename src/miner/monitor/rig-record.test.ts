import { expect, it } from 'vitest'
import { rigFigures } from './rig-figures'
import { RigRecord } from './rig-record'

const NOW = 1_700_000_100_000 // a whole slot of a quarter minute and of three minutes
const figures = (hashrate: number, change: object = {}) =>
  rigFigures({
    miner: {},
    pool: {},
    hashrate: { now: hashrate, '60s': 1, '15m': 1, effective: 0 },
    shares: {},
    gpus: [{ hashrate: { now: hashrate, '60s': 1, '15m': 1 }, temperature: { core: 60, hotspot: 75, memory: 0 } }],
    ...change,
  })
const seen = (values: readonly (number | null)[]) => values.filter((value) => value !== null)

it("records what a rig did and its GPUs' sensors, and nothing unreported", () => {
  const record = new RigRecord(5_000)
  record.add(NOW, figures(10))
  record.add(NOW + 5_000, figures(20))

  const { stepMs, values, min, max } = record.rig(NOW + 5_000, 'hashrate', '1h')

  expect([stepMs, values.length, values.at(-1), min.at(-1), max.at(-1)]).toEqual([15_000, 240, 15, 10, 20])
  expect(record.rig(NOW, 'hashrate', '24h')).toMatchObject({ stepMs: 180_000 })
  expect(seen(record.rig(NOW, 'hottest', '1h').values)).toEqual([75])
  expect(seen(record.rig(NOW, 'power', '1h').values)).toEqual([])
  expect(seen(record.gpu(NOW, 0, 'core').values)).toEqual([60])
  expect(seen(record.gpu(NOW, 0, 'memory').values)).toEqual([])
  expect(seen(record.gpu(NOW, 1, 'core').values)).toEqual([])
})

it('counts a reading until the next one, and leaves a gap where polls failed', () => {
  const record = new RigRecord(60_000)
  record.add(NOW, figures(10))
  record.add(NOW + 60_000, figures(30))
  record.add(NOW + 360_000, figures(50))

  const { values } = record.rig(NOW + 360_000, 'hashrate', '1h')

  expect(values.slice(-25, -19)).toEqual([10, 10, 10, 10, 30, null])
  expect(values.slice(-2)).toEqual([null, 50])
})

it('survives a clock that goes back, and a rig that claims thousands of GPUs', () => {
  const record = new RigRecord(5_000)
  record.add(NOW, figures(10))
  record.add(NOW - 30_000, figures(20, { gpus: Array.from({ length: 5_000 }, () => ({})) }))

  expect(seen(record.rig(NOW, 'hashrate', '1h').values)).toEqual([20, 10])
  expect(seen(record.gpu(NOW, 31, 'hashrate').values)).toEqual([0])
  expect(seen(record.gpu(NOW, 32, 'hashrate').values)).toEqual([])
})

it('counts the shares of the last ten minutes, and from zero after a restart of the rig', () => {
  const record = new RigRecord(5_000)
  const shares = (accepted: number, rejected: number) => figures(10, { shares: { accepted, rejected, failed: 0 } })
  const recent = (minute: number, accepted: number, rejected: number) => {
    record.add(NOW + minute * 60_000, shares(accepted, rejected))
    return record.recentShares()
  }

  expect(recent(0, 5_000, 9)).toEqual({ accepted: 0, rejected: 0 })
  expect(recent(5, 5_003, 10)).toEqual({ accepted: 3, rejected: 1 })
  expect(recent(10, 5_003, 40)).toEqual({ accepted: 3, rejected: 31 })
  expect(recent(16, 5_003, 60)).toEqual({ accepted: 0, rejected: 20 })
  expect(recent(17, 1, 0)).toEqual({ accepted: 0, rejected: 0 })
  expect(recent(18, 1, 1)).toEqual({ accepted: 0, rejected: 1 })
  // The clock was set back, and after a long gap nobody knows when they were counted.
  expect(recent(2, 1, 3)).toEqual({ accepted: 0, rejected: 0 })
  expect(recent(90, 1, 9)).toEqual({ accepted: 0, rejected: 0 })
})

it('knows the usual hashrate after half an hour, whatever the rig does now', () => {
  const record = new RigRecord(60_000)
  const rates = [100, 90, 110, 0, 100]
  for (let minute = 0; minute < 27; minute++) record.add(NOW + minute * 60_000, figures(rates[minute % 5] ?? 0))
  expect(record.usual()).toBeNull()

  for (let minute = 27; minute < 40; minute++) record.add(NOW + minute * 60_000, figures(1))

  expect(record.usual()).toBeGreaterThan(60)
  expect(record.usual()).toBeLessThan(110)
})

it('keeps only the sums of a coarse record, and knows the usual rate after an hour', () => {
  const record = new RigRecord(25_000, 'coarse')
  const halfHour = 1_800_000
  for (let at = 0; at <= 4 * halfHour; at += 25_000) record.add(NOW + at, figures(10))

  const { stepMs, values } = record.rig(NOW + 4 * halfHour, 'hashrate', '24h')
  expect([stepMs, values.slice(-4).every((value) => value !== null)]).toEqual([halfHour, true])
  expect(record.gpu(NOW + 4 * halfHour, 0, 'core').values.every((value) => value === null)).toBe(true)
  expect(record.usual()).toBeGreaterThan(0)
})

it('has no usual rate from points that hold seconds', () => {
  const record = new RigRecord(5_000, 'coarse')
  const halfHour = 1_800_000
  const boundary = Math.ceil(NOW / halfHour) * halfHour
  record.add(boundary - 5_000, figures(900))
  record.add(boundary, figures(10))
  record.add(boundary + 5_000, figures(10))
  expect(record.usual()).toBeNull()
})
