// Work of which only so much goes on at once; what comes on top waits for its turn, in the order of asking.

export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = []
  #busy = 0

  /** @param most how many go on at once, at least 1 */
  constructor(private readonly most: number) {}

  /** How many have not begun. */
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
      // Who waits takes the place over, so that nobody comes in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#busy -= 1
      else next()
    }
  }
}
