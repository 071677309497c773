// Reports of uncaught errors, kept across restarts on this computer only; the support bundle includes them.
import { join } from 'node:path'
import type { LogRecord, LogSink } from '../../base/logger'
import { replaceOwnerFile } from '../../files/owner-file'
import { textOrNull } from '../../files/text-or-null'

const NAME = 'crashes.log'
/** Of the file; the oldest reports are dropped. */
const MAX_BYTES = 64 * 1024

/** Collects records with a stack: uncaught errors of the main thread and of workers. */
export class CrashFile implements LogSink {
  readonly #path: string
  readonly #format: (record: LogRecord) => string
  #isOpen = false

  constructor(options: { readonly dir: string; readonly format: (record: LogRecord) => string }) {
    this.#path = join(options.dir, NAME)
    this.#format = options.format
  }

  /** From now on; before that, the folder may belong to another process. */
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
      // A full disk: the line is in the log and on standard error.
    }
  }

  /** One line per report, oldest first; none without a file. */
  read(): readonly string[] {
    return (textOrNull(this.#path) ?? '').split('\n').filter((line) => line !== '')
  }
}
