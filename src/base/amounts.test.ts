import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromQuantity, toQuantity } from './quantity'
import { Secret } from './secret'
import { formatDecimal, parseDecimal } from './units'

it('writes wei exactly, without trailing zeros', () => {
  expect(formatDecimal(12_500_000_000_000_000_001n)).toBe('12.500000000000000001')
  expect(formatDecimal(1_500_000_000_000_000_000n)).toBe('1.5')
  expect(formatDecimal(1n)).toBe('0.000000000000000001')
  expect(formatDecimal(0n)).toBe('0')
  expect(formatDecimal(-5n, 1)).toBe('-0.5')
})

it('reads back what it wrote', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (wei) => parseDecimal(formatDecimal(wei)) === wei))
})

it("rejects text that isn't an amount, or is too precise", () => {
  expect(parseDecimal('1.0000000000000000001')).toBeNull()
  expect(parseDecimal('-1')).toBeNull()
  expect(parseDecimal('1e3')).toBeNull()
  expect(parseDecimal('')).toBeNull()
})

it('writes and strictly parses quantities', () => {
  expect(toQuantity(0n)).toBe('0x0')
  expect(toQuantity(255)).toBe('0xff')
  expect(fromQuantity('0XfF')).toBe(255n)
  for (const bad of ['0x', '0x01', '1', 'ff', '0xg', `0x1${'0'.repeat(64)}`, '-0x1', ''])
    expect(fromQuantity(bad)).toBeNull()
  expect(() => toQuantity(-1n)).toThrow(RangeError)
})

it('never prints a secret', () => {
  const secret = new Secret('hunter2 hunter2')

  expect(`${secret} ${String(secret)} ${JSON.stringify({ secret })}`).not.toContain('hunter2')
  expect(secret.reveal()).toBe('hunter2 hunter2')
})
