// The morning report: a summary of the last day, made each morning from the records and kept for a month.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { type Clock, DAY_MS } from '../../base/time'
import { type DayReportView, dayReportSchema } from '../../contract/pools'
import type { KeptJson } from '../../files/json-file'

/** Local hour at which a day ends. */
const MORNING_HOUR = 7
const LOOK_MS = 15_000
/** A shorter period isn't worth a report. */
const MIN_MS = 3_600_000
const MAX_REPORTS = 31

/** Stored across restarts: newest first. */
export const dayReportsSchema = z.object({ version: z.literal(1), reports: z.array(dayReportSchema).max(1_000) })

export type DayReportsStore = Pick<KeptJson<z.infer<typeof dayReportsSchema>>, 'load' | 'save'>

interface DayReportsDeps {
  /** Records since `from` (UTC ms); null when nothing was mined then. */
  readonly gather: (from: number, to: number) => DayReportView | null
  /** UTC ms of the last local morning. */
  readonly lastMorning: (now: number) => number
  readonly store: DayReportsStore
  readonly clock: Clock
  readonly log: Logger
}

/** A report each morning of the day before, also of one that was slept through. */
export class DayReports implements Service {
  readonly name = 'reports'
  readonly events = new Emitter<{ changed: null }>()
  readonly #held = new Disposables()
  /** Newest first. */
  reports: readonly DayReportView[] = []
  /** The last morning processed, with or without a report. */
  #done = 0

  constructor(private readonly deps: DayReportsDeps) {}

  async start(): Promise<void> {
    const { store, clock } = this.deps
    this.reports = (await store.load())?.reports ?? []
    this.#done = this.reports[0]?.to ?? 0
    this.#held.add(clock.setInterval(() => void this.#look(), LOOK_MS))
    await this.#look()
  }

  async stop(): Promise<void> {
    this.#held.dispose()
  }

  /** Also for a morning that passed while the program was off. */
  async #look(): Promise<void> {
    const { clock, lastMorning, gather, store, log } = this.deps
    const now = clock.now()
    // A clock that was ahead must not suppress all mornings until then.
    this.#done = Math.min(this.#done, now)
    if (this.#done >= lastMorning(now)) return
    this.#done = now
    const report = gather(now - DAY_MS, now)
    if (report === null || report.to - report.from < MIN_MS) return
    this.reports = [report, ...this.reports].slice(0, MAX_REPORTS)
    this.events.emit('changed', null)
    try {
      await store.save({ version: 1, reports: [...this.reports] })
    } catch (error: unknown) {
      log.warn('the morning report could not be written', { error: messageOf(error) })
    }
  }
}

/** The last time it was seven in the morning, local time. */
export function lastMorning(now: number): number {
  const day = new Date(now)
  day.setHours(MORNING_HOUR, 0, 0, 0)
  if (day.getTime() > now) day.setDate(day.getDate() - 1)
  return day.getTime()
}
