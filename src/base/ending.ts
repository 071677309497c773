// Word that something is over, thousands of times a second: an AbortSignal takes microseconds to create and hear.
import type { Disposable } from './disposable'
import { onAbort } from './on-abort'

/** Something that ends at most once. */
export interface Ending {
  /** Why it ended; null until then. */
  readonly ended: Error | null
  /** Calls `listener` at the end, or at once if that has passed. Dispose to stop listening. */
  onEnd(listener: (reason: Error) => void): Disposable
}

const NOTHING: Disposable = { dispose: () => undefined }

/** An ending that its owner brings about. */
export class EndSource implements Ending {
  #reason: Error | null = null
  readonly #listeners = new Set<(reason: Error) => void>()

  get ended(): Error | null {
    return this.#reason
  }

  onEnd(listener: (reason: Error) => void): Disposable {
    if (this.#reason !== null) {
      listener(this.#reason)
      return NOTHING
    }
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** Only the first call counts. */
  end(reason: Error): void {
    if (this.#reason !== null) return
    this.#reason = reason
    for (const listener of this.#listeners) listener(reason)
    this.#listeners.clear()
  }
}

/** The ending of work that has a signal. */
export function endingOf(signal: AbortSignal): Ending {
  const reason = (): Error => (signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)))
  return {
    get ended() {
      return signal.aborted ? reason() : null
    },
    onEnd: (listener) => onAbort(signal, () => listener(reason())),
  }
}

/** For what wants a signal: aborts with the ending's reason. */
export function signalOf(ending: Ending): AbortSignal {
  const controller = new AbortController()
  ending.onEnd((reason) => controller.abort(reason))
  return controller.signal
}
