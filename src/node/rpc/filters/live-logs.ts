// Those who wait for new logs, and what a block has for them. Logs are matched in a query worker; this thread only
// hands on what was found. Whatever can't be delivered is reported with its blocks.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { LogText } from '../../logs/block-logs'
import type { LiveLine } from '../../logs/live-logs'
import { type LogFilter, matcherOf, wordsOf } from '../../logs/log-filter'
import type { QueryCaller } from '../../query/query-port'
import { RpcFault } from '../../rpc-fault'
import type { LogSource } from './log-source'

/** Which blocks' logs apply, and whether the pending block's do. */
export interface LiveLogs {
  /** Heights, inclusive; null = none. */
  readonly mined: { readonly from: number; readonly to: number } | null
  readonly pending: boolean
}

/** Blocks whose logs, or some of them, weren't delivered. */
export interface LogGap {
  /** Heights, inclusive. */
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** The gap in words, for the client. */
export function gapText({ from, to, reason }: LogGap): string {
  return `blocks ${from} to ${to} were missed: ${reason}; read them with eth_getLogs`
}

/** Somebody who waits for logs. */
interface LogListener {
  readonly filter: LogFilter
  readonly live: LiveLogs
  /** JSON texts of matching logs, in chain order. */
  readonly tell: (texts: readonly string[]) => void
  readonly missed: (gap: LogGap) => void
}

/** A block whose logs are told. */
interface ToldBlock {
  readonly number: number
  readonly hash: Uint8Array
  readonly isRemoved: boolean
}

/** Addresses and topics of all filters and subscriptions of one caller, and of all callers together. Our own limits. */
const MAX_WORDS_PER_CALLER = 100_000
const MAX_WORDS_TOGETHER = 1_000_000
/** How often a block is asked for when a worker was lost before it told anything. */
const MAX_TRIES = 3

/** All that wait. */
export class LogListeners {
  #gaps = 0
  readonly #listeners = new Set<LogListener>()
  readonly #words = new Map<string, number>()
  #together = 0

  constructor(private readonly source: () => Pick<LogSource, 'ofNewBlock'>) {}

  get size(): number {
    return this.#listeners.size
  }

  /** @throws RpcFault RPC_FAILED when there are too many addresses and topics */
  add(listener: LogListener, caller: string): Disposable {
    const words = wordsOf(listener.filter)
    const own = (this.#words.get(caller) ?? 0) + words
    if (own > MAX_WORDS_PER_CALLER) throw tooMany(`${MAX_WORDS_PER_CALLER} of one caller`)
    if (this.#together + words > MAX_WORDS_TOGETHER) throw tooMany(`${MAX_WORDS_TOGETHER} of all callers together`)
    this.#words.set(caller, own)
    this.#together += words
    this.#listeners.add(listener)
    return {
      dispose: () => {
        if (!this.#listeners.delete(listener)) return
        const left = (this.#words.get(caller) ?? 0) - words
        if (left > 0) this.#words.set(caller, left)
        else this.#words.delete(caller)
        this.#together -= words
      },
    }
  }

  /** Whether anybody waits for the pending block's logs. */
  waitsForPending(): boolean {
    return [...this.#listeners].some(({ live }) => live.pending)
  }

  /** @param logs of transactions new in the pending block */
  tellPending(logs: readonly LogText[]): void {
    for (const { filter, live, tell } of this.#listeners) {
      if (!live.pending) continue
      const texts = logs.filter(matcherOf(filter)).map(({ text }) => text)
      if (texts.length > 0) tell(texts)
    }
  }

  /** How often a filter or subscription was told that it misses a block's logs. */
  get gaps(): number {
    return this.#gaps
  }

  /** Tells those who wait for the pending block's logs that they were missed. @param number its height */
  missPending(number: number, reason: string): void {
    const gap = { from: number, to: number, reason }
    const waiting = [...this.#listeners].filter(({ live }) => live.pending)
    this.#miss(waiting, gap)
  }

  /** Tells a block's logs, or that they were missed. Never rejects. */
  async tellBlock(block: ToldBlock, caller: QueryCaller): Promise<void> {
    const groups = grouped([...this.#listeners].filter(({ live: { mined } }) => isWithin(block.number, mined)))
    if (groups.length === 0) return
    for (let tries = 1; ; tries++) {
      let hasTold = false
      try {
        for await (const lines of this.source().ofNewBlock({ ...block, filters: filtersOf(groups) }, caller)) {
          hasTold = true
          this.#handOn(lines, groups, block.number)
        }
        return
      } catch (error: unknown) {
        if (!hasTold && tries < MAX_TRIES && !caller.signal.aborted) continue
        const gap = { from: block.number, to: block.number, reason: messageOf(error) }
        for (const group of groups) this.#miss(group, gap)
        return
      }
    }
  }

  #handOn(lines: readonly LiveLine[], groups: readonly Group[], number: number): void {
    const texts = new Map<Group, string[]>()
    for (const line of lines) {
      for (const place of line.filters) {
        const group = groups[place]
        if (group === undefined) continue
        if (line.kind === 'cut') {
          this.#tell(texts)
          texts.clear()
          const reason = 'more logs match than one filter receives of a block'
          this.#miss(group, { from: number, to: number, reason })
          continue
        }
        const known = texts.get(group)
        if (known === undefined) texts.set(group, [line.text])
        else known.push(line.text)
      }
    }
    this.#tell(texts)
  }

  #tell(texts: ReadonlyMap<Group, readonly string[]>): void {
    for (const [group, told] of texts)
      for (const listener of group) if (this.#listeners.has(listener)) listener.tell(told)
  }

  #miss(group: Group, gap: LogGap): void {
    for (const listener of group) {
      if (!this.#listeners.has(listener)) continue
      this.#gaps++
      listener.missed(gap)
    }
  }
}

/** Listeners with equal filters. */
type Group = readonly LogListener[]

function grouped(listeners: readonly LogListener[]): readonly Group[] {
  const byFilter = new Map<string, LogListener[]>()
  for (const listener of listeners) {
    const key = JSON.stringify([listener.filter.addresses, listener.filter.topics])
    const known = byFilter.get(key)
    if (known === undefined) byFilter.set(key, [listener])
    else known.push(listener)
  }
  return [...byFilter.values()]
}

function filtersOf(groups: readonly Group[]): readonly LogFilter[] {
  return groups.flatMap(([first]) => (first === undefined ? [] : [first.filter]))
}

function isWithin(height: number, mined: LiveLogs['mined']): boolean {
  return mined !== null && height >= mined.from && height <= mined.to
}

function tooMany(limit: string): Error {
  return new RpcFault('RPC_FAILED', {
    reason: `too many addresses and topics in filters and subscriptions: at most ${limit}`,
  })
}
