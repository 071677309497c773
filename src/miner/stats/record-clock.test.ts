import { expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { RecordClock } from './record-clock'

const [HOUR, DAY, YEAR] = [3_600_000, 86_400_000, 365 * 86_400_000]
const KEPT = 31 * DAY
const NOW = 1_700_000_000_000

const aClock = (lastRun: number | null, boot = 0) => {
  const clock = new FakeClock(NOW + boot)
  return { clock, time: new RecordClock(clock, lastRun === null ? null : NOW + lastRun, KEPT) }
}

it('follows a clock that agrees with the last run, through sleep and small steps', () => {
  const { clock, time } = aClock(-HOUR)

  expect([time.read(), time.mayDrop]).toEqual([{ now: NOW, shift: 0 }, true])
  clock.setWallClock(3 * DAY)
  expect([time.read(), time.mayDrop]).toEqual([{ now: NOW + 3 * DAY, shift: 0 }, false])
  clock.setWallClock(-60_000)
  expect(time.read()).toEqual({ now: NOW + 3 * DAY - 60_000, shift: 0 })
  clock.advance(DAY)
  expect(time.mayDrop).toBe(true)
})

it.each([2 * YEAR, -10 * YEAR, -5 * HOUR])(
  "doesn't believe a leap by %i ms while the last run says otherwise",
  (leap) => {
    const { clock, time } = aClock(-HOUR)
    clock.setWallClock(leap)
    clock.advance(10_000)

    expect(time.read()).toEqual({ now: NOW + 10_000, shift: 0 })
    clock.setWallClock(-leap)
    expect(time.read()).toEqual({ now: NOW + 10_000, shift: 0 })
    expect(time.mayDrop).toBe(true)
  },
)

it.each([-11 * YEAR, 2 * YEAR, -5 * HOUR])('dates again what a clock that booted %i ms off dated', (boot) => {
  const { clock, time } = aClock(-HOUR, boot)
  expect([time.read().now, time.mayDrop]).toEqual([NOW + boot, false])
  clock.advance(30_000)
  clock.setWallClock(-boot)

  expect(time.read()).toEqual({ now: NOW + 30_000, shift: -boot })
  expect(time.mayDrop).toBe(false)
  clock.advance(DAY)
  expect(time.mayDrop).toBe(true)
})

it('believes the computer where there is no earlier run, and a difference that lasts for a day', () => {
  const fresh = aClock(null)
  fresh.clock.setWallClock(2 * YEAR)
  expect(fresh.time.read()).toEqual({ now: NOW + 2 * YEAR, shift: 2 * YEAR })

  const { clock, time } = aClock(-HOUR)
  clock.setWallClock(40 * DAY)
  expect(time.read().now).toBe(NOW)
  clock.advance(DAY)
  expect(time.read()).toEqual({ now: NOW + 41 * DAY, shift: 40 * DAY })
})
