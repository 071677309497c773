// eth_getLogs: finds the blocks through the index, reads only those, and returns their logs in chain order, page by page.
import { bytesOfHex } from '../../base/hex'
import type { ChainReads } from '../chain/chain-store'
import {
  addressItem,
  anyLogItem,
  type Bitmap,
  blocksOf,
  emptyBitmap,
  intersectWith,
  offsetsOf,
  SECTION_BLOCKS,
  topicItem,
  uniteWith,
} from '../log-index/log-index'
import type { LogPlace } from '../model/stored-receipts'
import { rpcFailed } from '../rpc-fault'
import { metaKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import { FIRST_LOG, type LogCache, logsFrom, storedLogsOf } from './block-logs'
import { type LogFilter, type LogWords, matcherOf, storedMatcherOf, wordsOf } from './log-filter'

/** Where a search begins, or continues: at a canonical block, or inside a block with many logs. */
export interface LogPosition {
  readonly number: number
  /** Null: at its first log. */
  readonly within: (LogPlace & { readonly hash: Uint8Array }) | null
}

/** Canonical blocks from a position to a height, inclusive, which may be above the head. */
export interface LogRange {
  readonly from: LogPosition
  /** Null: only the block that `from` is within, canonical or not. */
  readonly to: number | null
}

/** All logs of one block. */
export function ofOneBlock(hash: Uint8Array): LogRange {
  return { from: { number: 0, within: { hash, ...FIRST_LOG } }, to: null }
}

interface LogSearchDeps {
  /** One snapshot of the chain. */
  readonly store: StoreReader
  /** Over the same store. */
  readonly reads: ChainReads
  readonly cache: LogCache
}

export interface LogPage {
  /** JSON texts of logs in chain order, comma-separated; may be empty. */
  readonly text: string
  /** Null on the last page. */
  readonly next: LogPosition | null
}

/** A page is one turn of the worker: it ends after this many characters, blocks read, or index entries read. */
const PAGE_CHARACTERS = 1024 * 1024
/** The same inside a block with many logs, whose receipts are read again for each page. */
export const LARGE_PAGE_CHARACTERS = 4 * PAGE_CHARACTERS
const PAGE_BLOCKS = 512
const PAGE_ENTRIES = 20_000

/** A search of more blocks keeps none of their texts. */
const KEPT_BLOCKS = 1_024

/** Searches a range from its beginning, as far as one turn allows. @throws RpcFault RPC_FAILED for an unknown block */
export function searchLogs(filter: LogFilter, range: LogRange, deps: LogSearchDeps): LogPage {
  const { from, to } = range
  const last = to === null ? from.number : Math.min(to, headNumber(deps))
  const page = new Page(filter, deps, last - from.number < KEPT_BLOCKS)
  if (from.within !== null) {
    const { hash, ...place } = from.within
    const isThere = page.takeBlock(from.number, hash, place)
    if (!isThere) throw to === null ? rpcFailed('unknown block') : unreadable(from.number)
  }
  if (to === null || page.stoppedAt !== null) return page.done(null)
  let read = 0
  let entries = 0
  const first = from.within === null ? from.number : from.number + 1
  for (const { number, isCandidate } of candidates(filter, [first, last], deps)) {
    const isFull = page.isFull || read === PAGE_BLOCKS
    // Once a section's entries were read, its blocks belong to the same turn.
    if (isFull || (!isCandidate && entries > PAGE_ENTRIES)) return page.done({ number, within: null })
    if (!isCandidate) {
      entries += 1 + wordsOf(filter) // of one section
      continue
    }
    read += 1
    const hash = deps.reads.canonicalHash(BigInt(number))
    if (hash === null || !page.takeBlock(number, hash, null)) throw unreadable(number)
    if (page.stoppedAt !== null) break
  }
  return page.done(null)
}

/** Without it, the answer would look complete. */
const unreadable = (number: number) => rpcFailed(`the logs of block ${number} cannot be read: run headframe db verify`)

/** Collects the texts of one page. */
class Page {
  /** Where it became full inside a block. */
  stoppedAt: LogPosition | null = null
  readonly #texts: string[] = []
  #characters = 0
  readonly #matches: (log: LogWords) => boolean
  readonly #matchesStored: ReturnType<typeof storedMatcherOf>

  constructor(
    filter: LogFilter,
    private readonly deps: LogSearchDeps,
    private readonly mayKeep: boolean,
  ) {
    this.#matches = matcherOf(filter)
    this.#matchesStored = storedMatcherOf(filter)
  }

  get isFull(): boolean {
    return this.#characters > PAGE_CHARACTERS
  }

  /** @param place where to begin; null = at its first log @returns false when the block isn't stored */
  takeBlock(number: number, hash: Uint8Array, place: LogPlace | null): boolean {
    const { reads, cache } = this.deps
    const logs = place === null || place.log === 0 ? cache.logsOf(reads, hash, this.mayKeep) : 'in place'
    if (logs === null) return false
    if (logs === 'in place') return this.#takeInPlace(number, hash, place ?? FIRST_LOG)
    for (const log of logs) if (this.#matches(log)) this.#add(log.text)
    return true
  }

  done(next: LogPosition | null): LogPage {
    return { text: this.#texts.join(','), next: this.stoppedAt ?? next }
  }

  #takeInPlace(number: number, hash: Uint8Array, place: LogPlace): boolean {
    const block = storedLogsOf(this.deps.reads, hash)
    if (block === null) return false
    for (const found of logsFrom(block, place)) {
      if (!this.#matchesStored(found.log)) continue
      this.#add(found.text())
      if (this.#characters <= LARGE_PAGE_CHARACTERS) continue
      this.stoppedAt = { number, within: { hash, ...found.next } }
      break
    }
    return true
  }

  #add(text: string): void {
    this.#texts.push(text)
    this.#characters += text.length
  }
}

/** Heights whose blocks may match: every one below the height from which the index is complete, above it those in it. */
function* candidates(
  filter: LogFilter,
  [from, last]: readonly [number, number],
  deps: LogSearchDeps,
): Generator<{ readonly number: number; readonly isCandidate: boolean }> {
  const { store } = deps
  const indexedFrom = logsIndexedFrom(store)
  for (let number = from; number < indexedFrom && number <= last; number++) yield { number, isCandidate: true }
  const first = Math.max(from, indexedFrom)
  for (let section = Math.floor(first / SECTION_BLOCKS); section * SECTION_BLOCKS <= last; section++) {
    const start = section * SECTION_BLOCKS
    yield { number: Math.max(start, first), isCandidate: false }
    for (const offset of offsetsOf(blocksMatching(store, filter, section))) {
      const number = start + offset
      if (number >= first && number <= last) yield { number, isCandidate: true }
    }
  }
}

/** -1 without one. */
function headNumber({ store, reads }: LogSearchDeps): number {
  const head = store.get(metaKeys.head)
  return Number((head === undefined ? null : reads.header(head))?.number ?? -1n)
}

/** From this height on every canonical block is in the index. */
export function logsIndexedFrom(store: StoreReader): number {
  const bytes = store.get(metaKeys.logsFrom)
  if (bytes === undefined) return Number.MAX_SAFE_INTEGER
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0))
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
