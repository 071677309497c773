// Collections that strangers can fill but not grow.
import { bytesName } from '../bytes'

/** Evicts the entry that was set or used longest ago, which is the first. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly most: number) {
    super()
  }

  /** The value of `key`, marked as used. */
  use(key: K): V | undefined {
    const value = this.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.size > this.most ? this.keys() : []
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}

/** What a peer already knows: hashes of 32 bytes. Evicts the oldest. */
export class RecentSet {
  readonly #names: BoundedMap<string, true>

  constructor(most: number) {
    this.#names = new BoundedMap(most)
  }

  add(hash: Uint8Array): void {
    this.#names.set(bytesName(hash), true)
  }

  has(hash: Uint8Array): boolean {
    return this.#names.has(bytesName(hash))
  }

  get size(): number {
    return this.#names.size
  }
}
