import { expect, it, vi } from 'vitest'
import { FakeClock } from './testing/fake-clock'
import { DAY_MS, durationText, sleep, systemClock } from './time'

it('wakes when the time has passed', async () => {
  const clock = new FakeClock()
  const awake = sleep(clock, 100)

  clock.advance(100)

  await expect(awake).resolves.toBeUndefined()
  expect(clock.pending).toBe(0)
})

it('rejects with the abort reason and leaves no timer', async () => {
  const clock = new FakeClock()
  const abort = new AbortController()
  const asleep = sleep(clock, 100, abort.signal)

  abort.abort(new Error('enough'))

  await expect(asleep).rejects.toThrow('enough')
  expect(clock.pending).toBe(0)
})

it('rejects at once when already aborted', async () => {
  await expect(sleep(new FakeClock(), 100, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})

it('fires an interval repeatedly, in time order', () => {
  const clock = new FakeClock(0)
  const fired: string[] = []
  const interval = clock.setInterval(() => void fired.push(`i${clock.monotonic()}`), 10)
  clock.setTimeout(() => void fired.push(`t${clock.monotonic()}`), 15)

  clock.advance(30)
  interval.dispose()
  clock.advance(30)

  expect(fired).toEqual(['i10', 't15', 'i20', 'i30'])
  expect(clock.now()).toBe(60)
})

it('reads a monotonic clock that does not run backwards', () => {
  const clock = systemClock()
  const first = clock.monotonic()

  expect(clock.monotonic()).toBeGreaterThanOrEqual(first)
})

it('waits long instead of not at all where a delay is longer than a timer of the system', () => {
  vi.useFakeTimers()
  try {
    const fired: string[] = []
    const clock = systemClock()
    const timers = [3.6e9, Number.POSITIVE_INFINITY].flatMap((delay) => [
      clock.setTimeout(() => void fired.push(`timeout ${delay}`), delay),
      clock.setInterval(() => void fired.push(`interval ${delay}`), delay),
    ])
    vi.advanceTimersByTime(1_000_000)
    expect(fired).toEqual([])
    for (const timer of timers) timer.dispose()
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  [-5, '0 s'],
  [1_440, '1.4 s'],
  [3_000, '3 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [DAY_MS + 59_000, '1 d'],
  [800 * DAY_MS, '2 y 70 d'],
])('says a duration of %d ms in its two largest units: %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
