import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../base/bytes'
import { toHex } from '../base/hex'
import { loadAddon, nativeKeccakRanges } from './loader'

const hash = nativeKeccakRanges()
const loaded = loadAddon({ searchFrom: import.meta.dirname })
/** Every level of this processor, and the one that is taken without a name. */
const LEVELS = [...('addon' in loaded ? loaded.addon.simdLevels : []), undefined]
const RANGES_AT = 8
const HASHES_AT = 1_001
const MESSAGES_AT = 2_003

/** One message, and where it and its hash are said to be. */
interface Call {
  readonly address?: number
  readonly length?: number
  readonly ranges?: number
  readonly count?: number
  readonly hashes?: number
}

const MEMORY = Uint8Array.from({ length: 32_768 }, (_, at) => (at * 167 + (at >> 8)) & 0xff)

/** Messages at odd addresses, one byte between them, and their hashes by the reference and by the addon at each level. */
function hashesOf(lengths: readonly number[]) {
  const memory = MEMORY.slice()
  const view = new DataView(memory.buffer)
  let at = MESSAGES_AT
  const messages = lengths.map((length, index) => {
    view.setUint32(RANGES_AT + 8 * index, at, true)
    view.setUint32(RANGES_AT + 8 * index + 4, length, true)
    const message = memory.slice(at, at + length)
    at += length + 1
    return message
  })
  const wanted = concatBytes(...messages.map((message) => keccak_256(message)))
  const found = LEVELS.map((level) => {
    memory.fill(0, HASHES_AT, HASHES_AT + wanted.length)
    hash?.(memory, RANGES_AT, lengths.length, HASHES_AT, level)
    return memory.slice(HASHES_AT, HASHES_AT + wanted.length)
  })
  return { wanted: toHex(wanted), found: found.map(toHex) }
}

describe.skipIf(hash === null)('many messages hashed by the addon', () => {
  if (hash === null) return

  it('have the hashes of the reference at each level, at every length up to five blocks', () => {
    for (let length = 0; length <= 690; length++) {
      const { wanted, found } = hashesOf([length])
      expect(found, `${length} bytes`).toEqual(LEVELS.map(() => wanted))
    }
  })

  it('have the hashes of the reference at each level, 0 to 20 of mixed lengths at once', () => {
    for (let count = 0; count <= 20; count++) {
      for (let step = 0; step < 30; step++) {
        const lengths = Array.from({ length: count }, (_, index) => (index * (97 + step * 31) + step * 53) % 690)
        const { wanted, found } = hashesOf(lengths)
        expect(found, lengths.join(' ')).toEqual(LEVELS.map(() => wanted))
      }
    }
  })

  it('write nothing but the hashes', () => {
    const memory = new Uint8Array(256).fill(7)
    new DataView(memory.buffer).setBigUint64(0, (3n << 32n) | 250n, true)
    const before = memory.slice()
    hash(memory, 0, 1, 100)
    before.set(keccak_256(Uint8Array.of(7, 7, 7)), 100)
    expect(memory).toEqual(before)
  })

  it.each([
    ['a message past the end', { address: 250, length: 7 }],
    ['a message that begins past the end', { address: 257, length: 0 }],
    ['a message whose end is beyond 32 bits', { address: 200, length: 0xffff_ffff }],
    ['the list past the end', { ranges: 249 }],
    ['the list far past the end', { ranges: 0xffff_ffff }],
    ['the hashes past the end', { hashes: 225 }],
    ['more messages than the list has room for', { count: 33, hashes: 0 }],
    ['more bytes than the memory has', { length: 129, count: 2 }],
  ])('reject %s, and write nothing', (_what, call: Call) => {
    const memory = new Uint8Array(256)
    const { address = 0, length = 1, ranges = 0, count = 1, hashes = 64 } = call
    const view = new DataView(memory.buffer)
    for (const at of [0, 8]) view.setBigUint64(at, (BigInt(length) << 32n) | BigInt(address), true)
    const before = memory.slice()
    expect(() => hash(memory, ranges, count, hashes)).toThrow(RangeError)
    expect(memory).toEqual(before)
  })

  it('reject what has another type, and levels that do not exist', () => {
    const memory = new Uint8Array(256)
    expect(() => Reflect.apply(hash, undefined, [[1], 0, 1, 64])).toThrow('Uint8Array expected')
    for (const bad of [-1, 0.5, 2 ** 32, Number.NaN, '0', undefined])
      expect(() => Reflect.apply(hash, undefined, [memory, bad, 1, 64]), `${bad}`).toThrow('whole number in range')
    expect(() => hash(memory, 0, 2 ** 20 + 1, 64)).toThrow('whole number in range')
    expect(() => hash(memory, 0, 1, 64, 'neon')).toThrow('unknown level')
    expect(() => Reflect.apply(hash, undefined, [memory, 0, 1, 64, 1])).toThrow('unknown level')
  })
})
