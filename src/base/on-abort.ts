// Waiting for an abort together: however many wait for one signal, the signal has one listener (Node warns beyond ten).
import type { Disposable } from './disposable'

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `callback` once when the signal aborts, at once when it is aborted already. Disposed: not any more. */
export function onAbort(signal: AbortSignal, callback: () => void): Disposable {
  if (signal.aborted) {
    callback()
    return { dispose: () => undefined }
  }
  const entry = (): void => callback() // its own, so that one callback may wait twice
  const known = waiting.get(signal)
  if (known !== undefined) known.add(entry)
  else listen(signal, entry)
  return { dispose: () => void waiting.get(signal)?.delete(entry) }
}

/** The listener stays with the signal; an empty set costs nothing. */
function listen(signal: AbortSignal, first: () => void): void {
  const callbacks = new Set([first])
  waiting.set(signal, callbacks)
  const tellAll = (): void => {
    for (const callback of callbacks) callback()
    callbacks.clear()
  }
  signal.addEventListener('abort', tellAll, { once: true })
}
