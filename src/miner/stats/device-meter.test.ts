import { describe, expect, it } from 'vitest'
import { DeviceMeter } from './device-meter'

/** A device that finishes 100 hashes in each second that it mines; `feed` takes one reading per second. */
function aMeter() {
  const meter = new DeviceMeter()
  const state = { second: 0, count: 0n }
  const feed = (watts: readonly (number | null)[], mines = true): void => {
    for (const reading of watts) {
      state.second += 1
      if (mines) state.count += 100n
      meter.sample(state.second * 1_000, { count: state.count, watts: reading })
    }
  }
  return { meter, feed }
}

const fill = (seconds: number, watts: number) => Array<number>(seconds).fill(watts)

describe('the mean power', () => {
  it('is that of the readings so far until a minute is full, then of the last 60', () => {
    const { meter, feed } = aMeter()
    meter.begin(0)

    feed([100, 200])
    expect(meter.meanWatts).toBe(150)
    feed([...fill(58, 150), ...fill(30, 210)])

    expect(meter.meanWatts).toBe(180)
  })

  it("doesn't count missing readings, and is null without any", () => {
    const { meter, feed } = aMeter()
    meter.begin(0)

    feed([null, null])
    expect(meter.meanWatts).toBeNull()
    feed([100, null, 200])
    expect(meter.meanWatts).toBe(150)
    feed(Array<null>(60).fill(null))

    expect(meter.meanWatts).toBeNull()
  })

  it('leaves out what was drawn before the first work came', () => {
    const { meter, feed } = aMeter()
    feed(fill(30, 20), false)
    expect(meter.meanWatts).toBe(20)

    meter.begin(30_500)
    expect(meter.meanWatts).toBeNull()
    feed(fill(5, 120))

    expect(meter.meanWatts).toBe(120)
  })

  it('covers the same seconds as the hashrate, a pause included', () => {
    const { meter, feed } = aMeter()
    meter.begin(0)
    feed(fill(60, 200))
    feed(fill(30, 20), false)
    expect([meter.rate.s60, meter.meanWatts]).toEqual([50, 110])

    feed(fill(15, 200))
    expect([meter.rate.s60, meter.meanWatts]).toEqual([50, 110])
    feed(fill(45, 200))

    expect([meter.rate.s60, meter.meanWatts]).toEqual([100, 200])
  })
})
