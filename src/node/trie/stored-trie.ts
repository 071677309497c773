// Reads a stored trie in key order and node by node, with Merkle proofs.
import { compareBytes, concatBytes, EMPTY_BYTES } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { StoreError } from '../errors'
import { commonPrefix, decodeNode, nibblesOf, type ResolvedNode, type TrieNode, valueAt } from './node'
import { type NodeReader, rootNode } from './trie'

/** A leaf with its key. */
export interface TrieEntry {
  /** 32 bytes: the hashed key */
  readonly key: Uint8Array
  readonly value: Uint8Array
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
    this.#root = rootNode(root)
  }

  /** Null when the key doesn't exist. @param key 32 bytes */
  get(key: Uint8Array): Uint8Array | null {
    return valueAt(this.#root, nibblesOf(key), ({ hash }) => decodeNode(this.#bytesOf(hash)))
  }

  /** RLP of the stored nodes from the root towards `key`: proves its value, or that it has none. */
  proof(key: Uint8Array): readonly Uint8Array[] {
    const nodes: Uint8Array[] = []
    valueAt(this.#root, nibblesOf(key), ({ hash }) => {
      const bytes = this.#bytesOf(hash)
      nodes.push(bytes)
      return decodeNode(bytes)
    })
    return nodes
  }

  /** RLP of the node at this path; empty when there is none, or its parent embeds it. */
  nodeAt(path: Uint8Array): Uint8Array {
    let at = this.#root
    let from = 0
    while (at !== null && from < path.length) {
      const node = this.#resolve(at)
      if (node.kind === 'branch') at = node.children[path[from++] ?? 16] ?? null
      else if (node.kind === 'leaf' || commonPrefix(node.path, path, from) !== node.path.length) return EMPTY_BYTES
      else {
        at = node.child
        from += node.path.length
      }
    }
    return at?.kind === 'hash' ? this.#bytesOf(at.hash) : EMPTY_BYTES
  }

  /** From `first` on, ascending; ends early when the trie doesn't have 32-byte keys. @param first may be short or empty */
  *entriesFrom(first: Uint8Array): Generator<TrieEntry> {
    const bound = nibblesOf(first)
    const open: { readonly node: TrieNode; readonly path: Uint8Array }[] = []
    if (this.#root !== null) open.push({ node: this.#root, path: EMPTY_BYTES })
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { path } = next
      if (path.length > KEY_NIBBLES) return
      if (compareBytes(path, bound.subarray(0, path.length)) < 0) continue
      const node = this.#resolve(next.node)
      if (node.kind === 'extension') open.push({ node: node.child, path: concatBytes(path, node.path) })
      if (node.kind === 'branch') {
        for (let slot = 15; slot >= 0; slot--) {
          const child = node.children[slot] ?? null
          if (child !== null) open.push({ node: child, path: concatBytes(path, Uint8Array.of(slot)) })
        }
      }
      if (node.kind !== 'leaf') continue
      const key = concatBytes(path, node.path)
      if (key.length !== KEY_NIBBLES) return
      if (compareBytes(key, bound) >= 0) yield { key: packed(key), value: node.value }
    }
  }

  #resolve(node: TrieNode): ResolvedNode {
    return node.kind === 'hash' ? decodeNode(this.#bytesOf(node.hash)) : node
  }

  #bytesOf(hash: Uint8Array): Uint8Array {
    const bytes = this.read(hash)
    if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(hash) })
    return bytes
  }
}

/** @param nibbles an even number */
function packed(nibbles: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(nibbles.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0)
  return bytes
}
