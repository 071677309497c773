// How a block changes the places of trie nodes, as packed bytes: an import counts hundreds of nodes per block, and an
// object for each costs more than the counting.
import { joinBytes } from '../../base/bytes'

/** Places that a block added and removed. */
export interface ChangedNodes {
  /** New trie nodes, one entry per place: 32-byte hash, 4-byte length (big-endian), RLP. */
  readonly nodes: Uint8Array
  /** Hashes of nodes that only the parent's tries have, 32 bytes each, one per place. */
  readonly dead: Uint8Array
}

type NodeList = readonly (readonly [hash: Uint8Array, node: Uint8Array])[]

export const HASH_BYTES = 32
const LENGTH_BYTES = 4

/** Packs what the commits of tries returned. */
export function packNodes(nodes: NodeList, dead: readonly Uint8Array[]): ChangedNodes {
  const packed = new Uint8Array(nodes.reduce((sum, [, node]) => sum + HASH_BYTES + LENGTH_BYTES + node.length, 0))
  const view = new DataView(packed.buffer)
  let at = 0
  for (const [hash, node] of nodes) {
    packed.set(hash, at)
    view.setUint32(at + HASH_BYTES, node.length)
    packed.set(node, at + HASH_BYTES + LENGTH_BYTES)
    at += HASH_BYTES + LENGTH_BYTES + node.length
  }
  return { nodes: packed, dead: joinBytes(dead) }
}

/** The node of the entry at `at`, as a view. */
export function nodeAt(packed: Uint8Array, at: number): Uint8Array {
  const start = at + HASH_BYTES + LENGTH_BYTES
  return packed.subarray(start, start + lengthAt(packed, at))
}

/** Where the entry behind the one at `at` begins. */
export function nextNode(packed: Uint8Array, at: number): number {
  return at + HASH_BYTES + LENGTH_BYTES + lengthAt(packed, at)
}

/** The nodes of a packed list: hash and RLP, views. */
export function* nodesOf(packed: Uint8Array): Generator<readonly [Uint8Array, Uint8Array]> {
  for (let at = 0; at < packed.length; at = nextNode(packed, at))
    yield [packed.subarray(at, at + HASH_BYTES), nodeAt(packed, at)]
}

/** The hashes of a packed list. */
export function* hashesOf(list: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += HASH_BYTES) yield list.slice(at, at + HASH_BYTES)
}

function lengthAt(packed: Uint8Array, at: number): number {
  const digits = at + HASH_BYTES
  let length = 0
  for (let index = 0; index < LENGTH_BYTES; index++) length = length * 256 + (packed[digits + index] ?? 0)
  return length
}
