// Reference counts of stored trie nodes. A node is stored once however often it occurs; each use holds one reference: a
// place in the head's tries, and a place in a recent state, whose reference is kept in the record of the block that
// removed the node. Releasing the last one deletes the node. A count of one is the default and isn't stored.

import { randomInt } from 'node:crypto'
import { bigintFromBytes, EMPTY_BYTES, joinBytes, minimalBytes } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import { type ChangedNodes, HASH_BYTES, hashesOf, nextNode, nodeAt } from '../store/node-list'
import { decodeNodeRecord } from '../store/recorded-nodes'
import type { StoreReader, StoreWriter } from '../store/store'

const FIRST_ENTRIES = 256
/** At least half of the slots are free. */
const SLOTS_PER_ENTRY = 2
const WORDS = 2
const SEEDS = 2 ** 32

/** What is counted: the hash at `at` in the list with this number. */
interface CountedPlace {
  readonly list: number
  readonly at: number
  /** The list has the node behind the hash. */
  readonly hasNode: boolean
}

/** Hashes and nodes stay in the packed lists they were counted from. Entries keep the order in which they were added. */
export class TrieRefcounts {
  readonly #lists: Uint8Array[] = []
  #size = 0
  /** Found by a hash: its entry plus one; 0 = free. */
  #slots = new Int32Array(SLOTS_PER_ENTRY * FIRST_ENTRIES)
  /** By entry: list and place of the hash, the hash's first 8 bytes, places added minus removed. */
  #list = new Int32Array(FIRST_ENTRIES)
  #at = new Int32Array(FIRST_ENTRIES)
  #words = new Int32Array(WORDS * FIRST_ENTRIES)
  #places = new Int32Array(FIRST_ENTRIES)
  #hasNode = new Uint8Array(FIRST_ENTRIES)
  /** So that nobody can search for hashes that share a slot. */
  readonly #seed = randomInt(SEEDS) | 0

  /** Number of different hashes. */
  get size(): number {
    return this.#size
  }

  /** @param list must not change anymore @returns its number */
  addList(list: Uint8Array): number {
    return this.#lists.push(list) - 1
  }

  /** Adds `by` places, and the node if it isn't known yet. @returns the entry */
  change(place: CountedPlace, by: number): number {
    const entry = this.find(this.#listAt(place.list), place.at) ?? this.#add(place)
    if (place.hasNode && this.#hasNode[entry] === 0) this.#point(entry, place)
    this.#places[entry] = this.places(entry) + by
    return entry
  }

  /** The entry of the hash at `at` in `bytes`; null when it was never counted. */
  find(bytes: Uint8Array, at: number): number | null {
    const [first, second] = [wordAt(bytes, at), wordAt(bytes, at + 4)]
    const mask = this.#slots.length - 1
    for (let slot = this.#mixed(first, second) & mask; ; slot = (slot + 1) & mask) {
      const entry = (this.#slots[slot] ?? 0) - 1
      if (entry < 0) return null
      const isNear = this.#words[WORDS * entry] === first && this.#words[WORDS * entry + 1] === second
      if (isNear && this.#hasHash(entry, bytes, at)) return entry
    }
  }

  /** Adds a place if more were removed than added. @returns whether it did */
  cancel(entry: number): boolean {
    const places = this.places(entry)
    if (places < 0) this.#places[entry] = places + 1
    return places < 0
  }

  /** Places added minus places removed. */
  places(entry: number): number {
    return this.#places[entry] ?? 0
  }

  /** 32 bytes, a view */
  hash(entry: number): Uint8Array {
    const at = this.#at[entry] ?? 0
    return this.#listOf(entry).subarray(at, at + HASH_BYTES)
  }

  /** The RLP, a view; null while no counted list has it. */
  node(entry: number): Uint8Array | null {
    return this.#hasNode[entry] === 1 ? nodeAt(this.#listOf(entry), this.#at[entry] ?? 0) : null
  }

  #listAt(number: number): Uint8Array {
    const list = this.#lists[number]
    if (list === undefined) throw new RangeError(`there is no list ${number}`)
    return list
  }

  #listOf(entry: number): Uint8Array {
    return this.#listAt(this.#list[entry] ?? 0)
  }

  #add(place: CountedPlace): number {
    if (this.#size === this.#places.length) this.#grow()
    const entry = this.#size++
    const bytes = this.#listAt(place.list)
    this.#words[WORDS * entry] = wordAt(bytes, place.at)
    this.#words[WORDS * entry + 1] = wordAt(bytes, place.at + 4)
    this.#point(entry, place)
    this.#take(entry)
    return entry
  }

  #point(entry: number, { list, at, hasNode }: CountedPlace): void {
    this.#list[entry] = list
    this.#at[entry] = at
    this.#hasNode[entry] = hasNode ? 1 : 0
  }

  /** Puts the entry into the first free slot. */
  #take(entry: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#mixed(this.#words[WORDS * entry] ?? 0, this.#words[WORDS * entry + 1] ?? 0) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = entry + 1
  }

  #grow(): void {
    this.#list = twice(this.#list)
    this.#at = twice(this.#at)
    this.#words = twice(this.#words)
    this.#places = twice(this.#places)
    const hasNode = new Uint8Array(2 * this.#hasNode.length)
    hasNode.set(this.#hasNode)
    this.#hasNode = hasNode
    this.#slots = new Int32Array(2 * this.#slots.length)
    for (let entry = 0; entry < this.#size; entry++) this.#take(entry)
  }

  #mixed(first: number, second: number): number {
    const mixed = Math.imul(first ^ this.#seed, 0x9e3779b1) ^ Math.imul(second + this.#seed, 0x85ebca6b)
    return mixed ^ (mixed >>> 15)
  }

  #hasHash(entry: number, bytes: Uint8Array, at: number): boolean {
    const own = this.#listOf(entry)
    const from = this.#at[entry] ?? 0
    for (let index = WORDS * 4; index < HASH_BYTES; index++) if (own[from + index] !== bytes[at + index]) return false
    return true
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
}

function twice(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const out = new Int32Array(2 * numbers.length)
  out.set(numbers)
  return out
}

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

/** Trie nodes of a run of blocks, read at its latest one; places added and removed within the run cancel out. */
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
