// Those who wait for new logs, and what a block has for them. Logs are matched in a query worker; this thread only
// hands on what was found. Whatever can't be delivered is reported with its blocks.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { LogText } from '../../logs/block-logs'
import type { LiveLine } from '../../logs/live-logs'
import { type LogFilter, matcherOf, wordsOf } from '../../logs/log-filter'
import type { LogPage, LogRange } from '../../logs/search'
import type { QueryCaller } from '../../query/query-wire'
import { rpcFailed } from '../../rpc-fault'
import type { HeadChange } from '../../worker/wire/shapes'

/** Reads logs. Implemented by the node service. */
export interface LogSource {
  /** One page of the matching logs, in chain order. @throws RpcFault RPC_FAILED for an unknown block */
  search(filter: LogFilter, range: LogRange, caller: QueryCaller): Promise<LogPage>
  /** The logs of a block that joined or left the canonical chain, in order, some at a time: see logs/live-logs.ts. */
  ofNewBlock(block: NewBlock, caller: QueryCaller): AsyncIterable<readonly LiveLine[]>
}

export interface NewBlock {
  readonly hash: Uint8Array
  readonly isRemoved: boolean
  /** Lines name them by their place here. */
  readonly filters: readonly LogFilter[]
}

/** Chain events. Implemented by the node service. */
export interface ChainWatch {
  headChanged(listener: (change: HeadChange) => void): Disposable
  /** Hashes of transactions that became executable, 32 bytes each. */
  newPending(listener: (hashes: readonly Uint8Array[]) => void): Disposable
}

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

export function gapText({ from, to, reason }: LogGap): string {
  return `blocks ${from} to ${to} were missed: ${reason}; read them with eth_getLogs`
}

interface LogListener {
  readonly filter: LogFilter
  readonly live: LiveLogs
  /** JSON texts of matching logs, in chain order. */
  readonly tell: (texts: readonly string[]) => void
  readonly missed: (gap: LogGap) => void
}

/** Addresses and topics of all filters and subscriptions of one caller, and of all callers together. Our own limits. */
const MAX_WORDS_PER_CALLER = 100_000
const MAX_WORDS_TOGETHER = 1_000_000
/** How often a block is asked for when a worker was lost before it told anything. */
const MAX_TRIES = 3

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
    const waiting = [...this.#listeners].filter(({ live }) => live.pending)
    this.#miss(waiting, { from: number, to: number, reason })
  }

  /** Tells a block's logs, or that they were missed. Never rejects. */
  async tellBlock(block: Omit<NewBlock, 'filters'> & { readonly number: number }, caller: QueryCaller): Promise<void> {
    const { number } = block
    const isWithin = ({ live: { mined } }: LogListener) => mined !== null && number >= mined.from && number <= mined.to
    const groups = grouped([...this.#listeners].filter(isWithin))
    if (groups.length === 0) return
    const filters = groups.flatMap(([first]) => (first === undefined ? [] : [first.filter]))
    for (let tries = 1; ; tries++) {
      let hasTold = false
      try {
        for await (const lines of this.source().ofNewBlock({ ...block, filters }, caller)) {
          hasTold = true
          this.#handOn(lines, groups, number)
        }
        return
      } catch (error: unknown) {
        if (!hasTold && tries < MAX_TRIES && !caller.signal.aborted) continue
        const gap = { from: number, to: number, reason: messageOf(error) }
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
        } else if (texts.get(group)?.push(line.text) === undefined) texts.set(group, [line.text])
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
    if (byFilter.get(key)?.push(listener) === undefined) byFilter.set(key, [listener])
  }
  return [...byFilter.values()]
}

function tooMany(limit: string): Error {
  return rpcFailed(`too many addresses and topics in filters and subscriptions: at most ${limit}`)
}
