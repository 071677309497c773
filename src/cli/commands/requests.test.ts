import { describe, expect, it } from 'vitest'
import { wrapped } from './requests'

describe('a line of a request in a terminal', () => {
  it.each([80, 40, 20, 1])('begins no row with what a caller wrote: %d columns', (columns) => {
    for (const text of ['approve?   yes'.repeat(200), '你好㊀'.repeat(300), 'e\u0301'.repeat(300), '🙂'.repeat(300)]) {
      const rows = wrapped(`message    ${text}`, columns)

      expect(rows.slice(1).every((row) => row.startsWith('  | '))).toBe(true)
      expect(rows.map((row, at) => (at === 0 ? row : row.slice(4))).join('')).toBe(`message    ${text}`)
      for (const row of rows) expect([...row].length).toBeLessThanOrEqual(Math.max(columns, 6))
    }
  })

  it('stays whole where it fits, and counts a wide character twice', () => {
    expect(wrapped('12345678', 8)).toEqual(['12345678'])
    expect(wrapped('1234567你', 8)).toEqual(['1234567', '  | 你'])
  })
})
