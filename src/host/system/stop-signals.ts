// Requests to stop from outside.
import type { Disposable } from '../../base/disposable'

/** Ctrl-Break, and a console whose window is closed: Windows ends the program some seconds after the latter. */
const WINDOWS_SIGNALS = ['SIGBREAK', 'SIGHUP'] as const

/** The signals that ask the program to stop. @param platform Node's name of it */
export function stopSignals(platform: string): readonly NodeJS.Signals[] {
  // Elsewhere SIGHUP is left to nohup and to what the system does by itself.
  return ['SIGINT', 'SIGTERM', ...(platform === 'win32' ? WINDOWS_SIGNALS : [])]
}

/** Calls `listener` at each of them until disposed. */
export function onStopSignal(listener: () => void): Disposable {
  const signals = stopSignals(process.platform)
  for (const signal of signals) process.on(signal, listener)
  return {
    dispose: () => {
      for (const signal of signals) process.off(signal, listener)
    },
  }
}
