// What the pool source is made from and what it shows of its list.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { PoolUrl } from '../../config/values/pool-url'
import type { PoolEntry, PoolSwitch } from './pool-entry'
import type { Latency, PoolShares } from './pool-stats'
import type { PoolSession, SessionDeps } from './session/session'

export interface PoolSourceOptions {
  readonly pools: readonly PoolUrl[]
  /** the list ends with `exit`: after the last pool the program is asked to end */
  readonly exitAtEnd: boolean
  /** there is other work while the list is empty: its last pool may be removed while it is in use */
  readonly mayBeEmpty?: boolean
  readonly retryDelayMs: number
  /** attempts at one pool before the next; 0 = for ever */
  readonly retryMax: number
  /** from a later pool the first one is returned to when it was well for that long; 0 = never */
  readonly failoverMs: number
  readonly reportHashrate: boolean
  /** solutions a second beyond which they are paced; default 50 */
  readonly maxSharesPerSecond?: number
}

export interface PoolSourceDeps {
  readonly session: SessionDeps
  readonly clock: Clock
  readonly log: Logger
  /** H/s over the last 60 s */
  readonly hashrate: () => number
  /** 0 <= x < 1, for the jitter of delays */
  readonly random: () => number
  /** The list has come to its `exit`. */
  readonly onExit: () => void
}

export interface PoolView {
  readonly index: number
  readonly active: boolean
  readonly url: PoolUrl
  /** it works, waits for its turn, or is left alone for a while */
  readonly state: 'active' | 'connecting' | 'idle' | 'unusable'
  readonly lastFault: string
  /** UTC ms since when its session is the active one; null where it is not */
  readonly connectedAt: number | null
  /** expected hashes of a share of its present job; null without one */
  readonly difficulty: bigint | null
  /** from a request of ours to its answer; null before the first */
  readonly latency: Latency | null
  readonly shares: PoolShares
  /** how it became the active one last; null when it was the first, or never was */
  readonly lastSwitch: PoolSwitch | null
}

export interface PoolPlace {
  readonly index: number
  readonly state: PoolView['state']
  /** null where its session is not the active one */
  readonly active: { readonly session: PoolSession; readonly connectedAt: number } | null
}

export function poolView(
  { url, lastFault, lastSwitch, stats }: PoolEntry,
  { index, state, active }: PoolPlace,
): PoolView {
  return {
    index,
    active: active !== null,
    url,
    state,
    lastFault,
    connectedAt: active?.connectedAt ?? null,
    difficulty: active?.session.job?.difficulty ?? null,
    latency: stats.latency,
    shares: stats.shares,
    lastSwitch,
  }
}
