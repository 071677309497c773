// A Merkle-Patricia trie over a synchronous node reader. Nodes are immutable and hashed once at commit, so a block's
// many writes only create the nodes that its final root reaches.
import { concatBytes, equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { encodeRlp, rlpInteger } from '../codec/rlp'
import { StoreError } from '../errors'
import {
  type BranchNode,
  commonPrefix,
  decodeNode,
  type ExtensionNode,
  type HashNode,
  type LeafNode,
  type NodeCache,
  nibblesOf,
  nodeToItem,
  type ResolvedNode,
  type TrieNode,
  valueAt,
} from './node'

/** keccak(RLP("")): 0x56e8…b421 */
export const EMPTY_TRIE_ROOT: Uint8Array = Uint8Array.from([
  0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e, 0x5b, 0x48, 0xe0,
  0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
])

/** The RLP of the node with this hash (32 bytes), or undefined when it doesn't exist. Must throw on a read failure. */
export type NodeReader = (hash: Uint8Array) => Uint8Array | undefined

interface TrieCommit {
  /** 32 bytes */
  readonly root: Uint8Array
  /** New nodes: hash -> RLP, one entry per place in the trie. */
  readonly nodes: readonly (readonly [Uint8Array, Uint8Array])[]
  /** Hashes of the stored nodes that were replaced, one entry per place in the trie. */
  readonly dead: readonly Uint8Array[]
}

export interface TrieDeps {
  readonly read: NodeReader
  readonly keccak256: Keccak256
  /** Absent: every node is read and decoded again. */
  readonly cache?: NodeCache
}

/** An insertion: the key's nibbles and the value. */
interface Entry {
  readonly path: Uint8Array
  readonly value: Uint8Array
}

const HASH_BYTES = 32

/** The trie with this root, of 32 bytes; null when it is empty. */
export function rootNode(root: Uint8Array): HashNode | null {
  return equalBytes(root, EMPTY_TRIE_ROOT) ? null : { kind: 'hash', hash: root }
}

/** For tries built from scratch (transactions, receipts, genesis). */
export const noNodes: NodeReader = () => undefined

/** A mutable trie; changes stay in memory until `commit`. */
export class Trie {
  #root: TrieNode | null
  #dead: Uint8Array[] = []

  /** @param root 32 bytes */
  constructor(
    root: Uint8Array,
    private readonly deps: TrieDeps,
  ) {
    this.#root = rootNode(root)
  }

  /** @throws StoreError STORE_MISSING_NODE: a missing node never reads as an absent key */
  get(key: Uint8Array): Uint8Array | null {
    return valueAt(this.#root, nibblesOf(key), (reference) => this.#resolve(reference))
  }

  /** @param value not empty */
  put(key: Uint8Array, value: Uint8Array): void {
    this.#root = this.#insert(this.#root, { path: nibblesOf(key), value }, 0)
  }

  delete(key: Uint8Array): void {
    this.#root = this.#remove(this.#root, nibblesOf(key))
  }

  /** The root, and every node created since the last commit that it reaches. */
  commit(): TrieCommit {
    const dead = this.#dead
    this.#dead = []
    if (this.#root === null) return { root: EMPTY_TRIE_ROOT, nodes: [], dead }
    const nodes: (readonly [Uint8Array, Uint8Array])[] = []
    const store = (node: ResolvedNode, encoded: Uint8Array): HashNode => {
      const hash = this.deps.keccak256(encoded)
      const reference: HashNode = { kind: 'hash', hash }
      nodes.push([hash, encoded])
      this.deps.cache?.set(reference, node, encoded.length)
      return reference
    }
    // A node as its parent refers to it: by hash, or embedded when under 32 bytes. So the cache holds hashes and not
    // whole tries.
    const named = (node: TrieNode): TrieNode => {
      if (node.kind === 'hash') return node
      const settled = withChildren(node, named)
      const encoded = encodeRlp(nodeToItem(settled))
      return encoded.length < HASH_BYTES ? settled : store(settled, encoded)
    }
    if (this.#root.kind === 'hash') return { root: this.#root.hash, nodes, dead }
    const top = withChildren(this.#root, named)
    const root = store(top, encodeRlp(nodeToItem(top)))
    this.#root = root
    return { root: root.hash, nodes, dead }
  }

  #resolve(node: TrieNode): ResolvedNode {
    if (node.kind !== 'hash') return node
    const cached = this.deps.cache?.get(node)
    if (cached !== undefined) return cached
    const bytes = this.deps.read(node.hash)
    if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(node.hash) })
    const decoded = decodeNode(bytes)
    this.deps.cache?.set(node, decoded, bytes.length)
    return decoded
  }

  /** `at`, as its parent held it, is no longer part of the trie. */
  #replaced(at: TrieNode): void {
    if (at.kind === 'hash') this.#dead.push(at.hash)
  }

  /** Returns `at` itself when nothing changed. @param from nibbles of the entry's path above `at` */
  #insert(at: TrieNode | null, entry: Entry, from: number): TrieNode {
    if (at === null) return leafOf(entry, from)
    const node = this.#resolve(at)
    if (node.kind === 'branch') {
      const slot = entry.path[from] ?? 0
      const before = node.children[slot] ?? null
      const after = this.#insert(before, entry, from + 1)
      if (after === before) return at
      this.#replaced(at)
      return withChild(node, slot, after)
    }
    const shared = commonPrefix(node.path, entry.path, from)
    if (shared !== node.path.length) {
      this.#replaced(at)
      return splitAt(node, shared, entry, from)
    }
    if (node.kind === 'leaf') {
      if (equalBytes(node.value, entry.value)) return at
      this.#replaced(at)
      return leafOf(entry, from)
    }
    const child = this.#insert(node.child, entry, from + shared)
    if (child === node.child) return at
    this.#replaced(at)
    return { kind: 'extension', path: node.path, child }
  }

  /** Returns `at` itself when nothing changed. */
  #remove(at: TrieNode | null, path: Uint8Array): TrieNode | null {
    if (at === null) return null
    const node = this.#resolve(at)
    if (node.kind === 'branch') return this.#removeFromBranch(at, node, path)
    const shared = commonPrefix(node.path, path)
    if (shared !== node.path.length) return at
    if (node.kind === 'leaf') {
      if (shared !== path.length) return at
      this.#replaced(at)
      return null
    }
    const child = this.#remove(node.child, path.subarray(shared))
    if (child === node.child) return at
    this.#replaced(at)
    return child === null ? null : this.#prepend(node.path, child)
  }

  /** @param at the node as its parent holds it, returned unchanged when nothing changed */
  #removeFromBranch(at: TrieNode, node: BranchNode, path: Uint8Array): TrieNode {
    const slot = path[0] ?? 0
    const before = node.children[slot] ?? null
    const after = this.#remove(before, path.subarray(1))
    if (after === before) return at
    this.#replaced(at)
    const next = withChild(node, slot, after)
    const left = next.children.flatMap((child, index) => (child === null ? [] : [{ child, index }]))
    const only = left[0]
    if (after !== null || left.length > 1 || only === undefined) return next
    return this.#prepend(Uint8Array.of(only.index), only.child)
  }

  /** `node` with a longer path; leaves and extensions absorb it, a branch gets an extension above it. */
  #prepend(path: Uint8Array, node: TrieNode): TrieNode {
    const child = this.#resolve(node)
    if (child.kind === 'branch') return { kind: 'extension', path, child: node }
    this.#replaced(node)
    return { ...child, path: concatBytes(path, child.path) }
  }
}

/** Root of a list, 32 bytes: key = RLP(index), value = the item's bytes. @param items none of them empty */
export function orderedRoot(items: readonly Uint8Array[], keccak256: Keccak256): Uint8Array {
  const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  items.forEach((item, index) => {
    trie.put(encodeRlp(rlpInteger(index)), item)
  })
  return trie.commit().root
}

function leafOf({ path, value }: Entry, from: number): LeafNode {
  return { kind: 'leaf', path: path.subarray(from), value }
}

/** A branch where `node` and a new leaf diverge, after `shared` nibbles. */
function splitAt(node: LeafNode | ExtensionNode, shared: number, entry: Entry, from: number): TrieNode {
  const children: (TrieNode | null)[] = new Array<TrieNode | null>(16).fill(null)
  children[node.path[shared] ?? 0] = dropFront(node, shared + 1)
  children[entry.path[from + shared] ?? 0] = leafOf(entry, from + shared + 1)
  const branch: TrieNode = { kind: 'branch', children }
  return shared === 0 ? branch : { kind: 'extension', path: node.path.subarray(0, shared), child: branch }
}

function withChildren(node: ResolvedNode, change: (child: TrieNode) => TrieNode): ResolvedNode {
  if (node.kind === 'leaf') return node
  if (node.kind === 'extension') return { kind: 'extension', path: node.path, child: change(node.child) }
  return { kind: 'branch', children: node.children.map((child) => (child === null ? null : change(child))) }
}

function withChild(node: BranchNode, slot: number, child: TrieNode | null): BranchNode {
  const children = node.children.slice()
  children[slot] = child
  return { kind: 'branch', children }
}

function dropFront(node: LeafNode | ExtensionNode, count: number): TrieNode {
  if (node.kind === 'leaf') return { ...node, path: node.path.subarray(count) }
  return node.path.length === count ? node.child : { ...node, path: node.path.subarray(count) }
}
