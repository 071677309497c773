// The last records of level info and above, kept for the UI's activity list.
import { Emitter } from '../base/events'
import type { LogRecord, LogSink } from '../base/logger'
import type { ActivityView } from '../contract/app'
import { humanText } from './log-format'

export interface ActivityRingEvents {
  added: ActivityView
}

/** Newest last. */
export class ActivityRing implements LogSink {
  readonly events = new Emitter<ActivityRingEvents>()
  readonly #limit: number
  #entries: readonly ActivityView[] = []

  constructor(limit = 50) {
    this.#limit = limit
  }

  write(record: LogRecord): void {
    if (record.level === 'trace' || record.level === 'debug') return
    const entry = { at: record.time, level: record.level, module: record.module, text: humanText(record) }
    this.#entries = [...this.#entries.slice(1 - this.#limit), entry]
    this.events.emit('added', entry)
  }

  entries(): readonly ActivityView[] {
    return this.#entries
  }
}
