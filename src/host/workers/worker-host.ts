// Starts a worker thread and is its transport. A worker that dies fails its open calls with HOST_WORKER_LOST.
import { join } from 'node:path'
import { MessageChannel, type ResourceLimits, Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors'
import type { Logger, LogLevel, LogSink } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import { stackOf } from '../faults/process-faults'
import type { SharedLevel } from '../log/shared-level'
import type { TradesDeps } from '../trades-deps'
import { WorkerLink } from './worker-link'
import { receiveLogs } from './worker-log'

interface WorkerOptions {
  /** `chain`, `key`: for logs and errors. */
  readonly name: string
  /** Absolute path of the built entry. */
  readonly entry: string
  /** Folder from which the worker searches the addon. */
  readonly searchFrom: string
  readonly log: Logger
  /** Receives the worker's log records of `minLevel` and above. */
  readonly sink: LogSink
  readonly minLevel: LogLevel | SharedLevel
  /** Size of the heap's young generation; absent: V8's 48 MiB. */
  readonly youngMiB?: number
  /** Size of the rest of its heap, beyond which it is lost; absent: V8's limit. */
  readonly oldMiB?: number
  /** Called once when the thread ends without having been closed by us. */
  readonly onLost: (reason: string) => void
}

/** A trade's worker; its records are in the program's log. @param more its own; by default, a lost one is only logged */
export function openTradeWorker(
  { platform, logs }: Pick<TradesDeps, 'platform' | 'logs'>,
  name: 'chain' | 'query' | 'solc' | 'checks' | 'rules',
  more: Pick<WorkerOptions, 'log'> & Partial<WorkerOptions>,
): Transport {
  return openWorker({
    name,
    entry: join(platform.workerDir, `${name}-worker.cjs`),
    searchFrom: platform.projectRoot,
    sink: logs.sink,
    minLevel: logs.level,
    onLost: (reason) => more.log.error(`${name} worker was lost`, { reason }),
    ...more,
  })
}

/** A new thread; closing the transport terminates it whatever it is doing, and resolves when it has ended. */
export function openWorker(options: WorkerOptions): Transport {
  const logs = new MessageChannel()
  const received = receiveLogs(logs.port1, options.sink)
  const worker = new Worker(options.entry, {
    name: `headframe-${options.name}`,
    workerData: { searchFrom: options.searchFrom, minLevel: sentLevel(options.minLevel), logPort: logs.port2 },
    transferList: [logs.port2],
    resourceLimits: limitsOf(options),
  })
  const link = new WorkerLink(options.name)
  let failure = ''

  const end = (reason: string): boolean => {
    received.close()
    return link.end(reason)
  }

  worker.on('message', (message: unknown) => void link.received(message))
  worker.on('error', (error) => {
    failure = messageOf(error)
    const { name: worker } = options
    options.log.error('worker failed', { worker, error: failure, stack: stackOf(error) })
  })
  worker.on('exit', (code) => {
    const reason = failure === '' ? `ended with code ${code}` : failure
    if (link.isOpen && end(reason)) options.onLost(reason)
  })

  return {
    send: (message, transfer = []) => {
      if (!link.isOpen) return
      link.sending(message)
      worker.postMessage(message, [...transfer])
    },
    onMessage: (listener) => link.onMessage(listener),
    onClose: (listener) => link.onClose(listener),
    // Even while it computes: a hung worker must block neither its caller nor the program's exit.
    close: async () => {
      if (link.isOpen) end('closed')
      await worker.terminate()
    },
  }
}

function limitsOf({ youngMiB, oldMiB }: WorkerOptions): ResourceLimits {
  return {
    ...(youngMiB === undefined ? {} : { maxYoungGenerationSizeMb: youngMiB }),
    ...(oldMiB === undefined ? {} : { maxOldGenerationSizeMb: oldMiB }),
  }
}

/** In workerData's form: memory is shared, not copied. */
function sentLevel(level: WorkerOptions['minLevel']): LogLevel | SharedArrayBuffer {
  return typeof level === 'string' ? level : level.buffer
}
