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
