// One timer for everything that shows an age or a countdown, still while nobody looks.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import { isInSight, onSight } from './in-sight'

const PERIOD_MS = 1000

export interface Ticker {
  /** UTC ms of the last tick; moves only while someone subscribes and the page is in sight. */
  readonly now: () => number
  readonly subscribe: (listener: () => void) => () => void
}

/** Ticks once a second while it has listeners and the page is in sight, and at once when it comes into sight. */
export function createTicker(clock: Clock): Ticker {
  const listeners = new Set<() => void>()
  const state: { now: number; timer: Disposable | null; forget: () => void } = {
    now: clock.now(),
    timer: null,
    forget: () => undefined,
  }
  const tick = (): void => {
    if (!isInSight()) return
    state.now = clock.now()
    for (const listener of [...listeners]) listener()
  }
  return {
    now: () => state.now,
    subscribe: (listener) => {
      listeners.add(listener)
      if (state.timer === null) {
        state.now = clock.now()
        state.timer = clock.setInterval(tick, PERIOD_MS)
        state.forget = onSight(tick)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        state.timer?.dispose()
        state.timer = null
        state.forget()
      }
    },
  }
}
