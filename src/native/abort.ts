// As AbortSignal.any, which never frees what was combined with a signal that lives on (seen on Node 20: 2.7 kB each).
import { Disposables } from '../base/lifecycle'
import { onAbort } from '../base/on-abort'

/** Aborted, with the same reason, as soon as one of `signals` is; `dispose` removes its listeners. */
export function linkedAbort(signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  const held = new Disposables()
  for (const signal of signals)
    if (signal !== undefined) held.add(onAbort(signal, () => controller.abort(signal.reason)))
  return { signal: controller.signal, dispose: () => held.dispose() }
}
