import { describe, expect, it } from 'vitest'
import { WordMap } from './word-map'

describe('a map keyed by words', () => {
  it('keeps what is set, replaces, deletes and clears', () => {
    const map = new WordMap<string>()
    map.set(0n, 'zero')
    map.set(2n ** 256n - 1n, 'last')
    map.set(0n, 'nothing')
    expect([map.get(0n), map.get(2n ** 256n - 1n), map.get(1n)]).toEqual(['nothing', 'last', undefined])
    map.delete(0n)
    expect(map.get(0n)).toBeUndefined()
    expect([...map.entries()]).toEqual([[2n ** 256n - 1n, 'last']])
    map.clear()
    expect([map.get(2n ** 256n - 1n), ...map.entries()]).toEqual([undefined])
  })

  it('tells colliding keys apart', () => {
    const map = new WordMap<bigint>((key) => key % 3n)
    for (let key = 0n; key < 30n; key++) map.set(key, key * key)
    map.delete(4n)
    map.delete(5n)
    map.set(7n, 1n)
    const expected = Array.from({ length: 30 }, (_, key) => (key === 7 ? 1n : BigInt(key * key)))
    expect(Array.from({ length: 30 }, (_, key) => map.get(BigInt(key)))).toEqual(
      expected.map((value, key) => (key === 4 || key === 5 ? undefined : value)),
    )
    expect([...map.entries()]).toHaveLength(28)
  })

  it("takes 200,000 keys with equal lowest 64 bits, as a contract's owner may choose them", () => {
    const map = new WordMap<number>()
    for (let index = 0; index < 200_000; index++) map.set(BigInt(index) << 64n, index)
    expect(map.get(123_456n << 64n)).toBe(123_456)
  })
})
