// Time as a dependency: the only place that reads the real clock, so that tests can supply their own.
import type { Disposable } from './disposable'
import { onAbort } from './on-abort'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

const UNITS = [
  ['y', 365 * DAY_MS],
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
] as const

/** A duration in English, in its two largest units: `1.4 s`, `17 s`, `3 min 20 s`, `2 h`, `5 d 3 h`. @param ms below 0 counts as 0 */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms) / SECOND_MS
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`
  let left = Math.round(seconds) * SECOND_MS
  const first = UNITS.findIndex(([, size]) => left >= size)
  const parts = UNITS.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count} ${unit}`
  })
  return parts.join(' ').trimEnd()
}

/** Wall clock, monotonic clock and timers. */
export interface Clock {
  /** UTC milliseconds since 1970. May jump; use it for timestamps only. */
  now(): number
  /** Milliseconds that never go backwards; use it for durations. */
  monotonic(): number
  /** @param delayMs waits at most 24 days, see `LONGEST_DELAY_MS` */
  setTimeout(callback: () => void, delayMs: number): Disposable
  setInterval(callback: () => void, periodMs: number): Disposable
}

/** Longer delays, infinite ones too, would end at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/** CPU time used by the calling thread, ms; null when the system doesn't report it. */
export type ThreadTime = () => number | null

/** The machine's clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout(callback, delayMs) {
      const timer = setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS))
      return { dispose: () => clearTimeout(timer) }
    },
    setInterval(callback, periodMs) {
      const timer = setInterval(callback, Math.min(periodMs, LONGEST_DELAY_MS))
      return { dispose: () => clearInterval(timer) }
    },
  }
}

/** Resolves after `delayMs`; rejects with the signal's reason when aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = clock.setTimeout(() => {
      waiting?.dispose()
      resolve()
    }, delayMs)
    const waiting =
      signal &&
      onAbort(signal, () => {
        timer.dispose()
        reject(signal.reason)
      })
  })
}

/** False after `limitMs`: `work` continues, its outcome ignored. @throws what it rejects with in time */
export async function within(work: Promise<unknown>, limitMs: number, clock: Clock): Promise<boolean> {
  let timer: Disposable | undefined
  const late = new Promise<false>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), limitMs)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    timer?.dispose()
  }
}
