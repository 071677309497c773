// Time as a dependency: the only place that reads the real clock, so that tests can supply their own.
import type { Disposable } from './disposable'
import { onAbort } from './on-abort'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

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

/** Options of the real clock. */
interface SystemClockOptions {
  /** Whether timers let the process exit (Node's `unref`). Default true. */
  readonly unref?: boolean
}

/** The machine's clock. */
export function systemClock(options: SystemClockOptions = {}): Clock {
  const unref = options.unref ?? false
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout(callback, delayMs) {
      const timer = setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS))
      if (unref) detach(timer)
      return { dispose: () => clearTimeout(timer) }
    },
    setInterval(callback, periodMs) {
      const timer = setInterval(callback, Math.min(periodMs, LONGEST_DELAY_MS))
      if (unref) detach(timer)
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

/**
 * Waits for `work`, but at most `limitMs`. Late work continues; its outcome is ignored.
 * @returns false on timeout
 * @throws what `work` rejects with in time
 */
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

function detach(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
