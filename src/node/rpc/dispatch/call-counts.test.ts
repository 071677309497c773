import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { CallCounts } from './dispatch'

describe('counts of calls', () => {
  it('list the most frequent methods first, with their failures', () => {
    const counts = new CallCounts(new FakeClock())
    counts.add('a', false)
    counts.add('b', true, 250)
    counts.add('b', false, 500)

    expect(counts.list()).toEqual([
      { method: 'b', total: 2, failed: 1, lastMinute: 2, seconds: 0.75 },
      { method: 'a', total: 1, failed: 0, lastMinute: 1, seconds: 0 },
    ])
  })

  it('keep the last minute apart', () => {
    const clock = new FakeClock()
    const counts = new CallCounts(clock)
    for (let second = 0; second < 120; second++) {
      counts.add('a', false)
      clock.advance(1_000)
    }
    expect(counts.list()).toEqual([{ method: 'a', total: 120, failed: 0, lastMinute: 55, seconds: 0 }])

    clock.advance(300_000)
    expect(counts.list()).toEqual([{ method: 'a', total: 120, failed: 0, lastMinute: 0, seconds: 0 }])
  })
})
