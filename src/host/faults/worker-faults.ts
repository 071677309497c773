// Uncaught errors in a worker: a listener's is survived, any other ends the thread: its host sees a lost worker.
import { messageOf } from '../../base/errors'
import { ListenerFailure } from '../../base/events'
import type { Logger } from '../../base/logger'
import { logListenerFailure, stackOf } from './process-faults'

/** From now on, for the calling thread. */
export function attendWorkerFaults(log: Logger): void {
  const take = (error: unknown): void => {
    if (error instanceof ListenerFailure) logListenerFailure(log, error)
    else {
      log.error('unexpected failure, this worker exits', { error: messageOf(error), stack: stackOf(error) })
      process.exit(1) // in a worker it ends the thread only
    }
  }
  process.on('uncaughtException', take)
  process.on('unhandledRejection', take)
}
