// Reference counts of stored trie nodes. A node is stored once however often it occurs; each use holds one reference: a
// place in the head's tries, and a place in a recent state, whose reference is kept in the record of the block that
// removed the node. Releasing the last one deletes the node. A count of one is the default and isn't stored.
import { bigintFromBytes, EMPTY_BYTES, joinBytes, minimalBytes } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import { type ChangedNodes, HASH_BYTES, hashesOf, nextNode, nodeAt } from '../store/node-list'
import { decodeNodeRecord } from '../store/recorded-nodes'
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

/** Where a node's key has the hash. */
const HASH_AT = 1

/**
 * Trie nodes of a run of blocks of which only the last one's state is kept from then on. Places are counted over the whole
 * run: a place that one block adds and a later one removes cancels out, and is neither looked up nor written. Reads the
 * state at the run's latest block, on top of the store.
 */
export class TransientNodes implements StoreReader {
  #counts = new TrieRefcounts()

  constructor(private readonly store: StoreReader & StoreWriter) {}

  get(key: Uint8Array): Uint8Array | undefined {
    const counts = this.#counts
    const entry = stateKeys.isNode(key) ? counts.find(key, HASH_AT) : null
    const node = entry === null || counts.places(entry) <= 0 ? null : counts.node(entry)
    return node ?? this.store.get(key)
  }

  getStored(key: Uint8Array): Uint8Array | undefined {
    return this.store.getStored(key)
  }

  /** Different nodes counted so far. */
  get size(): number {
    return this.#counts.size
  }

  keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.store.keysWithPrefix(prefix)
  }

  /** Counts the places of the run's next block. */
  count({ nodes, dead }: ChangedNodes): void {
    const counts = this.#counts
    const newList = counts.addList(nodes)
    for (let at = 0; at < nodes.length; at = nextNode(nodes, at)) counts.change({ list: newList, at, hasNode: true }, 1)
    const deadList = counts.addList(dead)
    for (let at = 0; at < dead.length; at += HASH_BYTES) counts.change({ list: deadList, at, hasNode: false }, -1)
  }

  /** Counts what the record of a block's nodes holds, and deletes it. */
  takeRecord({ number, hash }: { readonly number: bigint; readonly hash: Uint8Array }): void {
    const key = stateKeys.places(number, hash)
    const record = this.store.get(key)
    if (record === undefined) return
    this.count(decodeNodeRecord(record) ?? { nodes: EMPTY_BYTES, dead: decodePlaces(record).dead })
    this.store.delete(key)
  }

  /** Adds and releases the references of the whole run. Call it once, after the last block. */
  settle(): void {
    const counts = this.#counts
    for (let entry = 0; entry < counts.size; entry++) {
      const node = counts.places(entry) > 0 ? counts.node(entry) : null
      if (node === null) continue
      for (let left = counts.places(entry); left > 0; left--) takeShare(this.store, counts.hash(entry), node)
    }
    for (let entry = 0; entry < counts.size; entry++)
      for (let left = counts.places(entry); left < 0; left++) giveShare(this.store, counts.hash(entry))
    this.#counts = new TrieRefcounts()
  }
}
