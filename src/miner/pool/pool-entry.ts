// One pool in the list with what was learned about it since startup.

import type { DialectName, PoolUrl } from '../../config/values/pool-url'
import { PoolStats } from './pool-stats'
import type { LineDialect } from './session/session'
import type { DifficultyUnit } from './session/share-target'

/** A pool that rejected the login, or every dialect, is left alone for this long. Silence isn't a rejection. */
export const UNUSABLE_MS = 600_000

/** By user request; because the previous one failed; or because an earlier one works again. */
export type SwitchCause = 'asked' | 'failed' | 'returned'

/** A change of the active pool. */
export interface PoolSwitch {
  /** UTC ms */
  readonly at: number
  readonly cause: SwitchCause
  /** `host:port` of the previous pool */
  readonly from: string
  /** how that one failed; empty for other causes */
  readonly reason: string
}

/** A pool and its state. */
export interface PoolEntry {
  readonly url: PoolUrl
  /** detected, or given by the address */
  dialect: DialectName | null
  /** the dialect that the next detection begins with; null: the likeliest one */
  probeNext: LineDialect | null
  /** set when the first interpretation of its difficulties led only to rejections */
  difficultyUnit: DifficultyUnit | null
  /** that happened: it is tried only once */
  unitChanged: boolean
  /** monotonic ms; null: usable */
  unusableUntil: number | null
  /** why it is unusable, or how its last session ended; empty at first */
  lastFault: string
  /** where the pool asked this miner to reconnect, for the next connection only */
  movedTo: { readonly host: string; readonly port: number } | null
  /** how it last became active; null when it was the first, or never was */
  lastSwitch: PoolSwitch | null
  readonly stats: PoolStats
}

/** A new entry without history. */
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
