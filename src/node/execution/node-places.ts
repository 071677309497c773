// Reference counts of stored trie nodes. A node is stored once however often it occurs; each use holds one reference: a
// place in the head's tries, and a place in a recent state, whose reference is kept in the record of the block that
// removed the node. Releasing the last one deletes the node. A count of one is the default and isn't stored.
import { bigintFromBytes, joinBytes, minimalBytes } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import { type ChangedNodes, HASH_BYTES, hashesOf, nextNode, nodeAt } from '../store/node-list'
import type { StoreReader, StoreWriter } from '../store/store'
import { TrieRefcounts } from './trie-refcounts'

/** How a block changed the places of the head's tries. */
interface NodePlaces {
  /** One hash per added place, 32 bytes each, concatenated. */
  readonly added: Uint8Array
  /** One hash per removed place. */
  readonly dead: Uint8Array
}

/** Writes `node`, or adds a reference when it exists. @param hash 32 bytes */
export function takeShare(store: StoreReader & StoreWriter, hash: Uint8Array, node: Uint8Array): void {
  const key = stateKeys.node(hash)
  if (store.getStored(key) === undefined) store.put(key, node)
  else store.put(stateKeys.shares(hash), minimalBytes(sharesOf(store, hash) + 1n))
}

/** Releases one reference. @param hash 32 bytes */
export function giveShare(store: StoreReader & StoreWriter, hash: Uint8Array): void {
  const shares = sharesOf(store, hash)
  if (shares > 2n) store.put(stateKeys.shares(hash), minimalBytes(shares - 1n))
  else if (shares === 2n) store.delete(stateKeys.shares(hash))
  else store.delete(stateKeys.node(hash))
}

/** Adds references for the added nodes; places added and removed within the block cancel out. */
export function takePlaces(store: StoreReader & StoreWriter, { nodes, dead }: ChangedNodes): NodePlaces {
  const gone = new TrieRefcounts()
  const deadList = gone.addList(dead)
  for (let at = 0; at < dead.length; at += HASH_BYTES) gone.change({ list: deadList, at, hasNode: false }, -1)
  const cancels = (list: Uint8Array, at: number): boolean => {
    const entry = gone.find(list, at)
    return entry !== null && gone.cancel(entry)
  }
  const added: Uint8Array[] = []
  for (let at = 0; at < nodes.length; at = nextNode(nodes, at)) {
    if (cancels(nodes, at)) continue
    const hash = nodes.subarray(at, at + HASH_BYTES)
    takeShare(store, hash, nodeAt(nodes, at))
    added.push(hash)
  }
  const left: Uint8Array[] = []
  for (let at = 0; at < dead.length; at += HASH_BYTES)
    if (cancels(dead, at)) left.push(dead.subarray(at, at + HASH_BYTES))
  return { added: joinBytes(added), dead: joinBytes(left) }
}

/** The same where the state before isn't kept: references of removed nodes are released at once. */
export function replacePlaces(store: StoreReader & StoreWriter, changed: ChangedNodes): void {
  for (const hash of hashesOf(takePlaces(store, changed).dead)) giveShare(store, hash)
}

/** Record of a block's places: 4-byte count of the added ones, then the hashes. */
export function encodePlaces({ added, dead }: NodePlaces): Uint8Array {
  const out = new Uint8Array(4 + added.length + dead.length)
  new DataView(out.buffer).setUint32(0, added.length / HASH_BYTES)
  out.set(added, 4)
  out.set(dead, 4 + added.length)
  return out
}

/** @throws RangeError when the record is corrupt */
export function decodePlaces(record: Uint8Array): NodePlaces {
  if (record.length < 4 || (record.length - 4) % HASH_BYTES !== 0) throw new RangeError('record of nodes is damaged')
  const split = 4 + HASH_BYTES * new DataView(record.buffer, record.byteOffset).getUint32(0)
  if (split > record.length) throw new RangeError('record of nodes is damaged')
  return { added: record.subarray(4, split), dead: record.subarray(split) }
}

function sharesOf(store: StoreReader, hash: Uint8Array): bigint {
  const bytes = store.get(stateKeys.shares(hash))
  return bytes === undefined ? 1n : bigintFromBytes(bytes)
}
