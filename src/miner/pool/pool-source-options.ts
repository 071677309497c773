// The pool source's options, and what it shows of its list.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { hostPort, type PoolUrl } from '../../config/values/pool-url'
import type { PoolDiagnosis } from '../pool-trouble'
import { diagnosisOf } from './pool-doctor'
import type { PoolEntry, PoolSwitch } from './pool-entry'
import type { Latency, PoolShares } from './pool-stats'
import type { PoolSession, SessionDeps } from './session/session'

/** Options of the list. */
export interface PoolSourceOptions {
  readonly pools: readonly PoolUrl[]
  /** the list ends with `exit`: after the last pool the program is asked to exit */
  readonly exitAtEnd: boolean
  /** there is other work while the list is empty: the last pool may be removed while in use */
  readonly mayBeEmpty?: boolean
  readonly retryDelayMs: number
  /** attempts per pool before the next; 0 = unlimited */
  readonly retryMax: number
  /** return to the first pool once it was healthy for this long; 0 = never */
  readonly failoverMs: number
  readonly reportHashrate: boolean
  /** solutions per second above which they are paced; default 50 */
  readonly maxSharesPerSecond?: number
}

/** What the source uses. */
export interface PoolSourceDeps {
  readonly session: SessionDeps
  readonly clock: Clock
  readonly log: Logger
  /** H/s over the last 60 s */
  readonly hashrate: () => number
  /** 0 <= x < 1, for the jitter of delays */
  readonly random: () => number
  /** The list has reached its `exit`. */
  readonly onExit: () => void
}

/** A pool for display. */
export interface PoolView {
  readonly index: number
  readonly active: boolean
  readonly url: PoolUrl
  /** in use, being connected, waiting for its turn, or left alone for a while */
  readonly state: 'active' | 'connecting' | 'idle' | 'unusable'
  readonly lastFault: string
  /** what is wrong with it now; null: nothing known */
  readonly diagnosis: PoolDiagnosis | null
  /** how often it failed since it last worked */
  readonly tries: number
  /** UTC ms of the next attempt while waiting for it */
  readonly nextTryAt: number | null
  /** UTC ms of its last accepted share in this run */
  readonly acceptedAt: number | null
  /** `host:port` where it sent this miner; empty: its own */
  readonly movedTo: string
  /** UTC ms when its session became active; null when it isn't */
  readonly connectedAt: number | null
  /** expected hashes per share of its current job; null without one */
  readonly difficulty: bigint | null
  /** from request to answer; null before the first */
  readonly latency: Latency | null
  readonly shares: PoolShares
  /** how it last became active; null when it was the first, or never was */
  readonly lastSwitch: PoolSwitch | null
}

/** Position and session of a pool. */
interface PoolPlace {
  readonly index: number
  readonly state: PoolView['state']
  /** null when its session isn't active */
  readonly active: { readonly session: PoolSession; readonly connectedAt: number } | null
}

/** The view of one pool. */
export function poolView(entry: PoolEntry, { index, state, active }: PoolPlace): PoolView {
  const { url, lastFault, lastSwitch, stats } = entry
  const { tries, nextTryAt, acceptedAt } = entry.health
  const at = active === null ? hostPort(url) : hostPort(active.session.url)
  return {
    index,
    active: active !== null,
    url,
    state,
    lastFault,
    diagnosis: diagnosisOf(entry),
    tries,
    nextTryAt,
    acceptedAt,
    movedTo: at === hostPort(url) ? '' : at,
    connectedAt: active?.connectedAt ?? null,
    difficulty: active?.session.job?.difficulty ?? null,
    latency: stats.latency,
    shares: stats.shares,
    lastSwitch,
  }
}
