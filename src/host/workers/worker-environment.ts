// What every worker entry gets from the thread that started it.
import { MessagePort, parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { LOG_LEVELS, type Logger } from '../../base/logger'
import { type Clock, systemClock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { attendWorkerFaults } from '../faults/worker-faults'
import { SharedLevel } from '../log/shared-level'
import { workerLogger } from './worker-log'

// A worker thread's message port as a wire transport; both ends are our own threads.

/** Wraps a port (a worker's `parentPort`, or one end of a MessageChannel in tests). `close` closes the port. */
export function portTransport(port: MessagePort): Transport {
  const closeListeners: ((reason: string) => void)[] = []
  const state = { open: true }
  const closed = (): void => {
    if (!state.open) return
    state.open = false
    for (const listener of closeListeners) listener('port closed')
  }
  port.on('close', closed)
  return {
    send: (message, transfer = []) => {
      if (state.open) port.postMessage(message, [...transfer])
    },
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void closeListeners.push(listener),
    close: () => {
      port.close()
      closed()
    },
  }
}

const dataSchema = z.object({
  searchFrom: z.string(),
  minLevel: z.union([z.enum(LOG_LEVELS), z.instanceof(SharedArrayBuffer)]),
  logPort: z.instanceof(MessagePort),
})

interface WorkerEnvironment {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
  /** Folder where the search for the addon starts. */
  readonly searchFrom: string
}

/** @throws Error when this isn't a worker started by `openWorker` */
export function workerEnvironment(): WorkerEnvironment {
  if (parentPort === null) throw new Error('this file runs only as a worker thread')
  const { searchFrom, minLevel, logPort } = dataSchema.parse(workerData)
  const clock = systemClock()
  const log = workerLogger(logPort, typeof minLevel === 'string' ? minLevel : new SharedLevel(minLevel), clock.now)
  attendWorkerFaults(log)
  return { transport: portTransport(parentPort), clock, log, searchFrom }
}
