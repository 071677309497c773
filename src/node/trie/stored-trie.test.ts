import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { StoredTrie } from './stored-trie'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from './trie'

/** Keys that diverge early and late, down to the last nibble. */
const keys = fc
  .tuple(fc.constantFrom(0x00, 0x01, 0x10, 0xff), fc.constantFrom(0x00, 0x01, 0x02, 0x10))
  .map(([first, last]) => new Uint8Array(32).fill(7).fill(first, 0, 1).fill(last, 31))
const contents = fc.uniqueArray(fc.tuple(keys, fc.uint8Array({ minLength: 1, maxLength: 40 })), {
  maxLength: 12,
  selector: ([key]) => toHex(key),
})

function stored(entries: readonly (readonly [Uint8Array, Uint8Array])[]) {
  const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  for (const [key, value] of entries) trie.put(key, value)
  const { root, nodes } = trie.commit()
  const byHash = new Map(nodes.map(([hash, node]) => [toHex(hash), node]))
  return { root, trie: new StoredTrie(root, (hash) => byHash.get(toHex(hash))) }
}

describe('a stored trie', () => {
  it('gives its entries in ascending order from any key on', () => {
    fc.assert(
      fc.property(contents, keys, (entries, first) => {
        const { trie } = stored(entries)
        const wanted = entries
          .filter(([key]) => compareBytes(key, first) >= 0)
          .sort(([a], [b]) => compareBytes(a, b))
          .map(([key, value]) => ({ key, value }))
        expect([...trie.entriesFrom(first)]).toEqual(wanted)
        for (const { key, value } of wanted) expect(trie.get(key)).toEqual(value)
      }),
    )
  })

  it("proves what is there and what isn't, as @ethereumjs/mpt verifies it", async () => {
    await fc.assert(
      fc.asyncProperty(contents, keys, async (entries, key) => {
        fc.pre(entries.length > 0)
        const { trie, root } = stored(entries)
        const value = entries.find(([other]) => toHex(other) === toHex(key))?.[1] ?? null
        const seen = await verifyMPTWithMerkleProof(await createMPT(), root, key, [...trie.proof(key)])
        expect(seen === null ? null : toHex(seen)).toBe(value === null ? null : toHex(value))
        const peer = await createMPT()
        for (const [name, content] of entries) await peer.put(name, content)
        expect(toHex(peer.root())).toBe(toHex(root))
      }),
      { numRuns: 50 },
    )
  })

  it('names the nodes along a path, and nothing if there is none', () => {
    const entries = [...Array(40).keys()].map((i) => [keccak256(Uint8Array.of(i)), new Uint8Array(40).fill(i)] as const)
    const { trie, root } = stored(entries)
    const [first] = entries
    const key = first?.[0] ?? new Uint8Array(32)
    const nibbles = Uint8Array.from([...key].flatMap((byte) => [byte >> 4, byte & 15]))

    const proof = trie.proof(key)
    expect(toHex(keccak256(trie.nodeAt(new Uint8Array(0))))).toBe(toHex(root))
    expect(proof.length).toBeGreaterThan(1)
    // All upper nodes of these tries are branches: one nibble per node.
    expect(proof.map((_, depth) => trie.nodeAt(nibbles.subarray(0, depth)))).toEqual(proof)
    expect(trie.nodeAt(nibbles)).toHaveLength(0)
    expect(trie.nodeAt(new Uint8Array(200))).toHaveLength(0)
  })

  it("doesn't mistake a missing node for a missing key", () => {
    const trie = new StoredTrie(keccak256(Uint8Array.of(1)), noNodes)
    expect(() => [...trie.entriesFrom(new Uint8Array(32))]).toThrow(/^missing trie node 0x/)
    expect(() => trie.proof(new Uint8Array(32))).toThrow(/^missing trie node 0x/)
    expect(() => trie.nodeAt(new Uint8Array(0))).toThrow(/^missing trie node 0x/)
  })

  it("ends early on a node that isn't a root of a trie with 32-byte keys", () => {
    const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
    for (let i = 0; i < 20; i++) trie.put(Uint8Array.of(i, i), new Uint8Array(33))
    const { root, nodes } = trie.commit()
    const byHash = new Map(nodes.map(([hash, node]) => [toHex(hash), node]))
    expect([...new StoredTrie(root, (hash) => byHash.get(toHex(hash))).entriesFrom(new Uint8Array(32))]).toEqual([])
  })
})
