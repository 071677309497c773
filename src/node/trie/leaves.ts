// The leaves of a stored trie in key order.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { StoreError } from '../errors'
import { nibblesOf } from './nibbles'
import { decodeNode, type TrieNode } from './node'
import { EMPTY_TRIE_ROOT, type NodeReader } from './trie'

/** A key and its value. */
export interface Leaf {
  /** hashed */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** In key order. @param root 32 bytes @param start first key, may be short or empty @throws STORE_MISSING_NODE */
export function* leavesFrom(root: Uint8Array, start: Uint8Array, read: NodeReader): Generator<Leaf> {
  if (!isEmptyRoot(root)) yield* leavesUnder({ kind: 'hash', hash: root }, [], { start: nibblesOf(start), read })
}

function* leavesUnder(
  node: TrieNode,
  path: readonly number[],
  walk: { readonly start: Uint8Array; readonly read: NodeReader },
): Generator<Leaf> {
  if (node.kind === 'hash') {
    const bytes = walk.read(node.hash)
    if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(node.hash) })
    yield* leavesUnder(decodeNode(bytes), path, walk)
    return
  }
  const here = node.kind === 'branch' ? path : [...path, ...node.path]
  if (isBefore(here, walk.start)) return
  if (node.kind === 'leaf') yield { key: packed(here), value: node.value }
  else if (node.kind === 'extension') yield* leavesUnder(node.child, here, walk)
  else
    for (const [nibble, child] of node.children.entries())
      if (child !== null) yield* leavesUnder(child, [...here, nibble], walk)
}

/** Whether everything below `path` sorts before `start`. */
function isBefore(path: readonly number[], start: Uint8Array): boolean {
  for (const [i, nibble] of path.entries()) {
    const wanted = start[i]
    if (wanted === undefined || nibble > wanted) return false
    if (nibble < wanted) return true
  }
  return false
}

function packed(path: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: path.length / 2 }, (_, i) => (path[2 * i] ?? 0) * 16 + (path[2 * i + 1] ?? 0))
}

/** Whether the root is that of an empty trie. */
export function isEmptyRoot(root: Uint8Array): boolean {
  return equalBytes(root, EMPTY_TRIE_ROOT)
}
