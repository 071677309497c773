// A bounded set of recent hashes: what a peer already knows.
import { bytesName } from '../../../base/bytes'
import { BoundedMap } from '../bounded-map'

/** Evicts the oldest hash; 32 bytes each. */
export class RecentSet {
  readonly #names: BoundedMap<string, true>

  constructor(most: number) {
    this.#names = new BoundedMap(most)
  }

  /** @param hash 32 bytes */
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
