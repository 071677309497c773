// Decides when the next epoch is close enough to prepare its cache and, if enabled, its dataset.
import type { Job } from '../../work-source'

const AHEAD_BLOCKS = 36
/** An epoch lasts about five days; without heights this errs on the early side. */
const AHEAD_MS = 12 * 3_600_000

/** Watches for the approach of the next epoch. */
export class NextEpoch {
  #epoch: number | null = null
  #since = 0
  #told: number | null = null

  /** @param epochLength in blocks */
  constructor(private readonly epochLength: number) {}

  /**
   * The epoch to prepare now, reported once each; null: none.
   * @param at monotonic ms
   */
  due({ epoch, height }: Pick<Job, 'epoch' | 'height'>, at: number): number | null {
    if (this.#epoch !== epoch) {
      this.#epoch = epoch
      this.#since = at
    }
    const next = epoch + 1
    if (this.#told === next || !this.#isNear(epoch, height, at)) return null
    this.#told = next
    return next
  }

  /** Ignores a height that contradicts the seed's epoch. */
  #isNear(epoch: number, height: number | null, at: number): boolean {
    if (height === null || Math.floor(height / this.epochLength) !== epoch) return at - this.#since >= AHEAD_MS
    return this.epochLength - (height % this.epochLength) <= AHEAD_BLOCKS
  }
}
