// Notices a pool whose difficulties are read the wrong way: it rejects one share after another as too easy.
import type { ShareVerdict } from '../../work-source'
import type { PoolEntry } from '../pool-entry'
import type { DifficultyUnit } from './share-target'

/** Rejections for low difficulty in a row after which the other reading of the difficulty is tried. */
const LIMIT = 20

export class LowDifficulty {
  #inARow = 0

  /** Another session: what was counted is of no use. */
  reset(): void {
    this.#inARow = 0
  }

  /**
   * True when the limit is reached and the entry now has the other reading: the session is to begin again.
   * @param unit how the active session reads difficulties; null where the pool sends targets
   */
  turnsOver(verdict: ShareVerdict, entry: PoolEntry, unit: DifficultyUnit | null): boolean {
    if (verdict.kind === 'accepted') this.reset()
    if (verdict.kind !== 'rejected' || !/low.?diff/i.test(verdict.reason)) return false
    this.#inARow += 1
    if (this.#inARow < LIMIT || entry.unitChanged || unit === null || entry.url.difficultyUnit !== null) return false
    entry.unitChanged = true
    entry.difficultyUnit = unit === 'classic' ? 'hashes' : 'classic'
    return true
  }
}
