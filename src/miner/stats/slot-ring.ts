// Sums over recent minutes: amounts in one-second slots of the monotonic clock.

const SLOT_MS = 1_000

/** A ring of slots. */
export class SlotRing {
  readonly #amounts: Float64Array
  readonly #slots: Float64Array

  /** @param seconds how far back `sum` can look */
  constructor(seconds: number) {
    this.#amounts = new Float64Array(seconds)
    this.#slots = new Float64Array(seconds).fill(-1)
  }

  /** @param at monotonic ms */
  add(at: number, amount: number): void {
    const slot = Math.floor(at / SLOT_MS)
    const position = slot % this.#slots.length
    if (this.#slots[position] !== slot) {
      this.#slots[position] = slot
      this.#amounts[position] = 0
    }
    this.#amounts[position] = (this.#amounts[position] ?? 0) + amount
  }

  /** Sum of the `seconds` slots that end with that of `at`. @param since only slots that begin after this moment */
  sum(at: number, seconds: number, since = Number.NEGATIVE_INFINITY): number {
    const last = Math.floor(at / SLOT_MS)
    let total = 0
    for (let slot = Math.max(0, last - seconds + 1, Math.floor(since / SLOT_MS) + 1); slot <= last; slot++) {
      const position = slot % this.#slots.length
      if (this.#slots[position] === slot) total += this.#amounts[position] ?? 0
    }
    return total
  }
}
