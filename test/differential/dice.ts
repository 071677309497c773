// Random numbers that are the same for the same seed.
export class Dice {
  #state: number

  /** @param seed any whole number */
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1
  }

  /** 0..count-1 (xorshift32). */
  below(count: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % count
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  hex(bytes: number): string {
    return `0x${Array.from({ length: 2 * bytes }, () => this.below(16).toString(16)).join('')}`
  }
}
