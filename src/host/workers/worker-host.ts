// Starts a worker thread and is its transport. A worker that dies fails its open calls with HOST_WORKER_LOST.
import { MessageChannel, Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors'
import type { Logger, LogLevel, LogSink } from '../../base/logger'
import { parseFrame, type Transport, type WireFrame } from '../../base/wire/define'
import { HostError } from '../errors'
import { stackOf } from '../faults/process-faults'
import { receiveLogs } from './worker-log'

export interface WorkerOptions {
  /** `chain`, `key`: for logs and errors. */
  readonly name: string
  /** Absolute path of the built entry. */
  readonly entry: string
  /** Folder from which the worker looks for the addon. */
  readonly searchFrom: string
  readonly log: Logger
  /** Takes the worker's own log records of `minLevel` and above. */
  readonly sink: LogSink
  readonly minLevel: LogLevel
  /** Called once when the thread ends without having been closed by us. */
  readonly onLost: (reason: string) => void
}

/** A new thread; closing the transport ends it whatever it is doing, and resolves when it has ended. */
export function openWorker(options: WorkerOptions): Transport {
  const logs = new MessageChannel()
  const received = receiveLogs(logs.port1, options.sink)
  const worker = new Worker(options.entry, {
    name: `headframe-${options.name}`,
    workerData: { searchFrom: options.searchFrom, minLevel: options.minLevel, logPort: logs.port2 },
    transferList: [logs.port2],
  })
  const openCalls = new Set<number>()
  const closeListeners: ((reason: string) => void)[] = []
  const state = { open: true, failure: '', deliver: (_message: unknown): void => undefined }

  const end = (reason: string): void => {
    if (!state.open) return
    state.open = false
    received.close()
    const lost = new HostError('HOST_WORKER_LOST', { worker: options.name, reason })
    for (const id of openCalls) {
      state.deliver({ t: 'error', id, code: lost.code, message: lost.message, data: lost.data } satisfies WireFrame)
    }
    openCalls.clear()
    for (const listener of closeListeners) listener(lost.message)
  }

  worker.on('message', (message: unknown) => {
    const frame = parseFrame(message)
    if (frame?.t === 'result' || frame?.t === 'error') openCalls.delete(frame.id)
    state.deliver(message)
  })
  worker.on('error', (error) => {
    state.failure = messageOf(error)
    const { name: worker } = options
    options.log.error('worker failed', { worker, error: state.failure, stack: stackOf(error) })
  })
  worker.on('exit', (code) => {
    if (!state.open) return
    const reason = state.failure === '' ? `ended with code ${code}` : state.failure
    end(reason)
    options.onLost(reason)
  })

  return {
    send: (message, transfer = []) => {
      if (!state.open) return
      const frame = parseFrame(message)
      if (frame?.t === 'call') openCalls.add(frame.id)
      worker.postMessage(message, [...transfer])
    },
    onMessage: (listener) => {
      state.deliver = listener
    },
    onClose: (listener) => void closeListeners.push(listener),
    // Also while it computes: a worker that hangs must keep neither its caller nor the program.
    close: async () => {
      end('closed')
      await worker.terminate()
    },
  }
}
