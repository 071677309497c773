// The thread beside the chain worker that prepares blocks; it only gets the memory of jobs.
import { cpus } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { BlockPreparation, type PreparationThread } from '../preparation/block-preparation'
import { PreparationJob } from '../preparation/preparation-job'
import { prepareBlocks } from '../preparation/prepare-blocks'

/** It holds little for long: with V8's 48 MiB it would fill up to 40 between two collections. */
const YOUNG_MIB = 6

/** The thread's program and log. */
interface PreparationThreadOptions {
  /** absolute path of the thread's program */
  readonly entry: string
  readonly log: Logger
}

/** Null when a second thread gains nothing: the computer has one processor. */
export function openBlockPreparation(chainId: bigint, options: PreparationThreadOptions): BlockPreparation | null {
  if (cpus().length < 2) return null
  const open = (onLost: () => void): PreparationThread | null => {
    try {
      return openPreparationThread(options, onLost)
    } catch (error: unknown) {
      sayFailed(options.log, error)
      return null
    }
  }
  return new BlockPreparation({ chainId, open })
}

/** @throws Error when the system can't start a thread */
export function openPreparationThread({ entry, log }: PreparationThreadOptions, onLost: () => void): PreparationThread {
  const worker = new Worker(entry, {
    name: 'headframe-preparation',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
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
  log.warn('blocks are no longer prepared ahead: the thread failed', { error: messageOf(error) })
}

/** The thread's program. @param port to the thread that started it */
export function servePreparation(port: MessagePort): void {
  port.on('message', (memory: unknown) => {
    if (memory instanceof SharedArrayBuffer) prepareBlocks(new PreparationJob(memory))
  })
}
