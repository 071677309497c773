// Counts places of trie nodes by hash, in typed arrays: an import counts hundreds of nodes per block, and a Map with an
// object and a text for each of them keeps the garbage collector busy.
import { randomInt } from 'node:crypto'
import { HASH_BYTES, nodeAt } from '../store/node-list'

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
