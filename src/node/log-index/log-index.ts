// Which blocks hold logs of an address, or with a topic at a position: exact, and written with the block that brings
// the logs, so that a search reads only matching blocks. One entry per item and section of 4096 blocks.
import { concatBytes } from '../../base/bytes'
import type { Log } from '../model/bloom'
import type { Receipt } from '../model/receipt'
import { logKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'
import { type Bitmap, decodeBlockSet, SECTION_BLOCKS, withBlock, withoutBlock } from './block-set'

/** The key of an entry; leading zeros of the value are dropped, since many topics are padded addresses. */
const ANY_LOG = Uint8Array.of(0)
const ADDRESS = 1
const FIRST_TOPIC = 2

export const anyLogItem: Uint8Array = ANY_LOG

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
  changeEntries(layer, number, receipts, withBlock)
}

/** Removes a block that leaves the canonical chain. */
export function unindexLogs(layer: StoreReader & StoreWriter, number: bigint, receipts: readonly Receipt[]): void {
  changeEntries(layer, number, receipts, withoutBlock)
}

/** Whether every log of the block can be found through the index. */
export function isIndexed(store: StoreReader, number: bigint, receipts: readonly Receipt[]): boolean {
  const height = Number(number)
  const offset = height % SECTION_BLOCKS
  for (const item of itemsOf(receipts)) {
    const bits = blocksOf(store, item, Math.floor(height / SECTION_BLOCKS))
    if (((bits[offset >>> 3] ?? 0) & (1 << (offset & 7))) === 0) return false
  }
  return true
}

function changeEntries(
  layer: StoreReader & StoreWriter,
  number: bigint,
  receipts: readonly Receipt[],
  change: (stored: Uint8Array | undefined, offset: number) => Uint8Array | null,
): void {
  const height = Number(number)
  const section = Math.floor(height / SECTION_BLOCKS)
  for (const item of itemsOf(receipts)) {
    const key = logKeys.section(item, section)
    const stored = change(layer.get(key), height % SECTION_BLOCKS)
    if (stored === null) layer.delete(key)
    else layer.put(key, stored)
  }
}

/** The distinct items of the block's logs. */
function itemsOf(receipts: readonly Receipt[]): Iterable<Uint8Array> {
  const items = new Map<string, Uint8Array>()
  const add = (item: Uint8Array) => void items.set(Buffer.from(item).toString('latin1'), item)
  const addLog = (log: Log) => {
    add(ANY_LOG)
    add(addressItem(log.address))
    log.topics.forEach((topic, position) => {
      add(topicItem(topic, position))
    })
  }
  for (const receipt of receipts) receipt.logs.forEach(addLog)
  return items.values()
}

function itemOf(kind: number, value: Uint8Array): Uint8Array {
  let start = 0
  while (start < value.length && value[start] === 0) start += 1
  return concatBytes(Uint8Array.of(kind, value.length - start), value.subarray(start))
}
