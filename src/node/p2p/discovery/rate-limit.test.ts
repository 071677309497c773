import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { RateLimit } from './discv4'

const OPTIONS = { perSecond: 10, burst: 20, maxAddresses: 100, totalPerSecond: 50 }
const takes = (limit: RateLimit, address: string, times: number): number =>
  Array.from({ length: times }, () => limit.take(address)).filter(Boolean).length

describe('the rate limit', () => {
  it('lets a burst through, then a fixed rate', () => {
    const clock = new FakeClock()
    const limit = new RateLimit(OPTIONS, clock)

    expect(takes(limit, 'a', 30)).toBe(20)
    clock.advance(500)
    expect(takes(limit, 'a', 30)).toBe(5)
    expect(takes(limit, 'b', 30)).toBe(20)
  })

  it('limits all addresses together, and the memory for them', () => {
    const clock = new FakeClock()
    const limit = new RateLimit(OPTIONS, clock)
    const passed = Array.from({ length: 1_000 }, (_, i) => limit.take(`host ${i}`)).filter(Boolean).length

    expect(passed).toBe(87)
    expect(limit.addresses).toBe(100)
    clock.advance(1_000)
    expect(limit.takeShared()).toBe(true)
  })

  it('reserves capacity for solicited answers when strangers use up theirs', () => {
    const limit = new RateLimit(OPTIONS, new FakeClock())
    for (let i = 0; i < 1_000; i++) limit.take(`host ${i}`)
    const awaited = Array.from({ length: 100 }, () => limit.takeShared()).filter(Boolean).length

    expect(awaited).toBeGreaterThan(10)
    expect(awaited).toBeLessThan(20)
  })
})
