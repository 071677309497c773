// A new block's logs for filters and subscriptions, matched where the data is: the header's bloom rules out most
// filters, the receipts are read in place, and what a filter can receive of one block is bounded.
import type { ChainReads } from '../chain/chain-store'
import type { StoredLog } from '../model/stored-receipts'
import { FIRST_LOG, logsFrom, storedLogsOf } from './block-logs'
import { type LogFilter, mayMatch, nameOf, storedMatcherOf, wordsOf } from './log-filter'

/** Characters of logs that one filter receives of one block; the rest is reported as missed. */
const MAX_TOLD_CHARACTERS = 32 * 1024 * 1024
/** The same for all filters together: above it those that received most end. */
const MAX_TOLD_TOGETHER = 256 * 1024 * 1024

const LIMITS = { each: MAX_TOLD_CHARACTERS, together: MAX_TOLD_TOGETHER }
/** Words whose bits in the bloom are looked up; with more, it isn't asked. */
const MAX_BLOOM_WORDS = 20_000
/** Before a line of the numbers of filters that were cut. */
const CUT = '!'

interface Watched {
  readonly number: number
  readonly matches: (log: StoredLog) => boolean
  told: number
}

/** Writes a block's lines. @param write gets one at a time; false: the reader is gone @throws RangeError: it isn't stored */
export function writeLiveLogs(
  reads: ChainReads,
  request: { readonly hash: Uint8Array; readonly isRemoved: boolean; readonly filters: readonly LogFilter[] },
  write: (line: string) => boolean,
  limits = LIMITS,
): void {
  const { hash, isRemoved, filters } = request
  const header = reads.header(hash)
  if (header === null) throw new RangeError('a new block is not stored')
  const isKnown = filters.reduce((sum, filter) => sum + wordsOf(filter), 0) <= MAX_BLOOM_WORDS
  const possible = filters.flatMap((filter, number) =>
    isKnown && !mayMatch(filter, header.logsBloom) ? [] : [{ filter, number }],
  )
  if (possible.length === 0) return
  const block = storedLogsOf(reads, hash, isRemoved)
  if (block === null) throw new RangeError('the receipts of a new block are not stored')
  const watch = new Watch(possible, limits)
  for (const found of logsFrom(block, FIRST_LOG)) {
    const matching = watch.matching(found.log)
    if (matching.length === 0) continue
    const text = found.text()
    if (!write(`${matching.map(({ number }) => number).join()} ${text}\n`)) return
    watch.told(matching, text.length)
  }
  if (watch.cut.length > 0) write(`${CUT}${watch.cut.join()}\n`)
}

/** Filters by address, so that a log is only matched against those that may want it. */
class Watch {
  readonly #byAddress = new Map<string, Watched[]>()
  readonly #ofAny: Watched[] = []
  readonly #live = new Set<Watched>()
  /** Numbers of filters that missed logs. */
  readonly cut: number[] = []
  #together = 0

  constructor(
    filters: readonly { readonly filter: LogFilter; readonly number: number }[],
    private readonly limits: typeof LIMITS,
  ) {
    for (const { filter, number } of filters) {
      const watched = { number, matches: storedMatcherOf(filter), told: 0 }
      this.#live.add(watched)
      if (filter.addresses.length === 0) this.#ofAny.push(watched)
      for (const address of filter.addresses) {
        const name = nameOf(address)
        const known = this.#byAddress.get(name) ?? []
        known.push(watched)
        this.#byAddress.set(name, known)
      }
    }
  }

  matching(log: StoredLog): readonly Watched[] {
    const ofAddress = this.#byAddress.size === 0 ? undefined : this.#byAddress.get(log.addressName())
    if (ofAddress === undefined && this.#ofAny.length === 0) return []
    return [...(ofAddress ?? []), ...this.#ofAny].filter((one) => this.#live.has(one) && one.matches(log))
  }

  told(matching: readonly Watched[], characters: number): void {
    for (const one of matching) {
      one.told += characters
      this.#together += characters
      if (one.told > this.limits.each) this.#end(one)
    }
    if (this.#together <= this.limits.together) return
    const most = Math.max(...[...this.#live].map(({ told }) => told))
    for (const one of [...this.#live]) if (one.told > most / 2) this.#end(one)
  }

  #end(one: Watched): void {
    this.#live.delete(one)
    this.cut.push(one.number)
    this.#together -= one.told
  }
}

/** A line of the worker's answer. */
export type LiveLine =
  | { readonly kind: 'log'; readonly filters: readonly number[]; readonly text: string }
  | { readonly kind: 'cut'; readonly filters: readonly number[] }

/** Reads a line that `writeLiveLogs` wrote, without its end. */
export function liveLineOf(line: string): LiveLine {
  const numbers = (text: string): readonly number[] => text.split(',').map(Number)
  if (line.startsWith(CUT)) return { kind: 'cut', filters: numbers(line.slice(CUT.length)) }
  const end = line.indexOf(' ')
  return { kind: 'log', filters: numbers(line.slice(0, end)), text: line.slice(end + 1) }
}
