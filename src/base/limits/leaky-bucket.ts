// A rate limit that allows bursts.

/** Fills by what is added and leaks at a constant rate. */
export class LeakyBucket {
  #level = 0
  /** Monotonic ms. */
  #at = 0

  /** @param size full at this level @param perMs leaks this much */
  constructor(
    private readonly size: number,
    private readonly perMs: number,
  ) {}

  /** @param now monotonic ms */
  add(amount: number, now: number): void {
    this.#leak(now)
    this.#level += amount
  }

  /** @param now monotonic ms */
  isFull(now: number): boolean {
    this.#leak(now)
    return this.#level >= this.size
  }

  #leak(now: number): void {
    this.#level = Math.max(0, this.#level - (now - this.#at) * this.perMs)
    this.#at = now
  }
}
