import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock'
import { TokenBucket } from './token-bucket'

it('lets the burst through at once, and then as much as the rate allows', () => {
  const clock = new FakeClock()
  const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock)

  const atOnce = Array.from({ length: 7 }, () => bucket.take(1))
  clock.advance(200)
  const later = Array.from({ length: 3 }, () => bucket.take(1))

  expect(atOnce).toEqual([true, true, true, true, true, false, false])
  expect(later).toEqual([true, true, false])
})

it('never saves more than the burst', () => {
  const clock = new FakeClock()
  const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock)

  clock.advance(3_600_000)

  expect([bucket.take(6), bucket.take(5), bucket.take(1)]).toEqual([false, true, false])
})

it('says how long a debt takes to pay off', () => {
  const clock = new FakeClock()
  const bucket = new TokenBucket({ perSecond: 10, burst: 2 }, clock)

  const waits = [bucket.charge(1), bucket.charge(1), bucket.charge(1), bucket.charge(1)]
  clock.advance(200)

  expect(waits).toEqual([0, 0, 100, 200])
  expect(bucket.charge(1)).toBe(100)
})

it('is empty once the burst is charged, until some of it is refilled', () => {
  const clock = new FakeClock()
  const bucket = new TokenBucket({ perSecond: 500, burst: 3 }, clock)
  bucket.charge(2)
  expect(bucket.isEmpty).toBe(false)

  bucket.charge(1)

  expect(bucket.isEmpty).toBe(true)
  clock.advance(1)
  expect(bucket.isEmpty).toBe(false)
})

it('takes a whole burst again once it was refilled, but no more than that', () => {
  const clock = new FakeClock()
  const bucket = new TokenBucket({ perSecond: 1_000, burst: 2 }, clock)
  bucket.charge(2)
  clock.advance(1_000)
  bucket.charge(1)
  expect(bucket.isEmpty).toBe(false)

  bucket.charge(1)

  expect(bucket.isEmpty).toBe(true)
})
