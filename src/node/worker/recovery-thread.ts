// The thread beside the chain worker that recovers senders ahead; it only gets the memory of jobs.
import { cpus } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { RecoveryJob } from '../model/recovery-job'
import { runRecovery } from '../senders/run-recovery'
import { type RecoveryThread, SenderRecovery } from '../senders/sender-recovery'

/** The thread's program and log. */
export interface RecoveryThreadOptions {
  /** absolute path of the thread's program */
  readonly entry: string
  readonly log: Logger
}

/** Null when a second thread gains nothing: the computer has one processor. */
export function openSenderRecovery(chainId: bigint, options: RecoveryThreadOptions): SenderRecovery | null {
  if (cpus().length < 2) return null
  const open = (onLost: () => void): RecoveryThread | null => {
    try {
      return openRecoveryThread(options, onLost)
    } catch (error: unknown) {
      sayFailed(options.log, error)
      return null
    }
  }
  return new SenderRecovery({ chainId, open })
}

/** @throws Error when the system can't start a thread */
export function openRecoveryThread({ entry, log }: RecoveryThreadOptions, onLost: () => void): RecoveryThread {
  const worker = new Worker(entry, { name: 'headframe-recovery' })
  worker.unref()
  worker.on('error', (error) => {
    sayFailed(log, error)
    onLost()
  })
  return {
    post: (job) => worker.postMessage(job.memory),
    close: async () => {
      await worker.terminate()
    },
  }
}

function sayFailed(log: Logger, error: unknown): void {
  log.warn('senders are no longer recovered ahead: the thread failed', { error: messageOf(error) })
}

/** The thread's program. @param port to the thread that started it */
export function serveRecovery(port: MessagePort): void {
  port.on('message', (memory: unknown) => {
    if (memory instanceof SharedArrayBuffer) runRecovery(new RecoveryJob(memory))
  })
}
