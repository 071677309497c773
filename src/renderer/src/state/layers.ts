// What lies over the page: the palette, the keys, the incidents; and the short messages in its corner.
import { createStore } from 'zustand/vanilla'

type Layer =
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  /** `id`: the incident that is marked; empty = none. */
  | { readonly kind: 'incidents'; readonly id: string }

export function createLayers() {
  const store = createStore<{ readonly open: Layer | null }>(() => ({ open: null }))
  return {
    store,
    open: (open: Layer): void => store.setState({ open }),
    close: (): void => store.setState({ open: null }),
  }
}

export interface Toast {
  readonly id: number
  /** A sentence in the past tense, or someone else's words. */
  readonly title: string
  /** Foreign text below it; empty = none. */
  readonly text: string
  readonly tone: 'plain' | 'warn'
  readonly seconds: number
  readonly action: ToastAction | null
  readonly testId: string
}

export type ToastAction =
  | { readonly label: string; readonly testId: string; readonly run: () => void }
  | { readonly label: string; readonly testId: string; readonly route: string }

/** More would cover the page. */
const MAX_TOASTS = 3
const SECONDS = 6

/** Shows messages that disappear by themselves, the newest three. */
export function createToasts() {
  const store = createStore<{ readonly shown: readonly Toast[] }>(() => ({ shown: [] }))
  const state = { next: 1 }
  const close = (id: number): void => {
    if (store.getState().shown.some((toast) => toast.id === id))
      store.setState(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) }))
  }
  return {
    store,
    /** @returns its id, for `close` */
    show(toast: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id' | 'title'>>): number {
      const id = state.next++
      const whole = { text: '', tone: 'plain', seconds: SECONDS, action: null, testId: 'toast', ...toast, id } as const
      store.setState(({ shown }) => ({ shown: [...shown, whole].slice(-MAX_TOASTS) }))
      return id
    },
    close,
  }
}
