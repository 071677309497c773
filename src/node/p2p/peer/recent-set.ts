// A bounded set of recent hashes: what a peer already knows.
import { hashName } from '../hash-name'

/** Evicts the oldest hash; 32 bytes each. */
export class RecentSet {
  readonly #names = new Set<string>()

  constructor(private readonly most: number) {}

  /** @param hash 32 bytes */
  add(hash: Uint8Array): void {
    const name = hashName(hash)
    if (this.#names.delete(name) || this.#names.size < this.most) {
      this.#names.add(name)
      return
    }
    const [oldest] = this.#names
    if (oldest !== undefined) this.#names.delete(oldest)
    this.#names.add(name)
  }

  has(hash: Uint8Array): boolean {
    return this.#names.has(hashName(hash))
  }

  get size(): number {
    return this.#names.size
  }
}
