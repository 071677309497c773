// One pool of the list with what was learned about it since start.
import type { DialectName, PoolUrl } from './pool-url'
import type { DifficultyUnit } from './share-target'

/** A pool that refused the login, or speaks nothing we know, is left alone for this long. */
export const UNUSABLE_MS = 600_000

export interface PoolEntry {
  readonly url: PoolUrl
  /** found out by trying, or named by the address */
  dialect: DialectName | null
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
}

export function newPoolEntry(url: PoolUrl): PoolEntry {
  return {
    url,
    dialect: url.dialect,
    difficultyUnit: null,
    unitChanged: false,
    unusableUntil: null,
    lastFault: '',
    movedTo: null,
  }
}
