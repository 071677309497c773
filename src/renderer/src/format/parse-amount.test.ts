import { describe, expect, it } from 'vitest'
import { amountText, parseAmount, readAmount } from './parse-amount'

describe('typed amounts', () => {
  it.each([
    ['0', 0n],
    ['1.5', 15n * 10n ** 17n],
    ['1,5', 15n * 10n ** 17n],
    ['0.125', 125n * 10n ** 15n],
    ['0,125', 125n * 10n ** 15n],
    ['1234.567', 1_234_567n * 10n ** 15n],
    ['1.1250', 1125n * 10n ** 15n],
    [' 12.500000000000000001 ', 12_500_000_000_000_000_001n],
  ])('reads %s exactly', (text, wei) => {
    expect(parseAmount(text, 18)).toBe(wei)
  })

  it.each(['', '.', '1.', '.5', '1.2.3', '1,234,567', '1.234,56', '1 000', "1'000", '-1', '1e3', '0x10', '١'])(
    "doesn't guess what %s means",
    (text) => {
      expect(readAmount(text, 18)).toEqual({ value: null, fault: { kind: 'notNumber' } })
    },
  )

  it.each([
    ['1.000', '1', '1000'],
    ['1,000', '1', '1000'],
    ['1.500', '1.5', '1500'],
    ['21,125', '21,1250', '21125'],
    ['999.999', '999.9990', '999999'],
  ])('refuses %s, which is %s or %s', (text, small, large) => {
    expect(readAmount(text, 18)).toEqual({ value: null, fault: { kind: 'ambiguous', small, large } })
    expect(parseAmount(small, 18)).not.toBeNull()
    expect(parseAmount(large, 18)).not.toBeNull()
  })

  it('has no more decimals than its unit', () => {
    expect(readAmount('1.0000000000000000001', 18).fault).toEqual({ kind: 'tooFine', decimals: 18 })
    expect(readAmount('21.5', 0).fault).toEqual({ kind: 'tooFine', decimals: 0 })
    expect(readAmount('21.000', 0).fault).toEqual({ kind: 'ambiguous', small: '21', large: '21000' })
  })

  it('writes what it reads back', () => {
    for (const wei of [0n, 1n, 10n ** 18n, 12_500_000_000_000_000_001n, 1_125n * 10n ** 15n, 1_234_567n * 10n ** 15n])
      expect(parseAmount(amountText(wei, 18), 18)).toBe(wei)
    expect(amountText(20_000_000_000n, 9)).toBe('20')
    expect(amountText(1_125_000_000n, 9)).toBe('1.1250')
  })
})
