// Typed events inside one process. An event tells that something happened; a question that needs an answer is a method of a port.
import type { Disposable } from './disposable'

/** What a throwing listener is reported to; the other listeners still run. */
export type ListenerErrorSink = (error: unknown, event: string) => void

/** `class Farm { readonly events = new Emitter<FarmEvents>() }`; names are facts in the past tense, payloads read-only. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>()
  readonly #onListenerError: ListenerErrorSink

  constructor(onListenerError: ListenerErrorSink = rethrowLater) {
    this.#onListenerError = onListenerError
  }

  /** Calls `listener` for each `emit` of `event` until the returned handle is disposed. */
  on<K extends keyof Events>(event: K, listener: (payload: Events[K]) => void): Disposable {
    let set = this.#listeners.get(event)
    if (set === undefined) {
      set = new Set()
      this.#listeners.set(event, set)
    }
    set.add(listener)
    const added = set
    return { dispose: () => void added.delete(listener) }
  }

  /** Synchronous, in order of registration. */
  emit<K extends keyof Events>(event: K, payload: Events[K]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (payload: Events[K]) => void)(payload)
      } catch (error) {
        this.#onListenerError(error, String(event))
      }
    }
  }

  /** Number of listeners of `event`; tests use it to find leaks. */
  listenerCount(event: keyof Events): number {
    return this.#listeners.get(event)?.size ?? 0
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
