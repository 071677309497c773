// Typed events inside one process: they report what happened; a question that needs an answer is a port method.
import type { Disposable } from './disposable'
import { messageOf } from './errors'

/** What a listener threw, as an uncaught error: it is logged, and the program goes on, as the emitter did its work. */
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

  /** Calls `listener` for each `emit` of `event` until the returned handle is disposed. */
  on<K extends keyof Events>(event: K, listener: (payload: Events[K]) => void): Disposable {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set.add(listener))
    return { dispose: () => void set.delete(listener) }
  }

  /** Synchronous, in order of registration; a listener that throws doesn't keep the others from it. */
  emit<K extends keyof Events>(event: K, payload: Events[K]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (payload: Events[K]) => void)(payload)
      } catch (error) {
        raiseListenerFailure(error, String(event))
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
