// The last records of level info and above, kept for the UI's activity list.
import { Emitter } from '../base/events'
import type { LogRecord, LogSink } from '../base/logger'
import type { ActivityView } from '../contract/app'
import { fieldTexts, visible } from './log-format'

export interface ActivityRingEvents {
  added: ActivityView
}

/** Newest last. */
export class ActivityRing implements LogSink {
  readonly events = new Emitter<ActivityRingEvents>()
  readonly #limit: number
  #next = 0
  #entries: readonly ActivityView[] = []

  constructor(limit = 50) {
    this.#limit = limit
  }

  write(record: LogRecord): void {
    if (record.level === 'trace' || record.level === 'debug') return
    const { time, level, module, message, fields } = record
    const entry = { id: this.#next, at: time, level, module, message: visible(message), fields: fieldTexts(fields) }
    this.#next += 1
    this.#entries = [...this.#entries.slice(1 - this.#limit), entry]
    this.events.emit('added', entry)
  }

  entries(): readonly ActivityView[] {
    return this.#entries
  }
}
