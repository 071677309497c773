// Requests to stop from outside: SIGINT and SIGTERM.
import type { Disposable } from '../../base/disposable'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Calls `listener` at each of them until disposed. */
export function onStopSignal(listener: () => void): Disposable {
  for (const signal of STOP_SIGNALS) process.on(signal, listener)
  return {
    dispose: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, listener)
    },
  }
}
