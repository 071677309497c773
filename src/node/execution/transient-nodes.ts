// Trie nodes of a run of blocks of which only the last one's state is kept from then on. Places are counted over the
// whole run: a place that one block adds and a later one removes cancels out, and is neither looked up nor written.
import { EMPTY_BYTES } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import { type ChangedNodes, HASH_BYTES, nextNode } from '../store/node-list'
import { decodeNodeRecord } from '../store/recorded-nodes'
import type { StoreReader, StoreWriter } from '../store/store'
import { decodePlaces, giveShare, takeShare } from './node-places'
import { TrieRefcounts } from './trie-refcounts'

/** Where a node's key has the hash. */
const HASH_AT = 1

/** Reads the state at the run's latest block, on top of the store. */
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
