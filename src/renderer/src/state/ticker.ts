// One timer for everything that shows an age or a countdown, stopped while nobody looks.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

const PERIOD_MS = 1000

export interface Ticker {
  /** UTC ms of the last tick; moves only while someone subscribes. */
  readonly now: () => number
  readonly subscribe: (listener: () => void) => () => void
}

/** Ticks once a second while it has listeners. */
export function createTicker(clock: Clock): Ticker {
  const listeners = new Set<() => void>()
  const state: { now: number; timer: Disposable | null } = { now: clock.now(), timer: null }
  const tick = (): void => {
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
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        state.timer?.dispose()
        state.timer = null
      }
    },
  }
}
