// How much of something each caller holds, for per-caller limits and for evicting from the largest holder.

/** Counts by caller, in the order in which each caller first got one. */
export class CallerCounts {
  readonly #counts = new Map<string, number>()

  of(caller: string): number {
    return this.#counts.get(caller) ?? 0
  }

  add(caller: string): void {
    this.#counts.set(caller, this.of(caller) + 1)
  }

  /** @param caller must hold one */
  remove(caller: string): void {
    const left = this.of(caller) - 1
    if (left > 0) this.#counts.set(caller, left)
    else this.#counts.delete(caller)
  }

  /** The caller that holds most; among equals, the one that has held some for longest. Null when nobody holds any. */
  greatest(): string | null {
    let most: string | null = null
    for (const [caller, count] of this.#counts) if (most === null || count > this.of(most)) most = caller
    return most
  }
}
