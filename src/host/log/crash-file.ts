// Crash reports: errors that nobody caught, with their stacks, kept over restarts. They stay on this computer; the support bundle
// shows them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogRecord, LogSink } from '../../base/logger'
import { replaceOwnerFile } from '../../files/owner-file'

const NAME = 'crashes.log'
/** Of the file; the oldest reports make room. */
const MAX_BYTES = 64 * 1024

/** Takes the records that carry a stack: those of uncaught errors, of the main thread and of workers. */
export class CrashFile implements LogSink {
  readonly #path: string
  readonly #format: (record: LogRecord) => string
  #isOpen = false

  constructor(options: { readonly dir: string; readonly format: (record: LogRecord) => string }) {
    this.#path = join(options.dir, NAME)
    this.#format = options.format
  }

  /** From now on; before, the folder may be another program's. */
  open(): void {
    this.#isOpen = true
  }

  close(): void {
    this.#isOpen = false
  }

  write(record: LogRecord): void {
    if (!this.#isOpen || typeof record.fields.stack !== 'string') return
    const lines = [...this.read(), this.#format(record)]
    while (lines.length > 1 && Buffer.byteLength(lines.join('\n')) >= MAX_BYTES) lines.shift()
    try {
      replaceOwnerFile(this.#path, `${lines.join('\n')}\n`)
    } catch {
      // A full disk: the log and standard error have the line.
    }
  }

  /** A line a report, oldest first; none where there is no file. */
  read(): readonly string[] {
    try {
      return readFileSync(this.#path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    } catch {
      return []
    }
  }
}
