import { describe, expect, it } from 'vitest'
import { bytesName } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import { HASH_BYTES, hashesOf, packNodes } from '../store/node-list'
import { TrieRefcounts } from './node-places'

const hashOf = (number: number): Uint8Array => keccak256(Uint8Array.of(number >> 8, number))
/** The same first 16 bytes, so that only the rest tells them apart. */
const nearHash = (number: number): Uint8Array => {
  const hash = new Uint8Array(HASH_BYTES)
  hash.set([number >> 8, number], HASH_BYTES - 2)
  return hash
}

describe('counts of places', () => {
  it.each([
    ['1,500 random hashes', hashOf, 1500],
    ['hashes with equal beginnings', nearHash, 50],
  ])('equal those of a map, for %s', (_name, named, different) => {
    const counts = new TrieRefcounts()
    const map = new Map<string, number>()
    const hashes = Array.from({ length: 6000 }, (_, index) => named((index * 7919) % different))
    const { dead: packed } = packNodes([], hashes)
    const list = counts.addList(packed)
    hashes.forEach((hash, index) => {
      const by = index % 3 === 0 ? -1 : 1
      counts.change({ list, at: index * HASH_BYTES, hasNode: false }, by)
      map.set(bytesName(hash), (map.get(bytesName(hash)) ?? 0) + by)
    })

    const entries = Array.from({ length: counts.size }, (_, entry) => [
      bytesName(counts.hash(entry)),
      counts.places(entry),
    ])
    expect(entries).toEqual([...map])
    for (const hash of hashesOf(packed.subarray(0, different * HASH_BYTES))) {
      const entry = counts.find(hash, 0)
      expect(entry === null ? null : counts.places(entry)).toBe(map.get(bytesName(hash)))
    }
    expect(counts.find(named(different), 0)).toBeNull()
  })

  it('have the node as soon as a list has it', () => {
    const counts = new TrieRefcounts()
    const { nodes, dead } = packNodes([[hashOf(1), Uint8Array.of(0xc1, 5)]], [hashOf(1)])
    const entry = counts.change({ list: counts.addList(dead), at: 0, hasNode: false }, -1)
    expect(counts.node(entry)).toBeNull()
    expect(counts.change({ list: counts.addList(nodes), at: 0, hasNode: true }, 1)).toBe(entry)
    expect([counts.node(entry), counts.places(entry)]).toEqual([Uint8Array.of(0xc1, 5), 0])
  })
})
