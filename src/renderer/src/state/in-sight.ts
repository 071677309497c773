// What only matters to viewers: while the page is hidden no notification is sent, and one for everything when it is
// visible again.
import type { StoreApi } from 'zustand'
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

/** False in a hidden or minimized window and in a background tab. */
export function isInSight(): boolean {
  return document.visibilityState !== 'hidden'
}

/** Calls `listener` each time the page becomes visible again, until the returned function is called. */
export function onSight(listener: () => void): () => void {
  return onSightChange(() => {
    if (isInSight()) listener()
  })
}

/** The same, and also each time it is hidden. */
export function onSightChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Calls `work` every `periodMs` while the page is visible, and at once when it becomes visible. */
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

/** The same store for rendering: it is always up to date, but notifies nobody while the page is hidden. */
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
