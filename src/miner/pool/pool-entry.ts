// One pool of the list with what was learned about it since start.

import type { DialectName, PoolUrl } from '../../config/values/pool-url'
import { PoolStats } from './pool-stats'
import type { LineDialect } from './session/session'
import type { DifficultyUnit } from './session/share-target'

/** A pool that refused the login, or refused every dialect, is left alone for this long. Silence isn't a refusal. */
export const UNUSABLE_MS = 600_000

/** By someone's wish; since the one before failed; or since an earlier one of the list works again. */
export type SwitchCause = 'asked' | 'failed' | 'returned'

export interface PoolSwitch {
  /** UTC ms */
  readonly at: number
  readonly cause: SwitchCause
  /** `host:port` of the pool before */
  readonly from: string
  /** how that one failed; empty for the other causes */
  readonly reason: string
}

export interface PoolEntry {
  readonly url: PoolUrl
  /** found out by trying, or named by the address */
  dialect: DialectName | null
  /** the dialect that the next attempt to find it out begins with; null: the likeliest one */
  probeNext: LineDialect | null
  /** set when the first reading of its difficulties got only rejections */
  difficultyUnit: DifficultyUnit | null
  /** that happened: it is tried once only */
  unitChanged: boolean
  /** monotonic milliseconds; null: usable */
  unusableUntil: number | null
  /** why it is unusable, or how its last session ended; empty at first */
  lastFault: string
  /** where the pool asked this miner to come back to, for the next connection only */
  movedTo: { readonly host: string; readonly port: number } | null
  /** how it became the active one last; null when it was the first, or never was */
  lastSwitch: PoolSwitch | null
  readonly stats: PoolStats
}

export function newPoolEntry(url: PoolUrl): PoolEntry {
  return {
    url,
    dialect: url.dialect,
    probeNext: null,
    difficultyUnit: null,
    unitChanged: false,
    unusableUntil: null,
    lastFault: '',
    movedTo: null,
    lastSwitch: null,
    stats: new PoolStats(),
  }
}
