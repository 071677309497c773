import { describe, expect, it } from 'vitest'
import { miningHours } from './mining-hours'

const { parse, fromToml, format, merge } = miningHours()
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

describe('hours to mine in', () => {
  it.each([
    ['22:00-06:00', { days: EVERY_DAY, from: 1_320, to: 360 }],
    ['mon-fri@22:30-06:00', { days: [1, 2, 3, 4, 5], from: 1_350, to: 360 }],
    ['Fri-Mon@00:00-24:00', { days: [5, 6, 0, 1], from: 0, to: 1_440 }],
    ['sun@12:00-00:00', { days: [0], from: 720, to: 1_440 }],
    ['tue-tue@08:00-09:15', { days: [2], from: 480, to: 555 }],
  ] as const)('reads %s', (text, window) => {
    expect(parse(text)).toEqual([window])
  })

  it('reads several, from text and from a config file, and joins those of a repeated option', () => {
    const both = parse('22:00-06:00, sat-sun@10:00-12:00')

    expect(both).toHaveLength(2)
    expect(fromToml(['22:00-06:00', 'sat-sun@10:00-12:00'])).toEqual(both)
    expect(fromToml('22:00-06:00,sat-sun@10:00-12:00')).toEqual(both)
    expect(merge?.(parse('22:00-06:00') ?? [], parse('sat-sun@10:00-12:00') ?? [])).toEqual(both)
  })

  it.each(['22:00-06:00', 'mon-fri@22:30-06:00', 'fri-mon@00:00-24:00', 'sun@12:00-24:00', 'sat@07:05-09:00'])(
    'writes %s as it would be typed',
    (text) => {
      expect(format(parse(text) ?? [])).toBe(text)
    },
  )

  it.each([
    '',
    '22-06',
    '24:00-06:00',
    '22:60-06:00',
    '25:00-06:00',
    '06:00-24:01',
    '08:00-08:00',
    'foo@08:00-09:00',
    'mon@',
  ])('rejects %j', (text) => {
    expect(parse(text)).toBeNull()
  })

  it("rejects values that aren't text", () => {
    expect(fromToml([22, 6])).toBeNull()
    expect(fromToml(true)).toBeNull()
  })
})
