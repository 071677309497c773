// When the next epoch is so near that its cache, and where wished its dataset, are built ahead.
import type { Job } from '../../work-source'

const AHEAD_BLOCKS = 36
/** An epoch lasts five days, more or less; without heights this is early rather than late. */
const AHEAD_MS = 12 * 3_600_000

export class NextEpoch {
  #epoch: number | null = null
  #since = 0
  #told: number | null = null

  /** @param epochLength in blocks */
  constructor(private readonly epochLength: number) {}

  /**
   * The epoch that is to be prepared now, once each; null: none.
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

  /** A height that does not fit the seed's epoch says nothing. */
  #isNear(epoch: number, height: number | null, at: number): boolean {
    if (height === null || Math.floor(height / this.epochLength) !== epoch) return at - this.#since >= AHEAD_MS
    return this.epochLength - (height % this.epochLength) <= AHEAD_BLOCKS
  }
}
