import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromWei, quantityOf, readable, toWei, wholeNumber } from './units'

describe('amounts', () => {
  it.each([
    [1_500_000_000_000_000_000n, 'lax', '1.5'],
    ['0x3b9aca00', 'gwei', '1'],
    [-1n, 'ether', '-0.000000000000000001'],
    [0, 'wei', '0'],
  ])('%s in %s are %s', (wei, unit, text) => {
    expect(fromWei(wei, unit)).toBe(text)
  })

  it('convert back from their text', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.constantFrom('wei', 'gwei', 'lax'), (wei, unit) => {
        expect(toWei(fromWei(wei, unit), unit)).toBe(wei)
      }),
    )
  })

  it.each([
    [() => toWei('0.1', 'wei'), '0.1 has more than 0 digits after the decimal point'],
    [() => toWei('1e18'), '1e18 is not a decimal amount'],
    [() => toWei(1, 'constructor'), 'constructor is not a unit; accepted: wei, kwei, mwei, gwei, lax, ether'],
    [() => fromWei(1, 'finney'), 'finney is not a unit; accepted: wei, kwei, mwei, gwei, lax, ether'],
    [
      () => wholeNumber(2 ** 60),
      '1152921504606847000 is not a whole number; write large ones with n at the end, or as text',
    ],
    [() => quantityOf(-1), '-1 is negative'],
  ])('reject invalid values', (act, message) => {
    expect(act).toThrow(message)
  })
})

describe('results', () => {
  it('have numbers for counts, bigints for amounts and large values, and leave data unchanged', () => {
    const block = {
      number: '0x10',
      nonce: '0x0000000000000042',
      hash: `0x${'1'.repeat(64)}`,
      totalDifficulty: '0x3fffffffffffff1',
      transactions: [{ value: '0x0', input: '0x1', nonce: '0x2', to: null }],
    }

    expect(readable(block)).toEqual({
      number: 16,
      nonce: '0x0000000000000042',
      hash: block.hash,
      totalDifficulty: 0x3fffffffffffff1n,
      transactions: [{ value: 0n, input: '0x1', nonce: 2, to: null }],
    })
  })
})
