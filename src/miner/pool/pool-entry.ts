// One pool in the list with what was learned about it since startup.

import type { DialectName, PoolUrl } from '../../config/values/pool-url'
import type { PoolDiagnosis, PoolTrouble } from '../pool-trouble'
import { PoolStats } from './pool-stats'
import type { LineDialect } from './session/session'
import type { DifficultyUnit } from './session/share-target'

/**
 * A pool that rejected the login, or every dialect, is left alone for this long at first, then for twice as long each
 * time up to the longest. Silence isn't a rejection.
 */
export const REFUSED_MS = 30_000
export const LONGEST_REFUSED_MS = 600_000
/** A certificate's dates depend on this computer's clock, which is often set only after startup. */
export const DATE_RETRY_MS = 5_000
/** The same for a pool at which nothing was accepted. */
export const LEFT_MS = 600_000
export const LONGEST_LEFT_MS = 14_400_000

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

interface Noted extends PoolDiagnosis {
  /** it no longer hinders, but what it hinders hasn't been reached */
  readonly isOver: boolean
  /** monotonic ms; null: never */
  readonly loggedAt: number | null
}

class PoolHealth {
  /** by trouble, latest last */
  readonly noted = new Map<PoolTrouble, Noted>()
  /** rejected or unanswered shares in a row, and monotonic ms of the first */
  streak = { count: 0, since: 0 }
  /** logins again because of rejected shares, since the last accepted one */
  logins = 0
  /** UTC ms of the last accepted share; null before the first */
  acceptedAt: number | null = null
  /** shares that the hashes since then find on average, and for how long those were computed */
  expected = 0
  silentMs = 0
  /** its work, and for how long it was given without advancing; `toldMs`: of which that was reported */
  work: { readonly height: number | null; readonly sealHash: Uint8Array; ms: number; toldMs: number } | null = null
  /** how often it failed since it last worked */
  tries = 0
  /** UTC ms of the next attempt while waiting for it */
  nextTryAt: number | null = null
  /** how often it was left because nothing was accepted, since the last accepted share */
  left = 0
}

/** A pool and its state; at first without history. */
export class PoolEntry {
  /** detected, or given by the address */
  dialect: DialectName | null
  /** the dialect that the next detection begins with; null: the likeliest one */
  probeNext: LineDialect | null = null
  /** dialects that its jobs don't fit */
  readonly refuted = new Set<LineDialect>()
  /** set when the first interpretation of its difficulties led only to rejections; that is tried only once */
  difficultyUnit: DifficultyUnit | null = null
  /** monotonic ms; null: usable */
  unusableUntil: number | null = null
  /** it is left alone only because nothing was accepted: still better than nothing */
  isLeft = false
  /** consecutive refusals */
  refusals = 0
  /** why it is unusable, or how its last session ended; empty at first */
  lastFault = ''
  /** where the pool asked this miner to reconnect, for the next connection only */
  movedTo: { readonly host: string; readonly port: number } | null = null
  /** how it last became active; null when it was the first, or never was */
  lastSwitch: PoolSwitch | null = null
  readonly stats = new PoolStats()
  readonly health = new PoolHealth()

  constructor(readonly url: PoolUrl) {
    this.dialect = url.dialect
  }
}

/** Reads its difficulties in the other unit from the next session on. False: tried before, or the address says. */
export function readOtherWay(entry: PoolEntry, unit: DifficultyUnit | null): boolean {
  if (unit === null || entry.difficultyUnit !== null || entry.url.difficultyUnit !== null) return false
  entry.difficultyUnit = unit === 'classic' ? 'hashes' : 'classic'
  return true
}
