// Trie nodes of the newest blocks. A block's nodes lie together in its record until its state leaves the window: most
// are replaced before that, and are never written one by one (decisions/0014).
import { bytesName, EMPTY_BYTES, equalBytes } from '../../base/bytes'
import { chainKeys, heightFrom, metaKeys, stateKeys } from './keys'
import { type ChangedNodes, HASH_BYTES, nextNode, nodeAt } from './node-list'

type Read = (key: Uint8Array) => Uint8Array | undefined

/** Where a record of places has the number of added ones. */
const MARK = 0xffffffff
const HEAD_BYTES = 8
/** Blocks whose records are looked through, newest first: more than a window ever holds. */
const MAX_BLOCKS = 512
/** Records kept in memory. */
const KEPT_BYTES = 4_194_304
/** An index's entry: number of the record, and where the node's entry begins in it. */
const OFFSETS = 2 ** 20

/** 4 bytes mark, 4 bytes number of removed places, their hashes, then the list of nodes. */
export function encodeNodeRecord({ nodes, dead }: ChangedNodes): Uint8Array {
  const out = new Uint8Array(HEAD_BYTES + dead.length + nodes.length)
  const view = new DataView(out.buffer)
  view.setUint32(0, MARK)
  view.setUint32(4, dead.length / HASH_BYTES)
  out.set(dead, HEAD_BYTES)
  out.set(nodes, HEAD_BYTES + dead.length)
  return out
}

/** Null: a record of places, whose nodes are stored one by one. @throws RangeError when it is damaged */
export function decodeNodeRecord(record: Uint8Array): ChangedNodes | null {
  if (record.length < HEAD_BYTES) return null
  const view = new DataView(record.buffer, record.byteOffset)
  if (view.getUint32(0) !== MARK) return null
  const split = HEAD_BYTES + HASH_BYTES * view.getUint32(4)
  if (split > record.length) throw new RangeError('record of nodes is damaged')
  return { nodes: record.subarray(split), dead: record.subarray(HEAD_BYTES, split) }
}

/** The index grows downwards from the head as far as nodes are sought; hashes name content, so it is never wrong. */
export class RecordedNodes {
  readonly #places = new Map<string, number>()
  readonly #records: { readonly key: Uint8Array; readonly number: bigint; readonly hash: Uint8Array }[] = []
  #kept = new Map<number, Uint8Array>()
  #keptBytes = 0
  /** The indexed blocks: the newest, and the height of the oldest. */
  #top: { readonly number: bigint; readonly hash: Uint8Array } | null = null
  #low = 0n

  /** @param read reads what is stored under a key, in the newest state of the database */
  constructor(private readonly read: Read) {}

  /** Undefined when no record has it, and for keys of anything else. */
  find(key: Uint8Array): Uint8Array | undefined {
    if (!stateKeys.isNode(key)) return undefined
    const hash = key.subarray(1)
    const name = bytesName(hash)
    for (const isLast of [false, true]) {
      let place = this.#places.get(name)
      if (place === undefined) {
        this.#climb()
        do place = this.#places.get(name)
        while (place === undefined && this.#descend())
      }
      // A write may have moved it from its record to its own key since the caller looked there.
      if (place === undefined) return this.read(key)
      const node = this.#nodeAt(place, hash)
      if (node !== undefined || isLast) return node
      this.#clear() // the block was taken back, or its state has left the window
    }
    return undefined
  }

  /** Takes in the blocks above the indexed ones; where there are none yet, the head only. */
  #climb(): void {
    if (this.#top !== null && !this.#isCanonical(this.#top)) this.#clear()
    const number = headNumber(this.read, this.#top?.number ?? statesFrom(this.read))
    const hash = this.read(chainKeys.canonical(number))
    if (hash === undefined || number === this.#top?.number) return
    if (this.#top === null || number - this.#top.number > 16n || this.#records.length > MAX_BLOCKS) {
      this.#clear()
      this.#low = number
    }
    for (let at = this.#top === null ? number : this.#top.number + 1n; at <= number; at++) this.#take(at, true)
    this.#top = { number, hash }
  }

  /** Takes in the block below the indexed ones. False when there is none. */
  #descend(): boolean {
    const top = this.#top?.number ?? 0n
    if (this.#low - 1n <= statesFrom(this.read) || top - this.#low >= MAX_BLOCKS) return false
    this.#low--
    this.#take(this.#low, false)
    return true
  }

  #take(number: bigint, isNewer: boolean): void {
    const hash = this.read(chainKeys.canonical(number))
    if (hash === undefined) return
    const key = stateKeys.places(number, hash)
    const record = this.read(key)
    const nodes = record === undefined ? null : (decodeNodeRecord(record)?.nodes ?? null)
    if (record === undefined || nodes === null) return
    const start = record.length - nodes.length
    const index = this.#records.push({ key, number, hash }) - 1
    for (let at = 0; at < nodes.length; at = nextNode(nodes, at)) {
      const name = bytesName(nodes.subarray(at, at + HASH_BYTES))
      if (isNewer || !this.#places.has(name)) this.#places.set(name, index * OFFSETS + start + at)
    }
  }

  #nodeAt(place: number, hash: Uint8Array): Uint8Array | undefined {
    const at = place % OFFSETS
    const record = this.#record(Math.floor(place / OFFSETS))
    if (record === undefined || !equalBytes(record.subarray(at, at + HASH_BYTES), hash)) return undefined
    return nodeAt(record, at)
  }

  #record(index: number): Uint8Array | undefined {
    const block = this.#records[index]
    if (block === undefined || block.number <= statesFrom(this.read) || !this.#isCanonical(block)) return undefined
    const known = this.#kept.get(index)
    if (known !== undefined) return known
    const record = this.read(block.key)
    if (record === undefined) return undefined
    if (this.#keptBytes + record.length > KEPT_BYTES) this.#forgetKept()
    this.#kept.set(index, record)
    this.#keptBytes += record.length
    return record
  }

  #isCanonical({ number, hash }: { readonly number: bigint; readonly hash: Uint8Array }): boolean {
    return equalBytes(this.read(chainKeys.canonical(number)) ?? EMPTY_BYTES, hash)
  }

  #forgetKept(): void {
    this.#kept = new Map()
    this.#keptBytes = 0
  }

  #clear(): void {
    this.#places.clear()
    this.#records.length = 0
    this.#forgetKept()
    this.#top = null
    this.#low = 0n
  }
}

function statesFrom(read: Read): bigint {
  return heightFrom(read(metaKeys.statesFrom))
}

/** Height of the last canonical block: the index has no gaps. @param from a height that it has */
function headNumber(read: Read, from: bigint): bigint {
  const has = (number: bigint): boolean => read(chainKeys.canonical(number)) !== undefined
  let low = from
  let step = 1n
  while (has(low + step)) {
    low += step
    step *= 2n
  }
  // low is there, low + step isn't
  while (step > 1n) {
    step /= 2n
    if (has(low + step)) low += step
  }
  return low
}
