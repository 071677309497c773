// Limits concurrency; the excess waits in request order.

/** Bodies that throw free their place, too. */
export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = []
  #busy = 0

  /** @param most maximum running at once, at least 1 */
  constructor(private readonly most: number) {}

  /** Number of waiting bodies. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws what `body` throws */
  async run<T>(body: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.most) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else this.#busy += 1
    try {
      return await body()
    } finally {
      // A waiting body takes over the slot, so that nobody jumps the queue.
      const next = this.#waiting.shift()
      if (next === undefined) this.#busy -= 1
      else next()
    }
  }
}
