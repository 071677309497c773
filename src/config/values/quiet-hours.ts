// A daily time range such as 22:00-07:00 in which the desktop program shows no notifications.
import type { ValueType } from '../schema'
import { textType } from './value-types'

/** Minutes since midnight, local time; when `from` is after `to` it spans midnight. */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

const MINUTES_A_DAY = 1_440
const HOUR = 60

/** `HH:MM-HH:MM`, 24 hours; the two must differ. */
export function quietHours(): ValueType<QuietHours> {
  const parse = (text: string): QuietHours | null => {
    const match = /^(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/.exec(text)
    if (match === null) return null
    const from = minutes(match[1], match[2])
    const to = minutes(match[3], match[4])
    return from === null || to === null || from === to ? null : { from, to }
  }
  const expected = 'two different times of the day such as 22:00-07:00'
  return textType('HH:MM-HH:MM', expected, parse, ({ from, to }) => `${clockText(from)}-${clockText(to)}`)
}

/** @param minute of the local day, 0..1439 */
export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

function minutes(hours: string | undefined, rest: string | undefined): number | null {
  const value = Number(hours) * HOUR + Number(rest)
  return Number(rest) < HOUR && value < MINUTES_A_DAY ? value : null
}

function clockText(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(minute / HOUR))}:${two(minute % HOUR)}`
}
