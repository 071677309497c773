// The nodes of a Merkle-Patricia trie in memory, and their RLP.
import { EMPTY_BYTES } from '../../base/bytes'
import { decodeRlp, type RlpItem } from '../codec/rlp'
import { packNibbles, unpackNibbles } from './nibbles'

/** Any node, read or not. */
export type TrieNode = LeafNode | ExtensionNode | BranchNode | HashNode

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
export function decodeNode(bytes: Uint8Array): TrieNode {
  const decoded = decodeRlp(bytes)
  if (!decoded.ok) throw new RangeError(`trie node: ${decoded.error}`)
  return nodeFromItem(decoded.value)
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
