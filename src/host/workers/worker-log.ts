// The log of a worker thread: its records are sent on a separate port and end in the host's sinks.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { z } from 'zod'
import { createLogger, type LevelSource, LOG_LEVELS, type Logger, type LogLevel, type LogSink } from '../../base/logger'
import { simpleFields } from '../log/log-format'

const recordSchema = z.object({
  time: z.number(),
  level: z.enum(LOG_LEVELS),
  module: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()),
})

export function workerLogger(port: MessagePort, minLevel: LogLevel | LevelSource, now: () => number): Logger {
  const sink: LogSink = { write: (record) => port.postMessage({ ...record, fields: simpleFields(record.fields) }) }
  return createLogger('', { minLevel, now, sink })
}

/** The host's end of a worker's log; anything that isn't a record is dropped. */
interface ReceivedLogs {
  /** Writes what the worker posted last, which a port delivers after its thread has ended, and closes the port. */
  close(): void
}

export function receiveLogs(port: MessagePort, sink: LogSink): ReceivedLogs {
  const take = (message: unknown): void => {
    const parsed = recordSchema.safeParse(message)
    if (parsed.success) sink.write(parsed.data)
  }
  port.on('message', take)
  return {
    close: () => {
      for (;;) {
        const posted = receiveMessageOnPort(port)
        if (posted === undefined) break
        take(posted.message)
      }
      port.close()
    },
  }
}
