// What is remembered about a served rig: its usual rate, its silence, and how slow it surely is.
import { expect, it } from 'vitest'
import { RigCare } from './rig-care'

const MINUTE = 60_000
const START = 1_700_000_400_000 // a whole point of ten minutes

/** Finds shares of difficulty 1,000 at this pace, one look every 15 s. */
function mine(
  care: RigCare,
  { from, minutes, everyMs }: { from: number; minutes: number; everyMs: number | null },
): void {
  const rate = everyMs === null ? 0 : 1_000_000 / everyMs
  for (let at = from; at < from + minutes * MINUTE; at += 5_000) {
    if (everyMs !== null && at % everyMs === 0) care.share('accepted', { at, difficulty: 1_000, knownMs: at })
    if (at % 15_000 === 0) care.look({ ms: 15_000, at: START + at, rate, difficulty: 1_000 })
  }
}

it('knows the usual rate after half an hour, and what a rig surely doesn’t reach after a quarter of an hour', () => {
  const care = new RigCare()
  mine(care, { from: 0, minutes: 29, everyMs: 10_000 })
  expect(care.view(29 * MINUTE, 29 * MINUTE)).toMatchObject({
    usualHashrate: null,
    dueShares: expect.any(Number),
  })
  mine(care, { from: 29 * MINUTE, minutes: 31, everyMs: 10_000 })
  const { usualHashrate, mostHashrate, minedMs, recent } = care.view(60 * MINUTE - 1, 60 * MINUTE)
  expect(usualHashrate).toBe(100)
  // 90 shares, give or take three times their root.
  expect(mostHashrate).toBeCloseTo(100 * (1 + 3 / Math.sqrt(90)), -1)
  expect(minedMs).toBeGreaterThan(59 * MINUTE)
  expect(recent).toEqual({ accepted: 60, refused: 0, stale: 0 })

  mine(care, { from: 60 * MINUTE, minutes: 15, everyMs: 40_000 })
  const slow = care.view(75 * MINUTE, 75 * MINUTE)
  expect(slow.mostHashrate).toBeLessThan(0.8 * (slow.usualHashrate ?? 0))
})

it('counts the shares that were due since the last one, by what it usually computes', () => {
  const care = new RigCare()
  mine(care, { from: 0, minutes: 60, everyMs: 10_000 })
  mine(care, { from: 60 * MINUTE, minutes: 2, everyMs: null })
  const { silentMs, dueShares } = care.view(62 * MINUTE, 62 * MINUTE)
  expect(silentMs).toBeCloseTo(2 * MINUTE, -4)
  expect(dueShares).toBeCloseTo(12, 0)
  care.share('accepted', { at: 62 * MINUTE, difficulty: 1, knownMs: 62 * MINUTE })
  expect(care.view(62 * MINUTE, 62 * MINUTE)).toMatchObject({ silentMs: 0, dueShares: 0 })
})

it('tells wrong shares from late ones, and blames nobody for shares that we had no time for', () => {
  const care = new RigCare()
  for (const outcome of ['accepted', 'stale', 'failed', 'duplicate', 'unknown', 'busy', 'busy'] as const)
    care.share(outcome, { at: MINUTE, difficulty: 0, knownMs: MINUTE })
  expect(care.view(2 * MINUTE, 2 * MINUTE).recent).toEqual({ accepted: 1, refused: 3, stale: 1 })
  expect(care.view(30 * MINUTE, 30 * MINUTE).recent).toEqual({ accepted: 0, refused: 0, stale: 0 })
})
