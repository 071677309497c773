// The log of a worker thread: its records cross on a port of their own and end in the host's sinks.
import type { MessagePort } from 'node:worker_threads'
import { z } from 'zod'
import { createLogger, LOG_LEVELS, type Logger, type LogLevel, type LogSink } from '../../base/logger'
import { simpleFields } from '../log-format'

const recordSchema = z.object({
  time: z.number(),
  level: z.enum(LOG_LEVELS),
  module: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()),
})

/** A worker's logger. */
export function workerLogger(port: MessagePort, minLevel: LogLevel, now: () => number): Logger {
  const sink: LogSink = { write: (record) => port.postMessage({ ...record, fields: simpleFields(record.fields) }) }
  return createLogger('', { minLevel, now, sink })
}

/** The host's end; anything that is no record is dropped. Ends when the port is closed. */
export function receiveLogs(port: MessagePort, sink: LogSink): void {
  port.on('message', (message: unknown) => {
    const parsed = recordSchema.safeParse(message)
    if (parsed.success) sink.write(parsed.data)
  })
}
