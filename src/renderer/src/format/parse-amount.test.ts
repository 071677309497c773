import { describe, expect, it } from 'vitest'
import { amountText, parseAmount } from './parse-amount'

describe('typed amounts', () => {
  it.each([
    ['0', 0n],
    ['1.5', 15n * 10n ** 17n],
    ['1,5', 15n * 10n ** 17n],
    [' 12.500000000000000001 ', 12_500_000_000_000_000_001n],
  ])('reads %s exactly', (text, wei) => {
    expect(parseAmount(text, 18)).toBe(wei)
  })

  it.each(['', '.', '1.', '.5', '1,500', '1.2.3', '-1', '1e3', '0x10', '1.0000000000000000001', '١'])(
    "doesn't guess what %s means",
    (text) => {
      expect(parseAmount(text, 18)).toBeNull()
    },
  )

  it('writes what it reads back', () => {
    for (const wei of [0n, 1n, 10n ** 18n, 12_500_000_000_000_000_001n]) {
      expect(parseAmount(amountText(wei, 18), 18)).toBe(wei)
    }
    expect(amountText(20_000_000_000n, 9)).toBe('20')
  })
})
