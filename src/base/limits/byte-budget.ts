// Caps what many connections hold together, where each alone is capped too.

/** Bytes currently held. */
export class ByteBudget {
  #used = 0

  /** @param maxBytes all together */
  constructor(private readonly maxBytes: number) {}

  /** False when the budget can't cover it now; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false
    this.#used += bytes
    return true
  }

  /** @param bytes taken earlier */
  give(bytes: number): void {
    this.#used -= bytes
  }
}
