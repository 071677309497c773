// What only matters to who looks: while the page is hidden nothing is told, and all of it at once when it comes back.
import type { StoreApi } from 'zustand'
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

/** False in a hidden or minimised window and in a tab behind another. */
export function isInSight(): boolean {
  return document.visibilityState !== 'hidden'
}

/** Calls `listener` each time the page comes into sight again, until the function it gives is called. */
export function onSight(listener: () => void): () => void {
  return onSightChange(() => {
    if (isInSight()) listener()
  })
}

/** The same, and each time it goes out of sight. */
export function onSightChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Calls `work` each `periodMs` while the page is in sight, and at once when it comes back. */
export function everyInSight(clock: Clock, periodMs: number, work: () => void): Disposable {
  const state: { timer: Disposable | null } = { timer: null }
  const begin = (): void => {
    state.timer?.dispose()
    state.timer = isInSight() ? clock.setInterval(work, periodMs) : null
  }
  const forget = onSightChange(() => {
    begin()
    if (isInSight()) work()
  })
  begin()
  return {
    dispose: () => {
      state.timer?.dispose()
      forget()
    },
  }
}

/** The same store for what draws: it is full at any time, but nobody is told of it while nothing can be seen. */
export function whileInSight<S>(store: StoreApi<S>): StoreApi<S> {
  return {
    ...store,
    subscribe: (listener) => {
      const stop = store.subscribe((state, before) => {
        if (isInSight()) listener(state, before)
      })
      const forget = onSight(() => listener(store.getState(), store.getState()))
      return () => {
        stop()
        forget()
      }
    },
  }
}
