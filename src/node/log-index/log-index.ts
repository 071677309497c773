// Which blocks hold logs of an address, or with a topic at a position: exact, and written with the block that brings
// the logs, so that a search reads only matching blocks. One entry per item and section of 4096 blocks.
import { bytesName, concatBytes } from '../../base/bytes'
import type { Receipt } from '../model/receipt'
import { logsIn } from '../model/stored-receipts'
import { logKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'
import { type Bitmap, BlockSetRun, decodeBlockSet, hasBlock, removeBlock, SECTION_BLOCKS } from './block-set'

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
