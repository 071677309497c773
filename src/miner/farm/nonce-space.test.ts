import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NonceSpace } from './nonce-space'

it('gives device i the segment at start + i * 2^bits', () => {
  const space = new NonceSpace({ start: 5n, extranonce: null, devices: 3, bits: 40 })

  expect(space.take(2)).toEqual({ start: 5n + 2n * 2n ** 40n, bits: 40 })
  expect(space.take(0)).toEqual({ start: 5n, bits: 40 })
  expect(space.take(1)).toEqual({ start: 5n + 2n ** 40n, bits: 40 })
})

it('continues with the next free segment above the last', () => {
  const space = new NonceSpace({ start: 0n, extranonce: null, devices: 2, bits: 40 })
  space.take(0)

  expect(space.take(0)?.start).toBe(2n * 2n ** 40n)
  expect(space.take(0)?.start).toBe(3n * 2n ** 40n)
  expect(space.take(1)?.start).toBe(2n ** 40n)
})

it('wraps around 2^64', () => {
  const space = new NonceSpace({ start: 2n ** 64n - 1n, extranonce: null, devices: 2, bits: 40 })

  expect(space.take(1)?.start).toBe(2n ** 40n - 1n)
})

it('stays below an extranonce, with narrower segments if space is short', () => {
  const space = new NonceSpace({ start: 5n, extranonce: { bits: 32, prefix: 0xabcdn }, devices: 3, bits: 40 })

  expect(space.bits).toBe(30)
  expect(space.take(0)).toEqual({ start: 0xabcdn << 32n, bits: 30 })
})

it('has an end', () => {
  const space = new NonceSpace({ start: 0n, extranonce: { bits: 56, prefix: 1n }, devices: 2, bits: 40 })
  space.take(0)
  space.take(1)

  expect(space.take(0)).toBeNull()
})

it('never gives a nonce twice, nor one outside the extranonce', () => {
  const extranonce = fc.option(
    fc
      .integer({ min: 1, max: 7 })
      .chain((bytes) =>
        fc.bigInt({ min: 0n, max: 2n ** BigInt(8 * bytes) - 1n }).map((prefix) => ({ bits: 8 * bytes, prefix })),
      ),
  )
  fc.assert(
    fc.property(
      fc.record({
        start: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        extranonce,
        devices: fc.integer({ min: 1, max: 20 }),
        bits: fc.integer({ min: 10, max: 63 }),
      }),
      fc.array(fc.nat(19), { maxLength: 60 }),
      (options, takers) => {
        const space = new NonceSpace(options)
        const taken = takers.flatMap((taker) => space.take(taker % options.devices) ?? [])
        const starts = new Set(
          taken.map(({ start }) => ((start - options.start + 2n ** 64n) % 2n ** 64n) >> BigInt(space.bits)),
        )
        const inside = taken.every(
          ({ start }) =>
            options.extranonce === null || start >> BigInt(64 - options.extranonce.bits) === options.extranonce.prefix,
        )
        return inside && (options.extranonce !== null || starts.size === taken.length)
      },
    ),
  )
})
