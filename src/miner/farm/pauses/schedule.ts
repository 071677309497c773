// When devices may mine: weekly hours in local time, so that they follow daylight saving time (the grammar is that of
// `--schedule`).
import type { MiningHours } from '../../../config/values/mining-hours'

const DAY_MINUTES = 1_440
const DAYS = 7
const WEEKDAYS: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Evaluates `--schedule`. */
export class Schedule {
  /** Null without windows: making one takes as long as reading the whole configuration. */
  readonly #format: Intl.DateTimeFormat | null

  /** @param windows empty: always @param timeZone IANA name; default the computer's */
  constructor(
    private readonly windows: readonly MiningHours[],
    timeZone?: string,
  ) {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const zone = timeZone === undefined ? {} : { timeZone }
    this.#format = windows.length === 0 ? null : new Intl.DateTimeFormat('en-US', { ...parts, ...zone })
  }

  /** @param at UTC ms */
  allows(at: number): boolean {
    if (this.#format === null) return true
    const parts = this.#format.formatToParts(at)
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? ''
    const day = WEEKDAYS.indexOf(part('weekday'))
    const minute = Number(part('hour')) * 60 + Number(part('minute'))
    return this.windows.some((window) => covers(window, day, minute))
  }
}

function covers({ days, from, to }: MiningHours, day: number, minute: number): boolean {
  const end = to > from ? to : to + DAY_MINUTES
  const isToday = days.includes(day) && minute >= from && minute < end
  const yesterday = (day + DAYS - 1) % DAYS
  return isToday || (days.includes(yesterday) && minute + DAY_MINUTES < end)
}
