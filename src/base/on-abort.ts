// Shared abort waits: a signal gets one listener however many wait for it (Node warns beyond ten).
import type { Disposable } from './disposable'

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `callback` once when the signal aborts, immediately when it already has. Dispose to cancel. */
export function onAbort(signal: AbortSignal, callback: () => void): Disposable {
  if (signal.aborted) {
    callback()
    return { dispose: () => undefined }
  }
  const entry = (): void => callback() // a function of its own, so that one callback may wait twice
  const known = waiting.get(signal)
  if (known !== undefined) known.add(entry)
  else listen(signal, entry)
  return { dispose: () => void waiting.get(signal)?.delete(entry) }
}

/** Settles as `work` does, or rejects with the signal's reason immediately; the work itself continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const held = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(() => held.dispose())
  })
}

/** Resolves when the signal aborts, immediately when it already has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, resolve))
}

/** The listener stays on the signal; an empty set costs nothing. */
function listen(signal: AbortSignal, first: () => void): void {
  const callbacks = new Set([first])
  waiting.set(signal, callbacks)
  const tellAll = (): void => {
    for (const callback of callbacks) callback()
    callbacks.clear()
  }
  signal.addEventListener('abort', tellAll, { once: true })
}
