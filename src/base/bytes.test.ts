import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  bigintFromBytes,
  bytesFromBigint,
  bytesName,
  compareBytes,
  concatBytes,
  equalBytes,
  minimalBytes,
  wipe,
} from './bytes'
import { bytesOfHex, fromHex, toBareHex, toHex } from './hex'

const bytes = fc.uint8Array({ maxLength: 40 })

it('turns bytes into hex and back', () => {
  fc.assert(fc.property(bytes, (b) => equalBytes(bytesOfHex(toHex(b)), b) && toHex(b) === `0x${toBareHex(b)}`))
  expect(toHex(Uint8Array.of(0, 15, 255))).toBe('0x000fff')
})

it("rejects text that isn't hex", () => {
  expect(fromHex('0x123')).toBeNull()
  expect(fromHex('0xzz')).toBeNull()
  expect(fromHex('0x')).toEqual(new Uint8Array(0))
  expect(() => bytesOfHex('0x12', 2)).toThrow('1 bytes, want 2')
})

it('turns big-endian integers into bytes and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (n) => bigintFromBytes(bytesFromBigint(n, 32)) === n),
  )
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (n) => bigintFromBytes(minimalBytes(n)) === n))
})

it('reads and writes integers of every length as their hex says', () => {
  const run = fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(3), (content, zeros) => {
    const value = BigInt(`0x0${toBareHex(content)}`)
    expect(bigintFromBytes(content)).toBe(value)
    const minimal = minimalBytes(value)
    expect(toBareHex(minimal)).toBe(toBareHex(content).replace(/^(00)*/, ''))
    const padded = bytesFromBigint(value, minimal.length + zeros)
    expect(toBareHex(padded)).toBe('00'.repeat(zeros) + toBareHex(minimal))
    if (minimal.length > 0) expect(() => bytesFromBigint(value, minimal.length - 1)).toThrow('does not fit')
  })
  fc.assert(run, { numRuns: 300 })
  for (let bits = 0n; bits < 100n; bits++)
    for (const value of [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n])
      expect(minimalBytes(value).length).toBe(value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
})

it('maps each byte to one character, whatever the length', () => {
  for (let length = 0; length <= 70; length++) {
    const run = fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (content) => {
      const name = bytesName(content)
      expect([...content].map((_, at) => name.charCodeAt(at))).toEqual([...content])
      expect(name.length).toBe(length)
    })
    fc.assert(run, { numRuns: 20 })
  }
})

it('writes an integer without leading zero bytes', () => {
  expect(minimalBytes(0n)).toEqual(new Uint8Array(0))
  expect(minimalBytes(255n)).toEqual(Uint8Array.of(255))
  expect(minimalBytes(256n)).toEqual(Uint8Array.of(1, 0))
})

it("rejects an integer that doesn't fit", () => {
  expect(() => bytesFromBigint(256n, 1)).toThrow('256 does not fit 1 bytes')
  expect(() => bytesFromBigint(-1n, 1)).toThrow(RangeError)
})

it('orders big-endian numbers of equal length like their bytes', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      (a, b) => {
        const [x, y] = [bigintFromBytes(a), bigintFromBytes(b)]
        return compareBytes(a, b) === (x < y ? -1 : x > y ? 1 : 0)
      },
    ),
  )
  expect(compareBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(-1)
})

it('joins and wipes', () => {
  const joined = concatBytes(Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(2, 3))
  expect(joined).toEqual(Uint8Array.of(1, 2, 3))

  wipe(joined)

  expect(joined).toEqual(new Uint8Array(3))
})
