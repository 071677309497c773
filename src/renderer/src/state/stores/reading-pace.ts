// Which readings are shown: every second one, and at once the one in which something happened. Changing figures is most
// of what a window with many devices costs, and nobody reads sixteen rows within a second.
import type { StoreApi } from 'zustand/vanilla'
import type { Disposable } from '../../../../base/disposable'
import type { Clock } from '../../../../base/time'
import { EARLY_MS, READING_MS } from '../../components/charts/chart-pace'

const SHOWN_READINGS = 2
/** What arrives with a reading is shown with it, also where drawing the charts before it takes long. */
const TOGETHER_MS = 700
/** A reading that would be shown with a later one is shown alone if that one is this late. */
export const LATE_MS = 700
/** A figure that changes by more than this part, and by more than one, is an event. */
const LEAP = 0.05

/** One beat for all figures and charts of a page, so that they share frames. */
export interface ReadingPace {
  /** Whether what arrives now is shown now; the next beat begins when somebody asks after it is due. */
  readonly isBeat: () => boolean
  /** Until the next beat is due, ms. */
  readonly dueMs: () => number
}

export function createReadingPace(clock: Pick<Clock, 'monotonic'>): ReadingPace {
  const state = { beganAt: Number.NEGATIVE_INFINITY }
  const dueMs = (): number => Math.max(0, state.beganAt + SHOWN_READINGS * READING_MS - EARLY_MS - clock.monotonic())
  return {
    isBeat() {
      if (dueMs() === 0) state.beganAt = clock.monotonic()
      return clock.monotonic() - state.beganAt < TOGETHER_MS
    },
    dueMs,
  }
}

/**
 * The same store for rendering: it notifies with every second reading, unless more than drifting numbers changed. Until
 * then it keeps the state it notified of, so that whatever is rendered meanwhile agrees with what is on screen.
 */
export function atPace<S>(store: StoreApi<S>, pace: ReadingPace, clock: Clock): StoreApi<S> {
  const listeners = new Set<(state: S, before: S) => void>()
  const shown: { state: S; late: Disposable | null; stop: () => void } = {
    state: store.getState(),
    late: null,
    stop: () => undefined,
  }
  const show = (): void => {
    shown.late?.dispose()
    shown.late = null
    const before = shown.state
    shown.state = store.getState()
    for (const listener of listeners) listener(shown.state, before)
  }
  const onChange = (state: S): void => {
    if (pace.isBeat() || !isDrift(shown.state, state)) show()
    else shown.late ??= clock.setTimeout(show, pace.dueMs() + LATE_MS)
  }
  return {
    ...store,
    getState: () => (listeners.size === 0 ? store.getState() : shown.state),
    subscribe: (listener) => {
      if (listeners.size === 0) {
        shown.state = store.getState()
        shown.stop = store.subscribe(onChange)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        shown.stop()
        shown.late?.dispose()
        shown.late = null
      }
    },
  }
}

/** True if the two differ in nothing but numbers, and in those by little: a temperature, a counted share. */
export function isDrift(before: unknown, now: unknown): boolean {
  if (Object.is(before, now)) return true
  if (typeof before === 'number' && typeof now === 'number') return isSmall(before, now)
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return false
  const keys = Object.keys(now)
  return (
    keys.length === Object.keys(before).length &&
    keys.every((key) => isDrift(Reflect.get(before, key), Reflect.get(now, key)))
  )
}

/** The first share or the end of a hashrate is no drift. */
function isSmall(before: number, now: number): boolean {
  if (before === 0 || now === 0) return false
  const moved = Math.abs(now - before)
  return moved <= 1 || moved <= LEAP * Math.max(Math.abs(before), Math.abs(now))
}
