// Polled filters: what each collected since its last poll.
import { bigintFromBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { toHex } from '../../../base/hex'
import { CallerCounts } from '../../../base/limits/caller-counts'
import { toQuantity } from '../../../base/quantity'
import type { Clock } from '../../../base/time'
import { rpcFailed } from '../../rpc-fault'
import type { ChainFeed } from './chain-feed'
import { gapText, type LiveLogs, type LogGap } from './live-logs'
import type { LogQuery } from './log-query'

const NOT_FOUND = 'filter not found'
const LIFETIME_MS = 5 * 60_000
/** Our own limit: every log is matched against each. */
const MAX_FILTERS = 4_096
/** Maximum per caller. Our own limit. */
const MAX_PER_CALLER = 1_024
/** Entries of a filter that nobody polls: a log filter then misses blocks, and others are dropped. Our own limit. */
const MAX_KEPT = 100_000
/** Of an entry besides its characters: place in a list, and the text's own. */
const ENTRY_CHARACTERS = 70
/** Characters of all filters; above it the one polled longest ago is dropped. Our own limit. */
const MAX_KEPT_CHARACTERS = 256 * 1024 * 1024

/** Unguessable for other callers: 16 random bytes as hex without leading zeros. */
export function newFilterId(randomBytes: (length: number) => Uint8Array): string {
  return toQuantity(bigintFromBytes(randomBytes(16)))
}

interface FilterStoreDeps {
  readonly feed: ChainFeed
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
}

interface Filter {
  readonly caller: string
  /** JSON texts, oldest first. */
  kept: string[]
  /** Characters of them, with what each takes besides. */
  size: number
  /** Reported by the next poll. */
  gap: LogGap | null
  polledAt: number
  /** For a log filter. */
  readonly query: LogQuery | null
  readonly listening: Disposable
}

export class FilterStore {
  readonly #filters = new Map<string, Filter>()
  readonly #counts = new CallerCounts()
  #sweep: Disposable | null = null
  /** Characters of all filters. */
  #kept = 0

  constructor(private readonly deps: FilterStoreDeps) {}

  start(): void {
    this.#sweep = this.deps.clock.setInterval(() => this.#dropOld(), LIFETIME_MS)
  }

  stop(): void {
    this.#sweep?.dispose()
    this.#sweep = null
    for (const id of [...this.#filters.keys()]) this.remove(id)
  }

  /** @returns its id, as the two below @throws RpcFault RPC_FAILED when the caller has too many */
  addBlocks(caller = ''): string {
    const { events } = this.deps.feed
    return this.#add({ query: null, caller }, (keep) =>
      events.on('blocks', (blocks) => keep(blocks.map(({ hash }) => `"${toHex(hash)}"`))),
    )
  }

  addPending(caller = ''): string {
    const { events } = this.deps.feed
    return this.#add({ query: null, caller }, (keep) => events.on('pending', keep))
  }

  /** @throws RpcFault RPC_FAILED also for too many addresses and topics */
  addLogs(query: LogQuery, live: LiveLogs, caller = ''): string {
    return this.#add({ query, caller }, (tell, missed) =>
      this.deps.feed.logs.add({ filter: query.filter, live, tell, missed }, caller),
    )
  }

  /** Since the last call, as JSON. @throws RpcFault RPC_FAILED if unknown, and once for missed blocks */
  changes(id: string): readonly string[] {
    const filter = this.#found(id)
    filter.polledAt = this.deps.clock.monotonic()
    const { gap } = filter
    filter.gap = null
    if (gap !== null) throw rpcFailed(gapText(gap))
    return this.#emptied(filter)
  }

  /** @throws RpcFault when it isn't a log filter */
  query(id: string): LogQuery {
    const { query } = this.#found(id)
    if (query === null) throw rpcFailed(NOT_FOUND)
    return query
  }

  /** False when it doesn't exist. */
  remove(id: string): boolean {
    const filter = this.#filters.get(id)
    if (filter === undefined) return false
    filter.listening.dispose()
    this.#emptied(filter)
    this.#counts.remove(filter.caller)
    return this.#filters.delete(id)
  }

  #add(
    { query, caller }: Pick<Filter, 'query' | 'caller'>,
    listen: (keep: (texts: readonly string[]) => void, missed: (gap: LogGap) => void) => Disposable,
  ): string {
    const { clock, randomBytes } = this.deps
    if (this.#counts.of(caller) >= MAX_PER_CALLER)
      throw rpcFailed(`too many filters: at most ${MAX_PER_CALLER}, uninstall some`)
    if (this.#filters.size >= MAX_FILTERS) this.#dropIdlest(this.#of(this.#counts.greatest()))
    const id = newFilterId(randomBytes)
    const keep = (texts: readonly string[]): void => {
      for (const text of texts) {
        filter.kept.push(text)
        filter.size += text.length + ENTRY_CHARACTERS
        this.#kept += text.length + ENTRY_CHARACTERS
      }
      if (filter.kept.length > MAX_KEPT) this.#overflow(id, filter)
      while (this.#kept > MAX_KEPT_CHARACTERS) this.#dropIdlest([...this.#filters])
    }
    const missed = (gap: LogGap): void => {
      filter.gap = { ...gap, from: Math.min(gap.from, filter.gap?.from ?? gap.from) }
    }
    const rest = { kept: [], size: 0, gap: null, polledAt: clock.monotonic(), query }
    const filter: Filter = { caller, ...rest, listening: listen(keep, missed) }
    this.#filters.set(id, filter)
    this.#counts.add(caller)
    return id
  }

  /** A client that polls again learns what it missed; one of other filters that it is gone. */
  #overflow(id: string, filter: Filter): void {
    if (filter.query === null) return void this.remove(id)
    const kept = this.#emptied(filter)
    const height = (text = '') => Number(/"blockNumber":"(0x[0-9a-f]+)"/.exec(text)?.[1] ?? 0)
    const from = height(kept[0])
    const reason = `more than ${MAX_KEPT} logs were not polled`
    filter.gap = { from: Math.min(from, filter.gap?.from ?? from), to: height(kept.at(-1)), reason }
  }

  #emptied(filter: Filter): readonly string[] {
    const { kept, size } = filter
    filter.kept = []
    filter.size = 0
    this.#kept -= size
    return kept
  }

  #found(id: string): Filter {
    const filter = this.#filters.get(id)
    if (filter === undefined) throw rpcFailed(NOT_FOUND)
    return filter
  }

  #of(caller: string | null): [string, Filter][] {
    return [...this.#filters].filter(([, filter]) => filter.caller === caller)
  }

  #dropIdlest(among: readonly [string, Filter][]): void {
    const [idlest] = [...among].sort(([, a], [, b]) => a.polledAt - b.polledAt)
    if (idlest !== undefined) this.remove(idlest[0])
  }

  #dropOld(): void {
    const oldest = this.deps.clock.monotonic() - LIFETIME_MS
    for (const [id, { polledAt }] of this.#filters) if (polledAt <= oldest) this.remove(id)
  }
}
