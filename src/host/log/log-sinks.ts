// Where log records go: standard error, a rotated file, the UI's ring; repeated lines are counted instead.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isSystemCode, messageOf } from '../../base/errors'
import type { LogRecord, LogSink } from '../../base/logger'

interface FileSinkOptions {
  readonly dir: string
  readonly format: (record: LogRecord) => string
  /** Size at which a new file begins. Default 10 MiB. */
  readonly limitBytes?: number
  /** Number of files, including the current one. Default 3: headframe.log, headframe.1.log, headframe.2.log. */
  readonly keep?: number
}

/** Delay before the file, or its rename, is retried after a failure. */
const RETRY_MS = 10_000
/** A file that can't be renamed grows up to this multiple of its limit. */
const MAX_OVERRUN = 4

/** Appends to `headframe.log`. Writes are synchronous: a line is in the file even if the program dies right after. */
export class FileSink implements LogSink {
  readonly #options: Required<FileSinkOptions>
  #handle: number | null = null
  #size = 0
  /** UTC ms of the record that couldn't be written; null when all is well, and after the sink was closed. */
  #failedAt: number | null = null
  /** UTC ms of the record at which rotation failed; null: it didn't. */
  #stuckAt: number | null = null

  constructor(options: FileSinkOptions) {
    this.#options = { limitBytes: 10 * 1024 * 1024, keep: 3, ...options }
  }

  open(): void {
    this.#handle = openSync(this.#path(0), 'a', 0o600)
    this.#size = fstatSync(this.#handle).size
  }

  write(record: LogRecord): void {
    if (this.#handle === null && !this.#isOpenAgain(record.time)) return
    const line = Buffer.from(`${this.#options.format(record)}\n`, 'utf8')
    try {
      if (this.#isFull(line.length, record.time)) this.#rotate(record.time)
      if (this.#handle !== null) this.#size += writeSync(this.#handle, line)
    } catch (error) {
      // A full disk or a missing folder must not stop the program; standard error still has the line.
      process.emitWarning(`log file cannot be written: ${messageOf(error)}`, 'HeadframeLog')
      this.close()
      this.#failedAt = record.time
    }
  }

  close(): void {
    this.#failedAt = null
    if (this.#handle === null) return
    closeSync(this.#handle)
    this.#handle = null
  }

  /** A full disk may have space again later. */
  #isOpenAgain(now: number): boolean {
    if (this.#failedAt === null || Math.abs(now - this.#failedAt) < RETRY_MS) return false
    try {
      this.open()
      this.#failedAt = null
      return true
    } catch {
      this.#failedAt = now
      return false
    }
  }

  #isFull(added: number, now: number): boolean {
    if (this.#size === 0 || this.#size + added <= this.#options.limitBytes) return false
    return this.#stuckAt === null || Math.abs(now - this.#stuckAt) >= RETRY_MS
  }

  /** @throws the system's error, when the file can neither be renamed nor grow */
  #rotate(now: number): void {
    const size = this.#size
    this.close()
    try {
      this.#rename()
      this.#stuckAt = null
    } catch (error) {
      // Windows refuses while another program reads the file: logging continues in the current file, up to a limit.
      if (size > MAX_OVERRUN * this.#options.limitBytes) throw error
      if (this.#stuckAt === null)
        process.emitWarning(`no new log file can be begun: ${messageOf(error)}`, 'HeadframeLog')
      this.#stuckAt = now
    }
    this.open()
  }

  #rename(): void {
    for (let index = this.#options.keep - 2; index >= 0; index--) {
      try {
        renameSync(this.#path(index), this.#path(index + 1))
      } catch (error) {
        if (!isSystemCode(error, 'ENOENT')) throw error
      }
    }
  }

  #path(index: number): string {
    return join(this.#options.dir, index === 0 ? 'headframe.log' : `headframe.${index}.log`)
  }
}

interface Repeats {
  windowStart: number
  written: number
  suppressed: number
  last: LogRecord
}

const WINDOW_MS = 1_000
const WINDOW_LIMIT = 10

/** Passes the first 10 occurrences of a line per second and reports the number of the others afterwards. */
export class CountingSink implements LogSink {
  readonly #seen = new Map<string, Repeats>()

  constructor(private readonly next: LogSink) {}

  write(record: LogRecord): void {
    this.flush(record.time)
    const key = `${record.level} ${record.module} ${record.message}`
    const repeats = this.#seen.get(key)
    if (repeats === undefined) {
      this.#seen.set(key, { windowStart: record.time, written: 1, suppressed: 0, last: record })
      this.next.write(record)
      return
    }
    repeats.last = record
    if (repeats.written >= WINDOW_LIMIT) {
      repeats.suppressed++
      return
    }
    repeats.written++
    this.next.write(record)
  }

  /** Ends the windows that are over at `now` (UTC ms); reports suppressed lines. */
  flush(now: number): void {
    for (const [key, repeats] of [...this.#seen]) {
      const age = now - repeats.windowStart
      if (age >= 0 && age < WINDOW_MS) continue
      this.#seen.delete(key)
      if (repeats.suppressed === 0) continue
      const fields = { ...repeats.last.fields, repeated: repeats.suppressed }
      this.next.write({ ...repeats.last, fields })
    }
  }
}
