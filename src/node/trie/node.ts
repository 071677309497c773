// The nodes of a Merkle-Patricia trie in memory, their paths of half-bytes, and their RLP. Source: yellow paper appendix C
import { bytesName, EMPTY_BYTES } from '../../base/bytes'
import { GenerationCache } from '../../base/limits/generation-cache'
import { decodeRlp, type RlpItem } from '../codec/rlp'

/** Memory of objects and views per node, as a multiple of its bytes plus a constant; measured on Node 20. */
const BYTES_FACTOR = 4
const BYTES_PER_NODE = 200

/** Of bounded memory: what isn't used is dropped. */
export class NodeCache {
  readonly #nodes: GenerationCache<ResolvedNode>

  /** @param options.maxBytes estimated memory of all entries */
  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#nodes = new GenerationCache({ maxBytes, bytesAgain: () => BYTES_PER_NODE })
  }

  get(reference: HashNode): ResolvedNode | undefined {
    return this.#nodes.get(nameOf(reference))
  }

  /** @param encodedBytes length of the node's RLP */
  set(reference: HashNode, node: ResolvedNode, encodedBytes: number): void {
    this.#nodes.set(nameOf(reference), node, encodedBytes * BYTES_FACTOR + BYTES_PER_NODE)
  }
}

function nameOf(reference: HashNode): string {
  reference.name ??= bytesName(reference.hash)
  return reference.name
}

/** A node that was read. */
export type ResolvedNode = LeafNode | ExtensionNode | BranchNode
/** Any node, read or not. */
export type TrieNode = ResolvedNode | HashNode

/** The rest of a key and its value. */
export interface LeafNode {
  readonly kind: 'leaf'
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** A path shared by everything below. */
export interface ExtensionNode {
  readonly kind: 'extension'
  readonly path: Uint8Array
  readonly child: TrieNode
}

/** No value slot: no key of this chain's tries is a prefix of another. */
export interface BranchNode {
  readonly kind: 'branch'
  readonly children: readonly (TrieNode | null)[]
}

/** A node that hasn't been read. */
export interface HashNode {
  readonly kind: 'hash'
  readonly hash: Uint8Array
  /** The hash as a cache's key, once it was looked up: making one costs as much as finding the node. */
  name?: string
}

/** @param node whose children are hashes, or nodes under 32 bytes, which are embedded */
export function nodeToItem(node: TrieNode): RlpItem {
  switch (node.kind) {
    case 'leaf':
      return [packNibbles(node.path, true), node.value]
    case 'extension':
      return [packNibbles(node.path, false), nodeToItem(node.child)]
    case 'branch':
      return [...node.children.map((child) => (child === null ? EMPTY_BYTES : nodeToItem(child))), EMPTY_BYTES]
    case 'hash':
      return node.hash
  }
}

/** @throws RangeError when the stored bytes aren't a node: the database is corrupt */
export function decodeNode(bytes: Uint8Array): ResolvedNode {
  const decoded = decodeRlp(bytes)
  if (!decoded.ok) throw new RangeError(`trie node: ${decoded.error}`)
  const node = nodeFromItem(decoded.value)
  if (node.kind === 'hash') throw new RangeError('trie node: a bare hash')
  return node
}

/** The value at the end of `path`; null when there is none. @param top null: an empty trie @param read a node by its hash */
export function valueAt(
  top: TrieNode | null,
  path: Uint8Array,
  read: (reference: HashNode) => ResolvedNode,
): Uint8Array | null {
  let node = top
  let from = 0
  while (node !== null) {
    const here: ResolvedNode = node.kind === 'hash' ? read(node) : node
    if (here.kind === 'branch') {
      node = here.children[path[from++] ?? 16] ?? null
      continue
    }
    const shared = commonPrefix(here.path, path, from)
    if (shared !== here.path.length) return null
    from += shared
    if (here.kind === 'leaf') return from === path.length ? here.value : null
    node = here.child
  }
  return null
}

function nodeFromItem(item: RlpItem): TrieNode {
  if (item instanceof Uint8Array) {
    if (item.length !== 32) throw new RangeError(`trie node: reference of ${item.length} bytes`)
    return { kind: 'hash', hash: item }
  }
  if (item.length === 17) return { kind: 'branch', children: item.slice(0, 16).map(childFromItem) }
  const [path, content] = item
  if (item.length !== 2 || !(path instanceof Uint8Array) || content === undefined)
    throw new RangeError('trie node: neither leaf, extension nor branch')
  const unpacked = unpackNibbles(path)
  if (!unpacked.leaf) return { kind: 'extension', path: unpacked.path, child: nodeFromItem(content) }
  if (!(content instanceof Uint8Array)) throw new RangeError('trie node: a leaf holds a list')
  return { kind: 'leaf', path: unpacked.path, value: content }
}

function childFromItem(item: RlpItem): TrieNode | null {
  return item instanceof Uint8Array && item.length === 0 ? null : nodeFromItem(item)
}

/** Two nibbles per byte, high one first. */
export function nibblesOf(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 * bytes.length)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    out[2 * i] = byte >>> 4
    out[2 * i + 1] = byte & 15
  }
  return out
}

/** Number of equal nibbles at the start of `a` and in `b` from `from` on. */
export function commonPrefix(a: Uint8Array, b: Uint8Array, from = 0): number {
  const limit = Math.min(a.length, b.length - from)
  let i = 0
  while (i < limit && a[i] === b[from + i]) i++
  return i
}

/** Compact form: flag nibble (2 = leaf, 1 = odd), then the path. */
function packNibbles(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length % 2
  const out = new Uint8Array((path.length - odd) / 2 + 1)
  out[0] = ((leaf ? 2 : 0) + odd) * 16 + (odd === 1 ? (path[0] ?? 0) : 0)
  for (let i = odd, at = 1; i < path.length; i += 2, at++) out[at] = (path[i] ?? 0) * 16 + (path[i + 1] ?? 0)
  return out
}

/** The path in a compact form, and whether it is a leaf's. */
export function unpackNibbles(packed: Uint8Array): { readonly path: Uint8Array; readonly leaf: boolean } {
  const all = nibblesOf(packed)
  const flag = all[0] ?? 0
  return { path: all.subarray((flag & 1) === 1 ? 1 : 2), leaf: flag >= 2 }
}
