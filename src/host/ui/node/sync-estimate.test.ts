// Rates and remaining time of a sync, computed from the work done.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { SyncEstimate } from './network-handlers'

const HIGHEST = 100_000

interface Run {
  readonly clock: FakeClock
  readonly estimate: SyncEstimate
}

function aRun(): Run {
  const clock = new FakeClock()
  return { clock, estimate: new SyncEstimate(clock) }
}

/** Works for `seconds` at `rate` blocks per second, starting at `from`. Returns the height. */
function work({ clock, estimate }: Run, from: number, rate: number, seconds: number): number {
  let height = from
  for (let second = 0; second < seconds; second++) {
    estimate.reached(height, HIGHEST)
    clock.advance(1_000)
    height += rate
    estimate.worked(rate * 1_000)
  }
  estimate.reached(height, HIGHEST)
  return height
}

describe('a sync estimate', () => {
  it('says nothing at first, then the rates, then the time', () => {
    const run = aRun()
    const { estimate } = run
    expect(estimate.view()).toEqual({ blocksPerSecond: null, gasPerSecond: null, remaining: null })

    const height = work(run, 0, 100, 30)
    expect(estimate.view()).toEqual({ blocksPerSecond: 100, gasPerSecond: 100_000, remaining: null })

    const later = work(run, height, 100, 60)
    const { remaining } = estimate.view()
    const expected = (HIGHEST - later) / 100
    expect(remaining?.least).toBeCloseTo(expected, 0)
    expect(remaining?.most).toBeCloseTo(expected, 0)
  })

  it('names no time while estimates a minute apart disagree, and a range if they differ a little', () => {
    const run = aRun()
    const { estimate } = run
    const height = work(run, 0, 20, 120)
    const faster = work(run, height, 200, 60)
    expect(estimate.view().blocksPerSecond).toBe(200)
    expect(estimate.view().remaining).toBeNull()

    work(run, faster, 100, 150)
    const { remaining } = estimate.view()
    expect(remaining).not.toBeNull()
    expect(remaining?.most).toBeGreaterThan(remaining?.least ?? Number.POSITIVE_INFINITY)
  })

  it('forgets the measurements of an earlier run', () => {
    const run = aRun()
    const { estimate } = run
    work(run, 5_000, 100, 120)

    estimate.reached(10, HIGHEST)
    expect(estimate.view().remaining).toBeNull()
    estimate.forget()

    expect(estimate.view()).toEqual({ blocksPerSecond: null, gasPerSecond: null, remaining: null })
  })
})
