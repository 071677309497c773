// A bound for what many connections hold together, where each alone is bounded too.

/** Bytes that are held at the moment. */
export class ByteBudget {
  #used = 0

  /** @param maxBytes all together */
  constructor(private readonly maxBytes: number) {}

  /** False when that is too much at the moment; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false
    this.#used += bytes
    return true
  }

  /** @param bytes that were taken before */
  give(bytes: number): void {
    this.#used -= bytes
  }
}
