import { describe, expect, it } from 'vitest'
import { isQuiet, quietHours } from './quiet-hours'

describe('quiet hours', () => {
  it.each(['22:00-07:00', '00:00-23:59', '12:30-13:00'])('are read and written as %s', (text) => {
    const type = quietHours()
    const value = type.parse(text)

    expect(value === null ? null : type.format(value)).toBe(text)
  })

  it.each(['', '22-7', '24:00-07:00', '22:60-07:00', '07:00-07:00', '22:00-07:00 '])('reject %j', (text) => {
    expect(quietHours().parse(text)).toBeNull()
  })

  it.each([
    [22 * 60, true],
    [23 * 60 + 59, true],
    [0, true],
    [7 * 60 - 1, true],
    [7 * 60, false],
    [12 * 60, false],
  ])('over midnight include minute %i: %s', (minute, expected) => {
    expect(isQuiet({ from: 22 * 60, to: 7 * 60 }, minute)).toBe(expected)
  })

  it('within a day run from their start to before their end', () => {
    const noon = { from: 720, to: 780 }

    expect([719, 720, 779, 780].map((minute) => isQuiet(noon, minute))).toEqual([false, true, true, false])
  })
})
