// A map that strangers can fill but not grow: the least recently used entry is evicted.

/** Evicts the least recently used entry. `get` counts as use. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#entries.size
  }

  /** The value of `key`, marked as used. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.most) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  /** Least recently used first. */
  values(): IterableIterator<V> {
    return this.#entries.values()
  }
}
