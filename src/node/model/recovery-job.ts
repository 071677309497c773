// Signatures whose signers two threads recover in shared memory: the first to reach one claims it, so neither thread
// waits.

/** What a signer's address is recovered from. */
export interface SignedDigest {
  /** 32 bytes */
  readonly hash: Uint8Array
  /** r and s, 64 bytes */
  readonly signature: Uint8Array
  readonly recoveryId: 0 | 1
}

/** Consecutive items that one thread claimed. */
export interface TakenItems {
  readonly first: number
  /** 0: no item is open any more. */
  readonly count: number
  /** 97 bytes each: hash, signature, recovery id */
  readonly items: Uint8Array
}

const HASH_BYTES = 32
const SIGNATURE_BYTES = 64
const ITEM_BYTES = HASH_BYTES + SIGNATURE_BYTES + 1
const ADDRESS_BYTES = 20

/** State of an item, 4 bytes each, stored before the items. */
const STATE_BYTES = 4
const OPEN = 0
const TAKEN = 1
const FOUND = 2

/** One SharedArrayBuffer for both threads; an item is claimed by one atomic exchange, so it is computed once. */
export class RecoveryJob {
  readonly #states: Int32Array
  /** Hash, signature, recovery id; the address overwrites the hash. */
  readonly #items: Uint8Array

  /** @param memory of a job made by `of`, possibly on another thread */
  constructor(readonly memory: SharedArrayBuffer) {
    this.size = Math.floor(memory.byteLength / (STATE_BYTES + ITEM_BYTES))
    this.#states = new Int32Array(memory, 0, this.size)
    this.#items = new Uint8Array(memory, STATE_BYTES * this.size)
  }

  readonly size: number

  static of(digests: readonly SignedDigest[]): RecoveryJob {
    const job = new RecoveryJob(new SharedArrayBuffer((STATE_BYTES + ITEM_BYTES) * digests.length))
    for (const [index, { hash, signature, recoveryId }] of digests.entries()) {
      const at = ITEM_BYTES * index
      job.#items.set(hash, at)
      job.#items.set(signature, at + HASH_BYTES)
      job.#items[at + ITEM_BYTES - 1] = recoveryId
    }
    return job
  }

  /** Claims item `index`. Null: already claimed. */
  take(index: number): SignedDigest | null {
    if (!this.#claim(index)) return null
    const at = ITEM_BYTES * index
    return {
      hash: this.#items.slice(at, at + HASH_BYTES),
      signature: this.#items.slice(at + HASH_BYTES, at + HASH_BYTES + SIGNATURE_BYTES),
      recoveryId: this.#items[at + ITEM_BYTES - 1] === 0 ? 0 : 1,
    }
  }

  /** Claims up to `most` consecutive items, from the first open one at or after `from` to the next claimed one. */
  takeSome(from: number, most: number): TakenItems {
    let first = from
    while (first < this.size && !this.#claim(first)) first++
    let end = Math.min(first + 1, this.size)
    while (end < this.size && end - first < most && this.#claim(end)) end++
    return { first, count: end - first, items: this.#items.slice(ITEM_BYTES * first, ITEM_BYTES * end) }
  }

  /**
   * Stores a claimed item's address, 20 bytes. For an invalid signature nothing is stored: the
   * caller reports that error.
   */
  give(index: number, address: Uint8Array): void {
    this.#items.set(address, ITEM_BYTES * index)
    Atomics.store(this.#states, index, FOUND)
  }

  #claim(index: number): boolean {
    return Atomics.compareExchange(this.#states, index, OPEN, TAKEN) === OPEN
  }

  /** 20 bytes; null when it hasn't been recovered. */
  addressOf(index: number): Uint8Array | null {
    if (Atomics.load(this.#states, index) !== FOUND) return null
    return this.#items.slice(ITEM_BYTES * index, ITEM_BYTES * index + ADDRESS_BYTES)
  }
}
