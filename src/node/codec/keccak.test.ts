import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBareHex } from '../../base/hex'
import { keccak256, MEMORY_BYTES, MESSAGE_AT, RATE_BYTES } from './keccak'

const patterned = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff)
/** That the module's first page holds. */
const LARGEST = MEMORY_BYTES - MESSAGE_AT - RATE_BYTES

describe('keccak256', () => {
  it("isn't the fallback here", () => {
    expect(keccak256).not.toBe(keccak_256)
  })

  it('gives the known hash of nothing', () => {
    expect(toBareHex(keccak256(new Uint8Array(0)))).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    )
  })

  it('agrees with another implementation on every length around block boundaries', () => {
    const lengths = Array.from({ length: 700 }, (_, length) => length)
    for (const length of [...lengths, LARGEST - 1, LARGEST, LARGEST + 1, 200_000, 3_000_000, 5]) {
      const data = patterned(length)
      expect(toBareHex(keccak256(data)), `${length} bytes`).toBe(toBareHex(keccak_256(data)))
    }
  })

  it('agrees on any bytes, including views and buffers, whatever was hashed before', () => {
    const run = fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.nat(64), (bytes, start) => {
      const view = bytes.subarray(Math.min(start, bytes.length))
      for (const data of [bytes, view, Buffer.from(view)])
        expect(toBareHex(keccak256(data))).toBe(toBareHex(keccak_256(data)))
    })
    fc.assert(run, { numRuns: 300 })
  })

  it('returns a new array each time', () => {
    const first = keccak256(patterned(5))
    const kept = first.slice()
    keccak256(patterned(6))
    expect(first).toEqual(kept)
    expect(first.buffer.byteLength).toBe(32)
  })
})
