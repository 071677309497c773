import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger, splitRlpSequence } from './rlp'

const items: fc.Arbitrary<RlpItem> = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 5 })),
})).item

describe('RLP', () => {
  it('gives back what it encoded', () => {
    fc.assert(
      fc.property(items, (item) => {
        expect(decodeRlp(encodeRlp(item))).toEqual({ ok: true, value: item })
      }),
    )
  })

  it('has one encoding per value: what decodes encodes to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const decoded = decodeRlp(bytes)
        if (decoded.ok) expect(toHex(encodeRlp(decoded.value))).toBe(toHex(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['nothing', '0x', 'rlp: unexpected end'],
    ['a single byte in long form', '0x817f', 'rlp: non-canonical size information'],
    ['a short string in long form', '0xb801aa', 'rlp: non-canonical size information'],
    ['a length with leading zero', `0xb90038${'aa'.repeat(56)}`, 'rlp: non-canonical size information'],
    ['a length beyond the end', '0x83aabb', 'rlp: value larger than its container'],
    ['a child beyond its list', '0xc183', 'rlp: value larger than its container'],
    ['a length of 8 bytes', '0xbfffffffffffffffff', 'rlp: non-canonical size information'],
    ['trailing bytes', '0x8080', 'rlp: bytes after the end'],
  ])('refuses %s', (_name, text, error) => {
    expect(decodeRlp(bytesOfHex(text))).toEqual({ ok: false, error })
  })

  it('refuses what is nested deeper than any value of the chain', () => {
    const nested = Array.from({ length: 40 }).reduce<RlpItem>((inner) => [inner], new Uint8Array(0))
    expect(decodeRlp(encodeRlp(nested))).toEqual({ ok: false, error: 'rlp: nested too deep' })
  })

  it('takes lists of any length', () => {
    const item = Array.from({ length: 200_000 }, () => Uint8Array.of(7))
    const decoded = decodeRlp(encodeRlp(item))
    expect(decoded.ok && decoded.value.length).toBe(item.length)
  })

  it('takes no more items than it is told to', () => {
    const encoded = encodeRlp([[], []])
    expect(decodeRlp(encoded, { mostItems: 2 })).toEqual({ ok: false, error: 'rlp: too many items' })
    expect(decodeRlp(encoded, { mostItems: 3 }).ok).toBe(true)
  })

  it('encodes integers without leading zeros', () => {
    expect([0n, 1n, 255n, 256n].map((value) => toHex(rlpInteger(value)))).toEqual(['0x', '0x01', '0xff', '0x0100'])
  })

  it('splits a sequence, and says so when its end is missing', () => {
    expect(splitRlpSequence(bytesOfHex('0x01c0820202'))).toEqual({
      ok: true,
      value: [bytesOfHex('0x01'), bytesOfHex('0xc0'), bytesOfHex('0x820202')],
    })
    expect(splitRlpSequence(bytesOfHex('0x01c2'))).toMatchObject({ ok: false })
  })
})
