// The pool source's options, and what it shows of its list.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { PoolUrl } from '../../config/values/pool-url'
import { diagnosisOf } from './pool-doctor'
import type { PoolEntry } from './pool-entry'
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

/** A pool for display; its members are those of the contract. */
export type PoolView = ReturnType<typeof poolView>

interface PoolPlace {
  readonly index: number
  /** in use, being connected, waiting for its turn, or left alone for a while */
  readonly state: 'active' | 'connecting' | 'idle' | 'unusable'
  /** null when its session isn't active */
  readonly active: { readonly session: PoolSession; readonly connectedAt: number } | null
}

/** The view of one pool. */
export function poolView(entry: PoolEntry, { index, state, active }: PoolPlace) {
  const { url, lastFault, lastSwitch, stats } = entry
  const { tries, nextTryAt } = entry.health
  return {
    index,
    active: active !== null,
    url,
    state,
    lastFault,
    diagnosis: diagnosisOf(entry),
    tries,
    nextTryAt,
    connectedAt: active?.connectedAt ?? null,
    difficulty: active?.session.job?.difficulty ?? null,
    latency: stats.latency,
    shares: stats.shares,
    lastSwitch,
  }
}
