import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snappy, unsnappy } from './snappy'

const MAX_BYTES = 10_485_760

describe('snappy', () => {
  it('unpacks overlapping copies', () => {
    // "ab" and a copy of 6 bytes from 2 back
    const packed = Uint8Array.of(8, 1 << 2, 0x61, 0x62, (2 << 2) | 1, 2)
    expect(new TextDecoder().decode(unsnappy(packed, 8) ?? undefined)).toBe('abababab')
  })

  it('returns what it was given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 60 }), (bytes, times) => {
        const data = new Uint8Array(bytes.length * times)
        for (let i = 0; i < times; i++) data.set(bytes, i * bytes.length)

        expect(unsnappy(snappy(data), MAX_BYTES)).toEqual(data)
      }),
      { numRuns: 150 },
    )
  })

  it('never throws and stays within the limit on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(unsnappy(bytes, 100)?.length ?? 0).toBeLessThanOrEqual(100)
      }),
    )
  })

  it('compresses repetition', () => {
    expect(snappy(new Uint8Array(100_000)).length).toBeLessThan(6000)
  })

  it.each([
    ['a promise of a gigabyte', [0x80, 0x80, 0x80, 0x80, 0x04, 0x00, 0x00]],
    ['a promise above 32 bits', [0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['a copy from before the start', [0x08, 0x00, 0x61, 0x0d, 0x05]],
    ['a copy from offset 0', [0x05, 0x00, 0x61, 0x01, 0x00]],
    ['a literal past the end', [0x05, 0x10, 0x61]],
    ['too few bytes', [0x05, 0x00, 0x61]],
    ['nothing', []],
  ])('rejects %s', (_what, bytes) => {
    expect(unsnappy(Uint8Array.from(bytes), MAX_BYTES)).toBeNull()
  })
})
