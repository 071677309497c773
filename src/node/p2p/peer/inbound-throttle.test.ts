import { expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { InboundThrottle } from './peer-server'

it('admits one attempt per owner in half a minute; all addresses of a /64 are one owner', () => {
  const clock = new FakeClock()
  const throttle = new InboundThrottle(clock)
  const knocks = (): boolean[] =>
    ['8.8.8.8', '8.8.8.9', '2600::1', '2600::2', '2600:0:0:1::1'].map((h) => throttle.admits(h))

  expect(knocks()).toEqual([true, true, true, false, true])
  clock.advance(29_999)
  expect(knocks()).toEqual([false, false, false, false, false])
  clock.advance(1)
  expect(knocks()).toEqual([true, true, true, false, true])
})

it('keeps the latest if there are too many', () => {
  const throttle = new InboundThrottle(new FakeClock())
  for (let i = 0; i < 5_000; i++) throttle.admits(`9.${i >> 16}.${(i >> 8) & 0xff}.${i & 0xff}`)

  expect(throttle.admits('9.0.19.135')).toBe(false) // the 5000th
  expect(throttle.admits('9.0.0.0')).toBe(true)
})
