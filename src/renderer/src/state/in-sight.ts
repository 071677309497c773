// What only matters to who looks: while the page is hidden nothing is told, and all of it at once when it comes back.
import type { StoreApi } from 'zustand'

/** False in a hidden or minimised window and in a tab behind another. */
export function isInSight(): boolean {
  return document.visibilityState !== 'hidden'
}

/** Calls `listener` each time the page comes into sight again, until the function it gives is called. */
export function onSight(listener: () => void): () => void {
  const look = (): void => {
    if (isInSight()) listener()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
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
