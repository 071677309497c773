import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { etaSeconds, ImportRate, isFetching, NO_PROGRESS } from './sync-parts'

describe('the rate of a sync', () => {
  it('is unknown until a second has passed and blocks have come', () => {
    const clock = new FakeClock()
    const rate = new ImportRate(clock)
    expect(rate.perSecond()).toBeNull()
    rate.reached(100)
    clock.advance(5_000)
    expect(rate.perSecond()).toBeNull()

    const quick = new ImportRate(clock)
    quick.reached(100)
    clock.advance(500)
    quick.reached(300)
    expect(quick.perSecond()).toBeNull()
    clock.advance(500)
    expect(quick.perSecond()).toBe(200)
  })

  it('falls while nothing comes, and covers the last half minute', () => {
    const clock = new FakeClock()
    const rate = new ImportRate(clock)
    rate.reached(0)
    for (let second = 1; second <= 60; second++) {
      clock.advance(1_000)
      rate.reached(second <= 20 ? second * 100 : 2_000 + (second - 20) * 10)
    }
    expect(rate.perSecond()).toBeCloseTo(10, 0)
    clock.advance(30_000)
    expect(rate.perSecond()).toBeCloseTo(5, 0)
  })

  it('counts many small imports in a moment as one', () => {
    const clock = new FakeClock()
    const rate = new ImportRate(clock)
    rate.reached(0)
    for (let height = 1; height <= 1_000; height++) {
      clock.advance(10)
      rate.reached(height)
    }
    expect(rate.perSecond()).toBeCloseTo(100, 0)
  })
})

describe('the time that is left', () => {
  it('is rounded up, and null if nothing can be said', () => {
    expect(etaSeconds(100, 1_100, 300)).toBe(4)
    expect(etaSeconds(100, 100, 300)).toBe(0)
    expect(etaSeconds(100, 90, 300)).toBe(0)
    expect(etaSeconds(100, 1_100, null)).toBeNull()
    expect(etaSeconds(100, 1_100, 0)).toBeNull()
  })
})

describe('what counts as syncing', () => {
  it('is what fetches blocks', () => {
    const of = (phase: typeof NO_PROGRESS.phase): boolean => isFetching({ ...NO_PROGRESS, phase })
    expect(['idle', 'finding-ancestor', 'headers', 'bodies', 'importing'].map((phase) => of(phase as 'idle'))).toEqual([
      ...[false, false, true, true, true],
    ])
  })
})
