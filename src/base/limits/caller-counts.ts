// How much of something each caller has, so that it can be shared out: by a limit for each, and by taking from whoever has most.

export class CallerCounts {
  readonly #counts = new Map<string, number>()

  of(caller: string): number {
    return this.#counts.get(caller) ?? 0
  }

  add(caller: string): void {
    this.#counts.set(caller, this.of(caller) + 1)
  }

  /** @param caller that had one */
  remove(caller: string): void {
    const left = this.of(caller) - 1
    if (left > 0) this.#counts.set(caller, left)
    else this.#counts.delete(caller)
  }

  /** Who has most; of several the one that has had some for longest. Null when nobody has any. */
  greatest(): string | null {
    let most: string | null = null
    for (const [caller, count] of this.#counts) if (most === null || count > this.of(most)) most = caller
    return most
  }
}
