// Caches of bounded memory: with two generations, of which the older one is dropped when the younger reaches half of it; and
// by use.

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

  /** @param make called where it isn't kept; it counts as when it is used again */
  of(name: string, make: () => T): T {
    const kept = this.get(name)
    if (kept !== undefined) return kept
    const value = make()
    this.set(name, value, this.#bytesAgain(value))
    return value
  }
}

/** The values used last, as far as they fit together. */
export class SizedCache<T> {
  readonly #values = new Map<string, T>()
  #size = 0

  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: T) => number,
  ) {}

  get(name: string): T | undefined {
    const value = this.#values.get(name)
    if (value === undefined) return undefined
    this.#values.delete(name) // set again, it becomes the newest
    this.#values.set(name, value)
    return value
  }

  set(name: string, value: T): void {
    const size = this.sizeOf(value)
    if (size > this.most || this.#values.has(name)) return
    this.#values.set(name, value)
    this.#size += size
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.most) return
      this.#drop(oldest)
    }
  }

  forget(isGone: (name: string) => boolean): void {
    for (const name of this.#values.keys()) if (isGone(name)) this.#drop(name)
  }

  #drop(name: string): void {
    const value = this.#values.get(name)
    if (value !== undefined && this.#values.delete(name)) this.#size -= this.sizeOf(value)
  }
}
