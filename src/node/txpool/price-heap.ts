// Finds the cheapest remote transaction in a pool of thousands without scanning all of them. Removed transactions stay
// here until they surface or there are too many. Source: prlx core/tx_list.go (txPricedList)
import type { PoolTransaction } from './pool-transaction'

/** Removed entries are purged when they exceed this fraction. */
const MAX_LEFT = 0.25
const SMALL = 64

/** A heap of remote transactions by price. */
export class PriceHeap {
  #entries: PoolTransaction[] = []
  #left = 0

  /** @param isIn whether the entry is in the pool, as a remote one */
  constructor(private readonly isIn: (entry: PoolTransaction) => boolean) {}

  push(entry: PoolTransaction): void {
    this.#entries.push(entry)
    this.#rise(this.#entries.length - 1)
  }

  /** Records that an entry left the pool. */
  leave(): void {
    this.#left++
    if (this.#entries.length <= SMALL || this.#left <= this.#entries.length * MAX_LEFT) return
    this.#entries = this.#entries.filter((entry) => this.isIn(entry))
    this.#left = 0
    for (let at = (this.#entries.length >>> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  /** Removes the cheapest; null when empty. At equal price the one with the higher nonce. */
  pop(): PoolTransaction | null {
    for (;;) {
      const first = this.#entries[0]
      const last = this.#entries.pop()
      if (first === undefined || last === undefined) return null
      if (this.#entries.length > 0) {
        this.#entries[0] = last
        this.#sink(0)
      }
      if (this.isIn(first)) return first
      this.#left--
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >>> 1
      if (!this.#swapIfCheaper(at, above)) return
      at = above
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = this.#isCheaper(right, left) ? right : left
      if (!this.#swapIfCheaper(child, at)) return
      at = child
    }
  }

  #swapIfCheaper(below: number, above: number): boolean {
    const [lower, upper] = [this.#entries[below], this.#entries[above]]
    if (lower === undefined || upper === undefined || !this.#isCheaper(below, above)) return false
    this.#entries[below] = upper
    this.#entries[above] = lower
    return true
  }

  #isCheaper(first: number, second: number): boolean {
    const [a, b] = [this.#entries[first]?.tx, this.#entries[second]?.tx]
    if (a === undefined || b === undefined) return false
    return a.gasPrice === b.gasPrice ? a.nonce > b.nonce : a.gasPrice < b.gasPrice
  }
}
