import { createMPT } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from './trie'

type Operation = readonly [key: Uint8Array, value: Uint8Array]

/** Few different first bytes, so that paths split, join and collapse. */
const keys = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11), { minLength: 3, maxLength: 3 })
  .map((part) => Uint8Array.from(part))
const operations = fc.array(fc.tuple(keys, fc.uint8Array({ minLength: 0, maxLength: 40 })), { maxLength: 40 })

/** Applies in two commits over a node store, as two blocks would. */
function rootOf(list: readonly Operation[]): string {
  const nodes = new Map<string, Uint8Array>()
  const deps = { read: (hash: Uint8Array) => nodes.get(toHex(hash)), keccak256 }
  let root: Uint8Array = EMPTY_TRIE_ROOT
  const half = Math.floor(list.length / 2)
  for (const part of [list.slice(0, half), list.slice(half)]) {
    const trie = new Trie(root, deps)
    for (const [key, value] of part) {
      if (value.length === 0) trie.delete(key)
      else trie.put(key, value)
    }
    const committed = trie.commit()
    for (const [hash, node] of committed.nodes) nodes.set(toHex(hash), node)
    root = committed.root
  }
  return toHex(root)
}

async function referenceRoot(list: readonly Operation[]): Promise<string> {
  const trie = await createMPT()
  for (const [key, value] of list) {
    if (value.length === 0) await trie.del(key)
    else await trie.put(key, value)
  }
  return toHex(trie.root())
}

describe('trie', () => {
  it('has the root that @ethereumjs/mpt computes, whatever is put and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        expect(rootOf(list)).toBe(await referenceRoot(list))
      }),
      { numRuns: 200 },
    )
  })

  it('has the known root when empty', () => {
    expect(toHex(EMPTY_TRIE_ROOT)).toBe(toHex(keccak256(bytesOfHex('0x80'))))
    expect(rootOf([])).toBe(toHex(EMPTY_TRIE_ROOT))
  })

  it('reads back through stored nodes', () => {
    const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
    const list = Array.from({ length: 50 }, (_, i) => [keccak256(Uint8Array.of(i)), Uint8Array.of(i, 1)] as const)
    for (const [key, value] of list) trie.put(key, value)
    const { root, nodes } = trie.commit()
    const stored = new Map(nodes.map(([hash, node]) => [toHex(hash), node]))
    const again = new Trie(root, { read: (hash) => stored.get(toHex(hash)), keccak256 })

    expect(list.map(([key]) => again.get(key))).toEqual(list.map(([, value]) => value))
    expect(again.get(keccak256(Uint8Array.of(99)))).toBeNull()
    expect(again.commit()).toEqual({ root, nodes: [], dead: [] })
  })

  it("doesn't mistake a missing node for a missing key", () => {
    const trie = new Trie(keccak256(Uint8Array.of(1)), { read: noNodes, keccak256 })
    expect(() => trie.get(Uint8Array.of(1))).toThrow(/^missing trie node 0x/)
    expect(() => trie.put(Uint8Array.of(1), Uint8Array.of(1))).toThrow(/^missing trie node 0x/)
  })
})
