import { describe, expect, it } from 'vitest'
import { EpochClock } from './epoch-clock'

const MINUTE_MS = 60_000
const AT = Date.UTC(2026, 0, 1)

describe('the next epoch', () => {
  it('begins after the remaining blocks, at the target spacing while nothing was observed', () => {
    const clock = new EpochClock(720, 600)
    clock.jobCame({ epoch: 3, height: 4 * 720 - 6 }, AT)

    expect(clock.next(AT)).toEqual({ epoch: 4, blocks: 6, at: AT + 60 * MINUTE_MS })
    expect(clock.begins(5, AT)).toBe(AT + (6 + 720) * 10 * MINUTE_MS)
  })

  it('comes sooner on a chain observed to be faster, the more the longer it was observed', () => {
    const clock = new EpochClock(720, 600)
    for (let i = 0; i <= 144; i++) clock.jobCame({ epoch: 0, height: i }, AT + i * 5 * MINUTE_MS)
    expect(clock.pace).toBe(450)

    for (let i = 145; i <= 576; i++) clock.jobCame({ epoch: 0, height: i }, AT + i * 5 * MINUTE_MS)
    expect(clock.pace).toBe(360)
    const last = AT + 576 * 5 * MINUTE_MS
    expect(clock.next(last)?.at).toBe(last + 144 * 360_000)
  })

  it('is never in the past, however long a block takes', () => {
    const clock = new EpochClock(720, 600)
    clock.jobCame({ epoch: 0, height: 719 }, AT)

    expect(clock.next(AT + 90 * MINUTE_MS)?.at).toBe(AT + 90 * MINUTE_MS)
  })

  it('is unknown without a height, or with one outside the epoch', () => {
    const clock = new EpochClock(720, 600)
    expect(clock.next(AT)).toBeNull()
    clock.jobCame({ epoch: 3, height: null }, AT)
    expect(clock.next(AT)).toBeNull()
    clock.jobCame({ epoch: 3, height: 17 }, AT)
    expect(clock.next(AT)).toBeNull()
    expect(clock.begins(3, AT)).toBeNull()
  })
})

it.each([
  ['backwards', 600],
  ['by more than an epoch', 5_000],
])('learns no pace from heights that jump %s', (_, height) => {
  const clock = new EpochClock(720, 600)
  clock.jobCame({ epoch: 1, height: 1_000 }, AT)
  clock.jobCame({ epoch: Math.floor(height / 720), height }, AT + MINUTE_MS)

  expect(clock.pace).toBe(600)
})

it('counts epoch changes since startup', () => {
  const clock = new EpochClock(720, 600)
  for (const height of [0, 1, 720, 721]) clock.jobCame({ epoch: Math.floor(height / 720), height }, AT)
  expect(clock.changes).toBe(2)
  clock.restart()
  clock.jobCame({ epoch: 1, height: 722 }, AT)

  expect(clock.changes).toBe(1)
})
