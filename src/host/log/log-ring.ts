// The newest log lines of this run, for the UI's log view: bounded, fetched in pages.
import type { LogRecord, LogSink } from '../../base/logger'
import type { LogLineView } from '../../contract/logs'
import { humanText } from './log-format'

/** Lines that can be fetched; up to twice as many are held, about 8 MB at 200 bytes each. */
const KEPT = 20_000

export class LogRing implements LogSink {
  readonly #limit: number
  #lines: LogLineView[] = []
  /** Id of the next line; kept lines have the ids right before it. */
  #next = 0

  constructor(limit = KEPT) {
    this.#limit = limit
  }

  write(record: LogRecord): void {
    const { time, level, module } = record
    this.#lines.push({ id: this.#next, at: time, level, module, text: humanText(record) })
    this.#next += 1
    // Trimmed in large steps: otherwise every line would move the whole list.
    if (this.#lines.length >= 2 * this.#limit) this.#lines = this.#lines.slice(-this.#limit)
  }

  /** The newest ones, oldest first. */
  last(count: number): LogLineView[] {
    return this.#lines.slice(-Math.min(count, this.#limit))
  }

  /** Lines from id `from` on, oldest first, at most `count`; starts later when older ones were dropped. */
  read(from: number, count: number): { readonly lines: LogLineView[]; readonly next: number } {
    const first = this.#next - Math.min(this.#limit, this.#lines.length)
    const start = Math.min(Math.max(from, first), this.#next)
    const offset = this.#lines.length - (this.#next - start)
    const lines = this.#lines.slice(offset, offset + count)
    return { lines, next: start + lines.length }
  }
}
