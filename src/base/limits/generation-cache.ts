// A cache of bounded memory with two generations: the older one is dropped when the younger reaches half of it.

interface GenerationCacheOptions<T> {
  /** Estimated memory of all entries. */
  readonly maxBytes: number
  /** What an entry of the older generation counts when it is used again. */
  readonly bytesAgain: (value: T) => number
}

/** Values by name. */
export class GenerationCache<T> {
  #young = new Map<string, T>()
  #old = new Map<string, T>()
  #youngBytes = 0
  readonly #generationBytes: number
  readonly #bytesAgain: (value: T) => number

  constructor({ maxBytes, bytesAgain }: GenerationCacheOptions<T>) {
    this.#generationBytes = maxBytes / 2
    this.#bytesAgain = bytesAgain
  }

  get(name: string): T | undefined {
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const old = this.#old.get(name)
    if (old !== undefined) this.set(name, old, this.#bytesAgain(old))
    return old
  }

  /** @param bytes estimated memory of the entry */
  set(name: string, value: T, bytes: number): void {
    this.#young.set(name, value)
    this.#youngBytes += bytes
    if (this.#youngBytes <= this.#generationBytes) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }
}
