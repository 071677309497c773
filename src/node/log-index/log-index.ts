// Which blocks hold logs of an address, or with a topic at a position: exact, and written with the block that brings
// the logs, so that a search reads only matching blocks. One entry per item and section of 4096 blocks.
import { bytesName, concatBytes } from '../../base/bytes'
import type { Receipt } from '../model/receipt'
import { logsIn } from '../model/stored-receipts'
import { logKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

export const SECTION_BLOCKS = 4096
const BITMAP_BYTES = SECTION_BLOCKS / 8
/** A list of this many offsets would have the bitmap's length and be mistaken for one. */
const MAX_LISTED = BITMAP_BYTES / 2 - 1

/** 512 bytes; bit `offset % 8` of byte `offset / 8`. */
export type Bitmap = Uint8Array

/** A bitmap without blocks. */
export function emptyBitmap(): Bitmap {
  return new Uint8Array(BITMAP_BYTES)
}

/** @param stored from `encodeBlockSet`; undefined = no blocks */
export function decodeBlockSet(stored: Uint8Array | undefined): Bitmap {
  const bits = emptyBitmap()
  if (stored === undefined) return bits
  if (stored.length === BITMAP_BYTES) {
    bits.set(stored)
    return bits
  }
  for (let at = 0; at + 1 < stored.length; at += 2) setBlock(bits, ((stored[at] ?? 0) << 8) | (stored[at + 1] ?? 0))
  return bits
}

/** Offsets as two bytes each, big-endian, ascending; or the bitmap; null for an empty set. */
export function encodeBlockSet(bits: Bitmap): Uint8Array | null {
  const offsets = offsetsOf(bits)
  if (offsets.length === 0) return null
  return offsets.length > MAX_LISTED ? bits.slice() : withAppended(undefined, offsets)
}

/** `stored` with ascending blocks added. Behind all others they don't unpack a list; a bitmap only gets their bits. */
export function withBlocks(stored: Uint8Array | undefined, offsets: readonly number[]): Uint8Array | null {
  const length = stored?.length ?? 0
  if (length + 2 * offsets.length <= 2 * MAX_LISTED && (offsets[0] ?? 0) > lastListed(stored))
    return withAppended(stored, offsets)
  const bits = decodeBlockSet(stored)
  for (const offset of offsets) setBlock(bits, offset)
  return length === BITMAP_BYTES ? bits : encodeBlockSet(bits)
}

function withAppended(list: Uint8Array | undefined, offsets: readonly number[]): Uint8Array {
  let at = list?.length ?? 0
  const out = new Uint8Array(at + 2 * offsets.length)
  if (list !== undefined) out.set(list)
  for (const offset of offsets) {
    out[at++] = offset >>> 8
    out[at++] = offset & 0xff
  }
  return out
}

/** Removes block `offset` from the set at `key`. */
export function removeBlock(layer: StoreReader & StoreWriter, key: Uint8Array, offset: number): void {
  const left = withoutBlock(layer.get(key), offset)
  if (left === null) layer.delete(key)
  else layer.put(key, left)
}

/** `stored` with block `offset` removed; null when no block is left. */
export function withoutBlock(stored: Uint8Array | undefined, offset: number): Uint8Array | null {
  const bits = decodeBlockSet(stored)
  clearBlock(bits, offset)
  return encodeBlockSet(bits)
}

/** -1 when there is none. */
function lastListed(stored: Uint8Array | undefined): number {
  if (stored === undefined) return -1
  return ((stored[stored.length - 2] ?? 0) << 8) | (stored[stored.length - 1] ?? 0)
}

/** Ascending. */
export function offsetsOf(bits: Bitmap): readonly number[] {
  const out: number[] = []
  for (let at = 0; at < BITMAP_BYTES; at++) {
    const byte = bits[at] ?? 0
    if (byte === 0) continue
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) out.push(8 * at + bit)
  }
  return out
}

/** @param offset of the block in its section, 0..4095 */
export function setBlock(bits: Bitmap, offset: number): void {
  bits[offset >>> 3] = (bits[offset >>> 3] ?? 0) | (1 << (offset & 7))
}

/** The same: whether it is there. */
function hasBlock(bits: Bitmap, offset: number): boolean {
  return ((bits[offset >>> 3] ?? 0) & (1 << (offset & 7))) !== 0
}

/** @param offset of the block in its section, 0..4095 */
export function clearBlock(bits: Bitmap, offset: number): void {
  bits[offset >>> 3] = (bits[offset >>> 3] ?? 0) & ~(1 << (offset & 7))
}

/** Adds the blocks of `from` to `into`. */
export function uniteWith(into: Bitmap, from: Bitmap): void {
  for (let at = 0; at < BITMAP_BYTES; at++) into[at] = (into[at] ?? 0) | (from[at] ?? 0)
}

/** Keeps only the blocks of `into` that are also in `other`. */
export function intersectWith(into: Bitmap, other: Bitmap): void {
  for (let at = 0; at < BITMAP_BYTES; at++) into[at] = (into[at] ?? 0) & (other[at] ?? 0)
}

/** Offsets are ascending. */
type SetEntry = { readonly key: Uint8Array; readonly offsets: number[] }

/** Adds blocks to stored sets, lowest block first: each set is read and written once for all of them. */
export class BlockSetRun {
  readonly #entries: SetEntry[] = []
  /** The entries of `#section`. */
  readonly #open = new Map<string, SetEntry>()
  #section = 0

  /** @param name of the set @param keyOf makes the key of its section */
  add(number: bigint, name: string, keyOf: (section: number) => Uint8Array): void {
    const height = Number(number)
    const section = Math.floor(height / SECTION_BLOCKS)
    if (section !== this.#section) this.#open.clear()
    this.#section = section
    const offset = height % SECTION_BLOCKS
    const known = this.#open.get(name)
    if (known !== undefined) {
      if (known.offsets[known.offsets.length - 1] !== offset) known.offsets.push(offset)
      return
    }
    const entry = { key: keyOf(section), offsets: [offset] }
    this.#open.set(name, entry)
    this.#entries.push(entry)
  }

  /** Writes the sets. Call it once, after the last block. */
  settle(layer: StoreReader & StoreWriter): void {
    for (const { key, offsets } of this.#entries) {
      const stored = withBlocks(layer.get(key), offsets)
      if (stored !== null) layer.put(key, stored)
    }
  }
}

const ADDRESS = 1
const FIRST_TOPIC = 2

/** The key of an entry that every block with logs has. */
export const anyLogItem: Uint8Array = Uint8Array.of(0)

/** @param address 20 bytes */
export function addressItem(address: Uint8Array): Uint8Array {
  return itemOf(ADDRESS, address)
}

/** @param topic 32 bytes @param position 0..3 */
export function topicItem(topic: Uint8Array, position: number): Uint8Array {
  return itemOf(FIRST_TOPIC + position, topic)
}

/** The blocks of `section` that contain `item`. */
export function blocksOf(store: StoreReader, item: Uint8Array, section: number): Bitmap {
  return decodeBlockSet(store.get(logKeys.section(item, section)))
}

/** Adds a block that becomes canonical. */
export function indexLogs(layer: StoreReader & StoreWriter, number: bigint, receipts: readonly Receipt[]): void {
  const run = new LogIndexRun()
  run.add(number, receipts)
  run.settle(layer)
}

/** Removes a block that leaves the canonical chain. */
export function unindexLogs(layer: StoreReader & StoreWriter, number: bigint, receipts: readonly Receipt[]): void {
  const height = Number(number)
  for (const item of itemsOf(receipts)) {
    removeBlock(layer, logKeys.section(item, Math.floor(height / SECTION_BLOCKS)), height % SECTION_BLOCKS)
  }
}

/** Blocks that become canonical together, lowest first. */
export class LogIndexRun {
  readonly #sets = new BlockSetRun()

  add(number: bigint, receipts: readonly Receipt[]): void {
    eachItem(receipts, (name, make) => {
      this.#sets.add(number, name, (section) => logKeys.section(make(), section))
    })
  }

  /** Writes the entries. Call it once, after the last block. */
  settle(layer: StoreReader & StoreWriter): void {
    this.#sets.settle(layer)
  }
}

/** Whether every log of the block can be found through the index. */
export function isIndexed(store: StoreReader, number: bigint, receipts: readonly Receipt[]): boolean {
  const height = Number(number)
  const offset = height % SECTION_BLOCKS
  for (const item of itemsOf(receipts)) {
    if (!hasBlock(blocksOf(store, item, Math.floor(height / SECTION_BLOCKS)), offset)) return false
  }
  return true
}

/** The distinct items of the block's logs. */
function itemsOf(receipts: readonly Receipt[]): Iterable<Uint8Array> {
  const items = new Map<string, Uint8Array>()
  eachItem(receipts, (name, make) => {
    if (!items.has(name)) items.set(name, make())
  })
  return items.values()
}

/** Visits the items of all logs, some of them repeatedly. @param visit gets a name for the item, and a function that makes it */
function eachItem(receipts: readonly Receipt[], visit: (name: string, make: () => Uint8Array) => void): void {
  for (const receipt of receipts) {
    for (const { address, topics } of namedLogs(receipt)) {
      visit('', () => anyLogItem)
      visit(address, () => addressItem(bytesOfName(address)))
      for (const [position, topic] of topics.entries())
        visit(`${position}${topic}`, () => topicItem(bytesOfName(topic), position))
    }
  }
}

/** Words of the logs, a character for each byte; read in place where that is possible. */
function* namedLogs(receipt: Receipt): Generator<{ readonly address: string; readonly topics: readonly string[] }> {
  if (receipt.logList === undefined)
    for (const { address, topics } of receipt.logs) yield { address: bytesName(address), topics: topics.map(bytesName) }
  else
    for (const log of logsIn(receipt.logList)) {
      const topics = Array.from({ length: log.topicCount }, (_, position) => log.topicName(position))
      yield { address: log.addressName(), topics }
    }
}

const bytesOfName = (name: string): Uint8Array => Uint8Array.from(Buffer.from(name, 'latin1'))

/** Without leading zeros of the value, since many topics are padded addresses. */
function itemOf(kind: number, value: Uint8Array): Uint8Array {
  let start = 0
  while (start < value.length && value[start] === 0) start += 1
  return concatBytes(Uint8Array.of(kind, value.length - start), value.subarray(start))
}
