// What is remembered about a served rig: its usual rate, its silence, and how slow it surely is.
import { expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { RigCare } from './rig-care'
import { RigWorkers, rigRatesSchema } from './workers'

const MINUTE = 60_000
const START = 1_700_000_100_000 // a whole point of a quarter of an hour

/** Finds shares of difficulty 1,000 at this pace, one look every 15 s. */
function mine(
  care: RigCare,
  { from, minutes, everyMs }: { from: number; minutes: number; everyMs: number | null },
): void {
  for (let at = from; at < from + minutes * MINUTE; at += 5_000) {
    if (everyMs !== null && at % everyMs === 0) care.share('accepted', { at, difficulty: 1_000, knownMs: at })
    const worth = everyMs === null ? 45_000 : (Math.min(at, 15 * MINUTE) / everyMs) * 1_000
    if (at % 15_000 === 0) care.look({ ms: 15_000, at, now: START + at, worth, knownMs: at, difficulty: 1_000 })
  }
}

it('knows the usual rate after half an hour, and what a rig surely doesn’t reach after a quarter of an hour', () => {
  const care = new RigCare()
  mine(care, { from: 0, minutes: 29, everyMs: 10_000 })
  expect(care.view.usualHashrate).toBeNull()
  mine(care, { from: 29 * MINUTE, minutes: 31, everyMs: 10_000 })
  const { usualHashrate, mostHashrate, minedMs, recent } = care.view
  expect(usualHashrate).toBe(100)
  // 90 shares, give or take three times their root.
  expect(mostHashrate).toBeCloseTo(100 * (1 + 3 / Math.sqrt(90)), -1)
  expect(minedMs).toBeGreaterThan(59 * MINUTE)
  expect(recent.accepted).toBeGreaterThan(56)
  expect(recent).toMatchObject({ refused: 0, stale: 0 })

  mine(care, { from: 60 * MINUTE, minutes: 16, everyMs: 40_000 })
  expect(care.view.mostHashrate).toBeLessThan(0.8 * (care.view.usualHashrate ?? 0))
})

it('counts the shares that were due since the last one, by what it usually computes', () => {
  const care = new RigCare()
  mine(care, { from: 0, minutes: 60, everyMs: 10_000 })
  mine(care, { from: 60 * MINUTE, minutes: 2, everyMs: null })
  const { silentMs, dueShares } = care.view
  expect(silentMs).toBeCloseTo(2 * MINUTE, -5)
  expect(dueShares).toBeCloseTo(12, -1)
  care.share('accepted', { at: 62 * MINUTE, difficulty: 1, knownMs: 62 * MINUTE })
  expect(care.view).toMatchObject({ silentMs: 0, dueShares: 0, minedMs: 62 * MINUTE })
})

it('tells wrong shares from late ones, and blames nobody for shares that we had no time for', () => {
  const care = new RigCare()
  const look = (at: number): void => care.look({ ms: 0, at, now: START + at, worth: 0, knownMs: at, difficulty: 1 })
  for (const outcome of ['accepted', 'stale', 'failed', 'duplicate', 'unknown', 'busy', 'busy'] as const)
    care.share(outcome, { at: MINUTE, difficulty: 0, knownMs: MINUTE })
  look(2 * MINUTE)
  expect(care.view.recent).toEqual({ accepted: 1, refused: 3, stale: 1 })
  look(30 * MINUTE)
  expect(care.view.recent).toEqual({ accepted: 0, refused: 0, stale: 0 })
})

it('has the usual rate of an earlier run until it knows its own', () => {
  const care = new RigCare(500)
  expect(care.view.usualHashrate).toBe(500)
  mine(care, { from: 0, minutes: 29, everyMs: 10_000 })
  expect(care.view.usualHashrate).toBe(500)
  mine(care, { from: 29 * MINUTE, minutes: 31, everyMs: 10_000 })
  expect(care.view.usualHashrate).toBe(100)
})

it('goes over restarts by name for a week, also if the rig comes back only in the second run after', () => {
  const clock = new FakeClock(START)
  const login = (name: string) => ({ name, address: '192.0.2.1', software: '', dialect: 'stratum' })
  const next = (rates: unknown): RigWorkers => {
    const workers = new RigWorkers(clock)
    workers.remember(rigRatesSchema.parse(rates))
    return workers
  }
  const first = next([
    { name: 'attic', rate: 700, at: START },
    { name: '__proto__', rate: 900, at: START },
    { name: 'old', rate: 1, at: START - 8 * 86_400_000 },
  ])
  const second = next(JSON.parse(JSON.stringify(first.rates())))
  const usual = (workers: RigWorkers, name: string) => workers.enter(login(name), 1_000).watched.care.usualHashrate
  expect(['attic', '__proto__', 'old', 'constructor'].map((name) => usual(second, name))).toEqual([
    700,
    900,
    null,
    null,
  ])
  clock.advance(8 * 86_400_000)
  expect(usual(next(first.rates()), 'attic')).toBeNull()
})
