// Errors that nobody caught in a worker thread: what a listener threw is logged and survived; anything else ends the thread, and its
// host hears of it as of any worker that is lost.
import { messageOf } from '../../base/errors'
import { ListenerFailure } from '../../base/events'
import type { Logger } from '../../base/logger'
import { logListenerFailure, stackOf } from './process-faults'

/** From now on, for the thread that calls it. */
export function attendWorkerFaults(log: Logger): void {
  const take = (error: unknown): void => {
    if (error instanceof ListenerFailure) logListenerFailure(log, error)
    else {
      log.error('unexpected failure, this worker ends', { error: messageOf(error), stack: stackOf(error) })
      process.exit(1) // in a worker it ends the thread only
    }
  }
  process.on('uncaughtException', take)
  process.on('unhandledRejection', take)
}
