// Remembers the last so many hashes: what a peer knows already.
import { hashName } from '../hash-name'

/** The oldest hash is forgotten when a new one comes; 32 bytes each. */
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
