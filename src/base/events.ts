// Typed events inside one process. An event reports that something happened; a question that needs an answer is a port
// method.
import type { Disposable } from './disposable'
import { messageOf } from './errors'

/** Receives what a listener threw; the other listeners still run. */
type ListenerErrorSink = (error: unknown, event: string) => void

/**
 * What a listener threw. It surfaces as an uncaught error of this class, so the composition root's handler for those
 * can log it and keep the program running: by then the emitter has done its work.
 */
export class ListenerFailure extends Error {
  constructor(
    /** Event the listener was called for. */
    readonly event: string,
    /** What the listener threw. */
    readonly thrown: unknown,
  ) {
    super(`a listener of ${event} failed: ${messageOf(thrown)}`, { cause: thrown })
    this.name = 'ListenerFailure'
  }
}

/** `class Farm { readonly events = new Emitter<FarmEvents>() }`; names are facts in the past tense, payloads read-only. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>()
  readonly #onListenerError: ListenerErrorSink

  /** @param onListenerError default: the process's uncaught-error handler gets a `ListenerFailure` */
  constructor(onListenerError: ListenerErrorSink = raiseListenerFailure) {
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

/** Raises it as an uncaught error in a later task, so the running code isn't interrupted. */
export function raiseListenerFailure(error: unknown, event: string): void {
  queueMicrotask(() => {
    throw new ListenerFailure(event, error)
  })
}
