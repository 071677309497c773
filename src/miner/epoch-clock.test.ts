import { describe, expect, it } from 'vitest'
import { FakeClock } from '../base/testing/fake-clock'
import { EpochClock } from './epoch-clock'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const AT = Date.UTC(2026, 0, 1)

function setUp() {
  const clock = new FakeClock(AT)
  const epochs = new EpochClock(720, 600, clock)
  /** Each height comes so many minutes after the one before. */
  const come = (from: number, to: number, minutes: number): void => {
    for (let height = from; height <= to; height++) {
      epochs.jobCame({ epoch: Math.floor(height / 720), height })
      if (height < to) clock.advance(minutes * MINUTE_MS)
    }
  }
  return { clock, epochs, come }
}

describe('the next epoch', () => {
  it('begins after the remaining blocks, at the target spacing while nothing was observed', () => {
    const { epochs } = setUp()
    epochs.jobCame({ epoch: 3, height: 4 * 720 - 6 })

    expect(epochs.next()).toEqual({ epoch: 4, blocks: 6, at: AT + 60 * MINUTE_MS })
    expect(epochs.begins(5)).toBe(AT + (6 + 720) * 10 * MINUTE_MS)
  })

  it('comes sooner on a chain observed to be faster, the more the longer it was observed', () => {
    const { clock, epochs, come } = setUp()
    come(0, 144, 5)
    expect(epochs.pace).toBe(450)

    clock.advance(5 * MINUTE_MS)
    come(145, 576, 5)
    expect(epochs.pace).toBe(360)
    expect(epochs.next()?.at).toBe(clock.now() + 144 * 360_000)
  })

  it('is a whole millisecond, whatever the pace', () => {
    const { clock, epochs } = setUp()
    epochs.jobCame({ epoch: 0, height: 1 })
    clock.advance(1_237)
    epochs.jobCame({ epoch: 0, height: 2 })

    expect(epochs.next()?.at).toSatisfy(Number.isSafeInteger)
    expect(epochs.begins(7)).toSatisfy(Number.isSafeInteger)
  })

  it('is never in the past, however long a block takes', () => {
    const { clock, epochs } = setUp()
    epochs.jobCame({ epoch: 0, height: 719 })
    clock.advance(90 * MINUTE_MS)

    expect(epochs.next()?.at).toBe(clock.now())
  })

  it('is unknown without a height, or with one outside the epoch', () => {
    const { epochs } = setUp()
    expect(epochs.next()).toBeNull()
    epochs.jobCame({ epoch: 3, height: null })
    expect(epochs.next()).toBeNull()
    epochs.jobCame({ epoch: 3, height: 17 })
    expect(epochs.next()).toBeNull()
    expect(epochs.begins(3)).toBeNull()
  })

  it.each([
    ['eleven years ahead, as after a dead battery', 4_000 * DAY_MS],
    ['a day ahead', DAY_MS],
    ['an hour back', -60 * MINUTE_MS],
  ])('is still right when the clock is set %s', (_, byMs) => {
    const { clock, epochs, come } = setUp()
    come(1, 10, 10)
    clock.setWallClock(byMs)
    clock.advance(10 * MINUTE_MS)
    come(11, 20, 10)

    expect(epochs.pace).toBe(600)
    expect(epochs.next()?.at).toBe(clock.now() + 700 * 10 * MINUTE_MS)
  })
})

it.each([
  ['backwards', 600],
  ['by more than an epoch', 5_000],
])('learns no pace from heights that jump %s', (_, height) => {
  const { clock, epochs } = setUp()
  epochs.jobCame({ epoch: 1, height: 1_000 })
  clock.advance(MINUTE_MS)
  epochs.jobCame({ epoch: Math.floor(height / 720), height })

  expect(epochs.pace).toBe(600)
})

it('counts epoch changes since startup', () => {
  const { epochs } = setUp()
  for (const height of [0, 1, 720, 721]) epochs.jobCame({ epoch: Math.floor(height / 720), height })
  expect(epochs.changes).toBe(2)
  epochs.restart()
  epochs.jobCame({ epoch: 1, height: 722 })

  expect(epochs.changes).toBe(1)
})
