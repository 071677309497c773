// One timer for everything that shows an age or a countdown; stopped while the page is hidden.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import { type Freeze, isInSight, onSightChange } from './in-sight'

const PERIOD_MS = 1000

export interface Ticker {
  /** UTC ms of the last tick; advances only while there are subscribers and the page is visible. */
  readonly now: () => number
  readonly subscribe: (listener: () => void) => () => void
}

/** Ticks while it has listeners and the page is visible, at once when it becomes visible. @param freeze stops it */
export function createTicker(clock: Clock, freeze: Freeze | null = null): Ticker {
  const listeners = new Set<() => void>()
  const state: { now: number; timer: Disposable | null; forget: () => void } = {
    now: clock.now(),
    timer: null,
    forget: () => undefined,
  }
  const isFrozen = (): boolean => freeze?.isOn() ?? false
  const tick = (): void => {
    if (isFrozen()) return
    state.now = clock.now()
    for (const listener of [...listeners]) listener()
  }
  const stop = (): void => {
    state.timer?.dispose()
    state.timer = null
  }
  const look = (): void => {
    stop()
    if (!isInSight()) return
    tick()
    state.timer = clock.setInterval(tick, PERIOD_MS)
  }
  return {
    now: () => state.now,
    subscribe: (listener) => {
      if (listeners.size === 0) {
        if (!isFrozen()) state.now = clock.now()
        const forgets = [onSightChange(look), freeze?.onThaw(tick)]
        state.forget = () => {
          for (const forget of forgets) forget?.()
        }
        if (isInSight()) state.timer = clock.setInterval(tick, PERIOD_MS)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop()
        state.forget()
      }
    },
  }
}

// The program's time on a page whose own clock may be wrong: ages and countdowns compare times of the program.

/** A smaller difference is the way of the answer, not a wrong clock. */
const EXACT_MS = 2_000

export interface ProgramClock extends Clock {
  /** Takes the program's time, UTC ms, which was asked for at `askedAt` of the page's own clock. */
  readonly observe: (now: number, askedAt: number) => void
  readonly pageNow: () => number
  /** A time of the page's own clock, as the program's would have told it. */
  readonly ofPage: (time: number) => number
}

export function createProgramClock(page: Clock): ProgramClock {
  const state = { aheadMs: 0 }
  return {
    now: () => page.now() + state.aheadMs,
    monotonic: () => page.monotonic(),
    setTimeout: (callback, delayMs) => page.setTimeout(callback, delayMs),
    setInterval: (callback, periodMs) => page.setInterval(callback, periodMs),
    observe: (now, askedAt) => {
      const aheadMs = now - (askedAt + page.now()) / 2
      state.aheadMs = Math.abs(aheadMs) < EXACT_MS ? 0 : aheadMs
    },
    pageNow: () => page.now(),
    ofPage: (time) => time + state.aheadMs,
  }
}
