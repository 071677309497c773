// Records of level info and above, kept for the UI's activity list: the latest are pushed, older ones are fetched.
import { Emitter } from '../../base/events'
import type { LogRecord, LogSink } from '../../base/logger'
import type { ActivityView } from '../../contract/app'
import { fieldTexts, visible } from './log-format'

interface ActivityRingEvents {
  added: ActivityView
}

/** Newest last. */
export class ActivityRing implements LogSink {
  readonly events = new Emitter<ActivityRingEvents>()
  readonly #limits: { readonly sent: number; readonly kept: number }
  #next = 0
  #entries: ActivityView[] = []

  /** @param limits numbers of entries pushed with each change, and of entries kept */
  constructor(limits = { sent: 50, kept: 2_000 }) {
    this.#limits = limits
  }

  write(record: LogRecord): void {
    if (record.level === 'trace' || record.level === 'debug') return
    const { time, level, module, message, fields } = record
    const entry = { id: this.#next, at: time, level, module, message: visible(message), fields: fieldTexts(fields) }
    this.#next += 1
    this.#entries.push(entry)
    // Trimmed in large steps: otherwise every entry would move the whole list.
    if (this.#entries.length >= 2 * this.#limits.kept) this.#entries = this.#entries.slice(-this.#limits.kept)
    this.events.emit('added', entry)
  }

  /** The last few. */
  entries(): readonly ActivityView[] {
    return this.#entries.slice(-this.#limits.sent)
  }

  /** The last `count` kept ones with an id below `before`, oldest first; null = now. */
  before(before: number | null, count: number): ActivityView[] {
    const kept = this.#entries.slice(-this.#limits.kept)
    return kept.filter(({ id }) => before === null || id < before).slice(-count)
  }
}
