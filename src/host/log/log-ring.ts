// The newest lines of the log of this run, for the log view of the user interface: bounded, asked for piece by piece.
import type { LogRecord, LogSink } from '../../base/logger'
import type { LogLineView } from '../../contract/logs'
import { humanText } from './log-format'

/** Lines that can be asked for; up to twice as many are held, at 200 bytes each about 8 MB. */
const KEPT = 20_000

export class LogRing implements LogSink {
  readonly #limit: number
  #lines: LogLineView[] = []
  /** Id of the next line; ids of kept lines are the ones right before it. */
  #next = 0

  constructor(limit = KEPT) {
    this.#limit = limit
  }

  write(record: LogRecord): void {
    const { time, level, module } = record
    this.#lines.push({ id: this.#next, at: time, level, module, text: humanText(record) })
    this.#next += 1
    // Cut in big steps: one line at a time would move the whole list with every line.
    if (this.#lines.length >= 2 * this.#limit) this.#lines = this.#lines.slice(-this.#limit)
  }

  /** The newest ones, oldest first. */
  last(count: number): LogLineView[] {
    return this.#lines.slice(-Math.min(count, this.#limit))
  }

  /** Lines from id `from` on, oldest first, at most `count` of them; older ones than those kept are left out. */
  read(from: number, count: number): { readonly lines: LogLineView[]; readonly next: number } {
    const first = this.#next - Math.min(this.#limit, this.#lines.length)
    const start = Math.min(Math.max(from, first), this.#next)
    const offset = this.#lines.length - (this.#next - start)
    const lines = this.#lines.slice(offset, offset + count)
    return { lines, next: start + lines.length }
  }
}
