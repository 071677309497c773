// Reads a stored trie in key order and node by node, with Merkle proofs.
import { compareBytes, EMPTY_BYTES, equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { StoreError } from '../errors'
import { commonPrefix, nibblesOf } from './nibbles'
import { decodeNode, type TrieNode } from './node'
import { EMPTY_TRIE_ROOT, type NodeReader } from './trie'

/** A leaf with its key. */
interface TrieEntry {
  /** 32 bytes: the hashed key */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

interface OpenNode {
  readonly node: TrieNode
  /** The nibbles leading to it. */
  readonly path: Uint8Array
}

const KEY_NIBBLES = 64

/** Every read throws StoreError STORE_MISSING_NODE when the trie isn't available. */
export class StoredTrie {
  readonly #root: TrieNode | null

  /** @param root 32 bytes */
  constructor(
    root: Uint8Array,
    private readonly read: NodeReader,
  ) {
    this.#root = equalBytes(root, EMPTY_TRIE_ROOT) ? null : { kind: 'hash', hash: root }
  }

  /** Null when the key doesn't exist. @param key 32 bytes */
  get(key: Uint8Array): Uint8Array | null {
    return this.#find(nibblesOf(key), null)
  }

  /** RLP of the stored nodes from the root towards `key`: proves its value, or that it has none. */
  proof(key: Uint8Array): readonly Uint8Array[] {
    const nodes: Uint8Array[] = []
    this.#find(nibblesOf(key), nodes)
    return nodes
  }

  /** RLP of the node at this path; empty when there is none, or its parent embeds it. */
  nodeAt(path: Uint8Array): Uint8Array {
    let at = this.#root
    let rest = path
    while (at !== null && rest.length > 0) {
      const next = step(at.kind === 'hash' ? decodeNode(this.#bytesOf(at.hash)) : at, rest)
      if (next === null) return EMPTY_BYTES
      at = next.child
      rest = next.rest
    }
    return at?.kind === 'hash' ? this.#bytesOf(at.hash) : EMPTY_BYTES
  }

  /** From `first` on, ascending; ends early when the trie doesn't have 32-byte keys. @param first 32 bytes */
  *entriesFrom(first: Uint8Array): Generator<TrieEntry> {
    const bound = nibblesOf(first)
    const open: OpenNode[] = this.#root === null ? [] : [{ node: this.#root, path: EMPTY_BYTES }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { path } = next
      if (path.length > KEY_NIBBLES) return
      if (compareBytes(path, bound.subarray(0, path.length)) < 0) continue
      const node = next.node.kind === 'hash' ? decodeNode(this.#bytesOf(next.node.hash)) : next.node
      if (node.kind === 'hash') return
      if (node.kind === 'extension') open.push({ node: node.child, path: joined(path, node.path) })
      if (node.kind === 'branch') {
        for (let slot = 15; slot >= 0; slot--) {
          const child = node.children[slot]
          if (child !== null && child !== undefined) open.push({ node: child, path: joined(path, Uint8Array.of(slot)) })
        }
      }
      if (node.kind !== 'leaf') continue
      const key = joined(path, node.path)
      if (key.length !== KEY_NIBBLES) return
      if (compareBytes(key, bound) >= 0) yield { key: packed(key), value: node.value }
    }
  }

  /** @param passed collects the RLP of the stored nodes on the path */
  #find(path: Uint8Array, passed: Uint8Array[] | null): Uint8Array | null {
    let at = this.#root
    let rest = path
    while (at !== null) {
      let node = at
      if (at.kind === 'hash') {
        const bytes = this.#bytesOf(at.hash)
        passed?.push(bytes)
        node = decodeNode(bytes)
      }
      if (node.kind === 'leaf') return equalBytes(node.path, rest) ? node.value : null
      const next = step(node, rest)
      at = next?.child ?? null
      rest = next?.rest ?? rest
    }
    return null
  }

  #bytesOf(hash: Uint8Array): Uint8Array {
    const bytes = this.read(hash)
    if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(hash) })
    return bytes
  }
}

/** One node further along the path; null at its end. */
function step(node: TrieNode, rest: Uint8Array): { readonly child: TrieNode | null; readonly rest: Uint8Array } | null {
  if (node.kind === 'branch') return { child: node.children[rest[0] ?? 16] ?? null, rest: rest.subarray(1) }
  if (node.kind !== 'extension' || commonPrefix(node.path, rest) !== node.path.length) return null
  return { child: node.child, rest: rest.subarray(node.path.length) }
}

function joined(front: Uint8Array, back: Uint8Array): Uint8Array {
  const all = new Uint8Array(front.length + back.length)
  all.set(front)
  all.set(back, front.length)
  return all
}

/** @param nibbles an even number */
function packed(nibbles: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(nibbles.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0)
  return bytes
}
