// Stop requests from outside.
import type { Disposable } from '../../base/disposable'

/** Ctrl-Break in a Windows console. */
const WINDOWS_SIGNALS = ['SIGBREAK'] as const
/** Signals this close are one request: a terminal signals its whole process group, and `npm start` forwards its own. */
export const ONE_REQUEST_MS = 500

/**
 * The signals that stop the program on `platform`. SIGHUP: the terminal is gone; unhandled it would end the program without an
 * orderly stop, as Node resets what `nohup` set up. Windows ends the program some seconds after it.
 */
export function stopSignals(platform: string): readonly NodeJS.Signals[] {
  return ['SIGINT', 'SIGTERM', 'SIGHUP', ...(platform === 'win32' ? WINDOWS_SIGNALS : [])]
}

/** Calls `listener` once per request until disposed. @param monotonic milliseconds that never go backwards */
export function onStopSignal(listener: () => void, monotonic = () => performance.now()): Disposable {
  const signals = stopSignals(process.platform)
  let requestedAt = Number.NEGATIVE_INFINITY
  const take = (): void => {
    const at = monotonic()
    if (at - requestedAt < ONE_REQUEST_MS) return
    requestedAt = at
    listener()
  }
  for (const signal of signals) process.on(signal, take)
  return {
    dispose: () => {
      for (const signal of signals) process.off(signal, take)
    },
  }
}
