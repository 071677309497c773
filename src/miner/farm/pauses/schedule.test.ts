import { expect, it } from 'vitest'
import { Schedule } from './schedule'

const MINUTE_MS = 60_000
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const clock = (hours: number, minutes = 0): number => hours * 60 + minutes

/** Local times at which it switches between allowed and not, within `hours` from `start` (UTC). */
function changes(schedule: Schedule, start: string, hours: number): string[] {
  const first = Date.parse(start)
  const seen: string[] = []
  for (let minute = 1; minute <= hours * 60; minute++) {
    const at = first + minute * MINUTE_MS
    const now = schedule.allows(at)
    if (now === schedule.allows(at - MINUTE_MS)) continue
    const local = new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
    seen.push(`${local} ${now ? 'on' : 'off'}`)
  }
  return seen
}

it('always allows mining without windows', () => {
  expect(new Schedule([]).allows(Date.parse('2026-03-29T01:30:00Z'))).toBe(true)
})

it('resumes and pauses at the set minute, across midnight too', () => {
  const nights = new Schedule([{ days: [5], from: clock(22), to: clock(6, 30) }], 'Europe/Berlin') // Friday nights

  expect(changes(nights, '2026-06-18T22:00:00Z', 72)).toEqual(['2026-06-19 22:00:00 on', '2026-06-20 06:30:00 off'])
})

it('follows the wall clock when daylight saving time begins and ends', () => {
  const nights = new Schedule([{ days: EVERY_DAY, from: clock(22), to: clock(6) }], 'Europe/Berlin')

  const spring = changes(nights, '2026-03-28T12:00:00Z', 36)
  const autumn = changes(nights, '2026-10-24T12:00:00Z', 36)

  expect(spring.map((line) => line.slice(0, 19))).toEqual([
    '2026-03-28 22:00:00',
    '2026-03-29 06:00:00',
    '2026-03-29 22:00:00',
  ])
  expect(autumn.map((line) => line.slice(0, 19))).toEqual([
    '2026-10-24 22:00:00',
    '2026-10-25 06:00:00',
    '2026-10-25 22:00:00',
  ])
})

it('begins with the next existing hour if the set hour is skipped', () => {
  const early = new Schedule([{ days: EVERY_DAY, from: clock(2, 30), to: clock(5) }], 'Europe/Berlin')

  expect(changes(early, '2026-03-28T20:00:00Z', 12).map((line) => line.slice(0, 19))).toEqual([
    '2026-03-29 03:00:00',
    '2026-03-29 05:00:00',
  ])
})

it('allows all of a day that ends at 24:00', () => {
  const sundays = new Schedule([{ days: [0], from: 0, to: clock(24) }], 'Europe/Berlin')

  expect(changes(sundays, '2026-06-19T22:00:00Z', 72)).toEqual(['2026-06-21 00:00:00 on', '2026-06-22 00:00:00 off'])
})
