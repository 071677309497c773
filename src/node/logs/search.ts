// eth_getLogs: finds the blocks through the index, reads only those, and returns their logs in chain order, page by
// page.
import { bytesOfHex } from '../../base/hex'
import type { ChainReads } from '../chain/chain-store'
import { type Bitmap, emptyBitmap, intersectWith, offsetsOf, SECTION_BLOCKS, uniteWith } from '../log-index/block-set'
import { addressItem, anyLogItem, blocksOf, topicItem } from '../log-index/log-index'
import { metaKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import type { LogCache } from './log-cache'
import { type LogFilter, matcherOf } from './log-filter'

/** Canonical blocks from `from` to `to`, inclusive; `to` may be above the head. */
export interface LogRange {
  readonly from: number
  readonly to: number
}

/** What a search reads. */
export interface LogSearchDeps {
  /** One snapshot of the chain. */
  readonly store: StoreReader
  /** Over the same store. */
  readonly reads: ChainReads
  readonly cache: LogCache
}

/** Part of what a search finds. */
export interface LogPage {
  /** JSON texts of logs in chain order, comma-separated; may be empty. */
  readonly text: string
  /** Height to continue from; null on the last page. */
  readonly next: number | null
}

/** A page is one turn of the worker: it ends after this many characters, blocks read, or index entries read. */
const PAGE_CHARACTERS = 1024 * 1024
const PAGE_BLOCKS = 512
const PAGE_ENTRIES = 20_000

/** One step of a search. */
interface Step {
  readonly number: number
  /** Whether its block may match; if not, everything below it has been searched. */
  readonly isCandidate: boolean
}

/** Searches canonical blocks from `range.from` on, as far as one turn allows. */
export function searchLogs(filter: LogFilter, range: LogRange, deps: LogSearchDeps): LogPage {
  const matches = matcherOf(filter)
  const texts: string[] = []
  let characters = 0
  let read = 0
  let entries = 0
  for (const { number, isCandidate } of candidates(filter, range, deps)) {
    const isFull = characters > PAGE_CHARACTERS || read === PAGE_BLOCKS
    // Once a section's entries were read, its blocks belong to the same turn.
    if (isFull || (!isCandidate && entries > PAGE_ENTRIES)) return { text: texts.join(','), next: number }
    if (!isCandidate) {
      entries += entriesOf(filter)
      continue
    }
    read += 1
    const hash = deps.reads.canonicalHash(BigInt(number))
    const logs = hash === null ? null : deps.cache.logsOf(deps.reads, hash)
    for (const log of logs ?? []) {
      if (!matches(log)) continue
      texts.push(log.text)
      characters += log.text.length
    }
  }
  return { text: texts.join(','), next: null }
}

/**
 * Heights whose blocks may match: every one below the height from which the index is complete, above it those in the
 * index.
 */
function* candidates(filter: LogFilter, range: LogRange, deps: LogSearchDeps): Generator<Step> {
  const { store, reads } = deps
  const last = Math.min(range.to, headNumber(store, reads))
  const indexedFrom = logsIndexedFrom(store)
  for (let number = range.from; number < indexedFrom && number <= last; number++) yield { number, isCandidate: true }
  const first = Math.max(range.from, indexedFrom)
  for (let section = Math.floor(first / SECTION_BLOCKS); section * SECTION_BLOCKS <= last; section++) {
    const start = section * SECTION_BLOCKS
    yield { number: Math.max(start, first), isCandidate: false }
    for (const offset of offsetsOf(blocksMatching(store, filter, section))) {
      const number = start + offset
      if (number >= first && number <= last) yield { number, isCandidate: true }
    }
  }
}

/** Index entries that one section of a search reads. */
function entriesOf({ addresses, topics }: LogFilter): number {
  return topics.reduce((sum, wanted) => sum + wanted.length, 1 + addresses.length)
}

/** From this height on every canonical block is in the index. */
export function logsIndexedFrom(store: StoreReader): number {
  const bytes = store.get(metaKeys.logsFrom)
  if (bytes === undefined) return Number.MAX_SAFE_INTEGER
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0))
}

function headNumber(store: StoreReader, reads: ChainReads): number {
  const hash = store.get(metaKeys.head)
  return Number((hash === undefined ? null : reads.header(hash))?.number ?? -1n)
}

function blocksMatching(store: StoreReader, filter: LogFilter, section: number): Bitmap {
  const blocks = blocksOf(store, anyLogItem, section)
  const wanted = [
    filter.addresses.map((address) => addressItem(bytesOfHex(address, 20))),
    ...filter.topics.map((topics, position) => topics.map((topic) => topicItem(bytesOfHex(topic, 32), position))),
  ]
  for (const items of wanted) {
    if (items.length === 0) continue
    const either = emptyBitmap()
    for (const item of items) uniteWith(either, blocksOf(store, item, section))
    intersectWith(blocks, either)
  }
  return blocks
}
