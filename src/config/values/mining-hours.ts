// Weekly hours in which devices mine: `--schedule mon-fri@22:00-06:00,sat-sun@00:00-24:00`.
import type { ValueType } from '../schema'
import { listType } from './value-types'

/** A time range on each of its days; when it ends at or before its start, it ends on the next day. */
export interface MiningHours {
  /** 0 Sunday .. 6 Saturday: the days on which it begins, without duplicates */
  readonly days: readonly number[]
  /** minutes of the day, 0..1439 */
  readonly from: number
  /** minutes of the day, 1..1440 */
  readonly to: number
}

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const ALL_DAYS: readonly number[] = DAYS.map((_, day) => day)
const WINDOW = /^(?:([a-z]{3})(?:-([a-z]{3}))?@)?(\d{2}):(\d{2})-(\d{2}):(\d{2})$/
const HOUR = 60
const DAY_END = 24 * HOUR

/** Empty: always. */
export function miningHours(): ValueType<readonly MiningHours[]> {
  return listType({
    placeholder: 'HOURS',
    expected: 'a comma list of hours, with days in front or not: 22:00-06:00, mon-fri@22:00-06:00, sun@00:00-24:00',
    read: (words) => {
      const windows = words.flatMap((word) => word.split(',')).map((part) => parseWindow(part.trim().toLowerCase()))
      const known = windows.filter((window) => window !== null)
      return known.length === windows.length ? known : null
    },
    format: formatWindow,
  })
}

function parseWindow(text: string): MiningHours | null {
  const match = WINDOW.exec(text)
  if (match === null) return null
  const [, first, last, fromHour, fromMinute, toHour, toMinute] = match
  const days = first === undefined ? ALL_DAYS : dayRange(first, last ?? first)
  const from = minuteOf(fromHour, fromMinute)
  const to = minuteOf(toHour, toMinute)
  if (days === null || from === null || to === null || from === DAY_END || from === to) return null
  return { days, from, to: to === 0 ? DAY_END : to }
}

/** May wrap around the week: `fri-mon`. */
function dayRange(first: string, last: string): readonly number[] | null {
  const from = DAYS.indexOf(first)
  const to = DAYS.indexOf(last)
  if (from < 0 || to < 0) return null
  const count = ((to - from + DAYS.length) % DAYS.length) + 1
  return Array.from({ length: count }, (_, i) => (from + i) % DAYS.length)
}

/** 0..1440; `24:00` is the end of the day. */
function minuteOf(hour = '', minute = ''): number | null {
  const minutes = Number(hour) * HOUR + Number(minute)
  return Number(minute) < HOUR && minutes <= DAY_END ? minutes : null
}

function formatWindow({ days, from, to }: MiningHours): string {
  const time = (minutes: number): string => {
    const pad = (value: number): string => String(value).padStart(2, '0')
    return `${pad(Math.floor(minutes / HOUR))}:${pad(minutes % HOUR)}`
  }
  const hours = `${time(from)}-${time(to)}`
  if (days.length === DAYS.length) return hours
  const first = DAYS[days[0] ?? 0]
  const last = DAYS[days.at(-1) ?? 0]
  return days.length === 1 ? `${first}@${hours}` : `${first}-${last}@${hours}`
}
