// Polled filters: what each collected since its last poll.

import type { Disposable } from '../../../base/disposable'
import { toHex } from '../../../base/hex'
import { CallerCounts } from '../../../base/limits/caller-counts'
import type { Clock } from '../../../base/time'
import { RpcFault } from '../../rpc-fault'
import type { ChainFeed } from './chain-feed'
import { newFilterId } from './filter-ids'
import { type LiveLogs, onLiveLogs } from './live-logs'
import type { LogQuery } from './log-query'

const LIFETIME_MS = 5 * 60_000
/** Our own limit: every log is matched against each. */
const MAX_FILTERS = 4_096
/** Maximum per caller. Our own limit. */
const MAX_PER_CALLER = 1_024
/** Memory of a filter that nobody polls before it is dropped. Our own limit. */
const MAX_KEPT = 100_000
/** Memory of all filters; above it the one polled longest ago is dropped. Our own limit. */
const MAX_KEPT_TOGETHER = 2_000_000

/** What the store uses. */
export interface FilterStoreDeps {
  readonly feed: ChainFeed
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
}

interface Filter {
  /** Its creator. */
  readonly caller: string
  /** JSON texts, oldest first. */
  kept: string[]
  polledAt: number
  /** For a log filter. */
  readonly query: LogQuery | null
  readonly listening: Disposable
}

/** Creates, polls and drops filters. */
export class FilterStore {
  readonly #filters = new Map<string, Filter>()
  readonly #counts = new CallerCounts()
  #sweep: Disposable | null = null
  /** Of all filters. */
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

  /** @returns its id @throws RpcFault RPC_FAILED when the caller has too many */
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

  addLogs(query: LogQuery, live: LiveLogs, caller = ''): string {
    return this.#add({ query, caller }, (keep) => onLiveLogs(this.deps.feed, live, query.filter, keep))
  }

  /** Collected since the last call, as JSON texts; polling keeps a filter alive. @throws RpcFault */
  changes(id: string): readonly string[] {
    const filter = this.#found(id)
    const { kept } = filter
    filter.kept = []
    this.#kept -= kept.length
    filter.polledAt = this.deps.clock.monotonic()
    return kept
  }

  /** @throws RpcFault when it isn't a log filter */
  query(id: string): LogQuery {
    const { query } = this.#found(id)
    if (query === null) throw notFound()
    return query
  }

  /** False when it doesn't exist. */
  remove(id: string): boolean {
    const filter = this.#filters.get(id)
    if (filter === undefined) return false
    filter.listening.dispose()
    this.#kept -= filter.kept.length
    this.#counts.remove(filter.caller)
    return this.#filters.delete(id)
  }

  #add(
    { query, caller }: Pick<Filter, 'query' | 'caller'>,
    listen: (keep: (texts: readonly string[]) => void) => Disposable,
  ): string {
    const { clock, randomBytes } = this.deps
    if (this.#counts.of(caller) >= MAX_PER_CALLER)
      throw new RpcFault('RPC_FAILED', { reason: `too many filters: at most ${MAX_PER_CALLER}, uninstall some` })
    if (this.#filters.size >= MAX_FILTERS) this.#dropIdlest(this.#of(this.#counts.greatest()))
    const id = newFilterId(randomBytes)
    const keep = (texts: readonly string[]): void => {
      for (const text of texts) filter.kept.push(text)
      this.#kept += texts.length
      if (filter.kept.length > MAX_KEPT) this.remove(id)
      while (this.#kept > MAX_KEPT_TOGETHER) this.#dropIdlest([...this.#filters])
    }
    const filter: Filter = { caller, kept: [], polledAt: clock.monotonic(), query, listening: listen(keep) }
    this.#filters.set(id, filter)
    this.#counts.add(caller)
    return id
  }

  #found(id: string): Filter {
    const filter = this.#filters.get(id)
    if (filter === undefined) throw notFound()
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

function notFound() {
  return new RpcFault('RPC_FAILED', { reason: 'filter not found' })
}
