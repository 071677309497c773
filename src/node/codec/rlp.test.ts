import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import {
  decodeRlp,
  encodedList,
  encodeRlp,
  firstItems,
  type RlpItem,
  rlpFields,
  rlpInteger,
  rlpSlice,
  rlpSlices,
} from './rlp'

const items: fc.Arbitrary<RlpItem> = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 5 })),
})).item

describe('RLP', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(items, (item) => {
        expect(decodeRlp(encodeRlp(item))).toEqual({ ok: true, value: item })
      }),
    )
  })

  it('puts encoded items into a list, and takes the first ones out again', () => {
    const run = fc.property(fc.array(items, { maxLength: 12 }), fc.nat(12), (members, count) => {
      const parts = members.map(encodeRlp)
      const list = encodedList(parts)
      expect(toHex(list)).toBe(toHex(encodeRlp(members)))
      const taken = Math.min(count, members.length)
      expect(toHex(firstItems(list, taken))).toBe(toHex(Buffer.concat(parts.slice(0, taken))))
    })
    fc.assert(run)
  })

  it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])('says that %d bytes follow', (length) => {
    const encoded = encodeRlp(new Uint8Array(length).fill(0xaa))
    const digits = length.toString(16)
    const long = digits.length % 2 === 0 ? digits : `0${digits}`
    const prefix =
      length === 1 ? '81' : length < 56 ? (0x80 + length).toString(16) : (0xb7 + long.length / 2).toString(16) + long
    expect(toHex(encoded.subarray(0, encoded.length - length))).toBe(`0x${prefix}`)
    const list = decodeRlp(encodedList([encoded]))
    const [payload] = list.ok && !(list.value instanceof Uint8Array) ? list.value : []
    expect(payload?.length).toBe(length)
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
  ])('rejects %s', (_name, text, error) => {
    expect(decodeRlp(bytesOfHex(text))).toEqual({ ok: false, error })
  })

  it('rejects deeper nesting than any value of the chain has', () => {
    const nested = Array.from({ length: 40 }).reduce<RlpItem>((inner) => [inner], new Uint8Array(0))
    expect(decodeRlp(encodeRlp(nested))).toEqual({ ok: false, error: 'rlp: nested too deep' })
  })

  it('takes many items if they are long enough, or if they are our own', () => {
    const many = (length: number) => encodeRlp(Array.from({ length: 200_000 }, () => new Uint8Array(length).fill(7)))

    for (const decoded of [decodeRlp(many(5)), decodeRlp(many(1), null)])
      expect(decoded.ok && decoded.value.length).toBe(200_000)
    expect(decodeRlp(many(1))).toEqual({ ok: false, error: 'rlp: too many items' })
  })

  it('accepts no more items than it is told to', () => {
    const encoded = encodeRlp([[], []])
    expect(decodeRlp(encoded, 2)).toEqual({ ok: false, error: 'rlp: too many items' })
    expect(decodeRlp(encoded, 3).ok).toBe(true)
  })

  it('encodes integers without leading zeros', () => {
    expect([0n, 1n, 255n, 256n].map((value) => toHex(rlpInteger(value)))).toEqual(['0x', '0x01', '0xff', '0x0100'])
  })

  it('splits a sequence into its raw items, up to the first error', () => {
    const cut = [...rlpSlices(bytesOfHex('0x01c1c082020283'))]

    expect(cut.map((part) => (part.ok ? toHex(part.value.encoded) : part.error))).toEqual([
      '0x01',
      '0xc1c0',
      '0x820202',
      'rlp: value larger than its container',
    ])
    expect(cut.map((part) => part.ok && part.value.isList)).toEqual([false, true, false, false])
    expect(cut.map((part) => (part.ok ? toHex(part.value.payload) : ''))).toEqual(['0x01', '0xc0', '0x0202', ''])
  })

  it('splits what it accepts in full into the same items', () => {
    fc.assert(
      fc.property(items, (item) => {
        const encoded = encodeRlp(item)
        const slice = rlpSlice(encoded)
        if (!slice.ok) throw new Error(slice.error)
        expect(slice.value.isList).toBe(!(item instanceof Uint8Array))
        const children = item instanceof Uint8Array ? [] : item.map((child) => toHex(encodeRlp(child)))
        const cut = item instanceof Uint8Array ? [] : [...rlpSlices(slice.value.payload)]
        expect(cut.map((part) => part.ok && toHex(part.value.encoded))).toEqual(children)
      }),
    )
  })

  it.each([
    ['too few fields', '0xc101'],
    ['too many fields', '0xc3010203'],
    ['a byte string', '0x820102'],
  ])('rejects %s if a list of two is expected', (_name, text) => {
    expect(rlpFields(bytesOfHex(text), 2, 'want 2')).toEqual({ ok: false, error: 'want 2' })
  })

  it('rejects bytes after a single item', () => {
    expect(rlpSlice(bytesOfHex('0xc0c0'))).toEqual({ ok: false, error: 'rlp: bytes after the end' })
  })
})
