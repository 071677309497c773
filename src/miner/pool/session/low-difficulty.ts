// Detects a pool whose difficulties are misinterpreted: it rejects one share after another as too easy.
import { rejectionTrouble } from '../../pool-trouble'
import type { ShareVerdict } from '../../work-source'
import type { PoolEntry } from '../pool-entry'
import type { DifficultyUnit } from './share-target'

/** Consecutive rejections for low difficulty after which the other interpretation is tried. */
const LIMIT = 5

/** Counts consecutive rejections. */
export class LowDifficulty {
  #inARow = 0

  /** Another session: resets the count. */
  reset(): void {
    this.#inARow = 0
  }

  /**
   * True when the limit is reached and the entry now has the other interpretation: restart the session.
   * @param unit the active session's interpretation; null when the pool sends targets
   */
  turnsOver(verdict: ShareVerdict, entry: PoolEntry, unit: DifficultyUnit | null): boolean {
    if (verdict.kind === 'accepted') this.reset()
    if (verdict.kind !== 'rejected') return false
    if (rejectionTrouble(verdict.reason, verdict.code ?? null) !== 'share-difficulty') return false
    this.#inARow += 1
    if (this.#inARow < LIMIT || entry.unitChanged || unit === null || entry.url.difficultyUnit !== null) return false
    entry.unitChanged = true
    entry.difficultyUnit = unit === 'classic' ? 'hashes' : 'classic'
    return true
  }
}
