// Delays between attempts: doubling up to a minute, with jitter, so that a pool that comes back isn't stormed.

const LONGEST_MS = 60_000
const JITTER = 0.2

/** Exponential back-off. */
export class RetryDelay {
  #nextMs: number

  /** @param random 0 <= x < 1 */
  constructor(
    private readonly startMs: number,
    private readonly random: () => number,
  ) {
    this.#nextMs = startMs
  }

  /** Milliseconds to wait now; doubles for the next call. */
  next(): number {
    const base = this.#nextMs
    this.#nextMs = Math.min(LONGEST_MS, base * 2)
    return Math.round(base * (1 - JITTER + 2 * JITTER * this.random()))
  }

  reset(): void {
    this.#nextMs = this.startMs
  }
}
