// Freezes live updates on demand: what is rendered keeps its last values, while the stores keep updating.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Clock } from '../../../base/time'

export interface FreezeState {
  /** UTC ms since when updates are frozen; null while they aren't. */
  readonly since: number | null
}

export type Freeze = ReturnType<typeof createFreeze>

export function createFreeze(clock: Pick<Clock, 'now'>) {
  const store = createStore<FreezeState>(() => ({ since: null }))
  const set = (since: number | null): void => {
    if ((store.getState().since === null) !== (since === null)) store.setState({ since })
  }
  return {
    store,
    isOn: () => store.getState().since !== null,
    toggle: () => set(store.getState().since === null ? clock.now() : null),
    /** Unfreezes; does nothing if not frozen. */
    off: () => set(null),
    /** Calls `listener` on each unfreeze, until the returned function is called. */
    onThaw: (listener: () => void) =>
      store.subscribe(({ since }, before) => {
        if (since === null && before.since !== null) listener()
      }),
  }
}

/** The same store for rendering: while frozen it keeps the values of that moment, and notifies nobody of new ones. */
export function whileLive<S>(store: StoreApi<S>, freeze: Freeze): StoreApi<S> {
  const held = { state: store.getState() }
  freeze.store.subscribe(({ since }) => {
    if (since !== null) held.state = store.getState()
  })
  return {
    ...store,
    getState: () => (freeze.isOn() ? held.state : store.getState()),
    subscribe: (listener) => {
      const stop = store.subscribe((state, before) => {
        if (!freeze.isOn()) listener(state, before)
      })
      const forget = freeze.onThaw(() => listener(store.getState(), held.state))
      return () => {
        stop()
        forget()
      }
    },
  }
}
