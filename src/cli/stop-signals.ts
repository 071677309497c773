// How a long-running command is stopped.
import type { Disposable } from '../base/disposable'
import type { CliWorld } from './call'
import { EXIT_FAILED } from './exit-codes'

/** The first signal stops cleanly, the second immediately. */
export function stopAtSignal(world: Pick<CliWorld, 'onStopSignal' | 'exitNow'>, stop: AbortController): Disposable {
  return world.onStopSignal(() => {
    if (stop.signal.aborted) world.exitNow(EXIT_FAILED)
    else stop.abort(new Error('stopped by a signal'))
  })
}

/** Works until it is done. The first signal aborts it, the second ends the process. @throws the signal's reason */
export async function untilSignal<T>(
  world: Pick<CliWorld, 'onStopSignal' | 'exitNow'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const signals = stopAtSignal(world, stop)
  try {
    return await work(stop.signal)
  } finally {
    signals.dispose()
  }
}
