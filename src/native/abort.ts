// As AbortSignal.any, which never frees what was combined with a signal that lives on (seen on Node 20: 2.7 kB each).
import type { Disposable } from '../base/disposable'
import { onAbort } from '../base/on-abort'

/** A combined signal and the means to detach it. */
interface LinkedAbort {
  readonly signal: AbortSignal
  /** Removes its listeners. */
  dispose(): void
}

/** Aborted, with the same reason, as soon as one of `signals` is. */
export function linkedAbort(signals: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController()
  const held: Disposable[] = []
  for (const signal of signals) {
    if (signal === undefined) continue
    held.push(onAbort(signal, () => controller.abort(signal.reason)))
  }
  return {
    signal: controller.signal,
    dispose: () => {
      for (const each of held) each.dispose()
    },
  }
}
