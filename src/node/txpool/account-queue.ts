// One sender's transactions by nonce: those executable in a row from the state's nonce on, and those after a gap.
import type { PoolTransaction } from './pool-transaction'

/** The transactions of one account. */
export class AccountQueue {
  /** How many executable ones the pool has counted. */
  counted = 0
  /** When a transaction was last added or included, monotonic ms. */
  activeAt = 0
  readonly #byNonce = new Map<bigint, PoolTransaction>()
  #stateNonce: bigint
  /** The executable ones; null when they must be recomputed. */
  #run: PoolTransaction[] | null = null
  #lastSequence = -1

  /**
   * @param sender 20 bytes
   * @param stateNonce of the sender at the head
   */
  constructor(
    readonly sender: Uint8Array,
    stateNonce: bigint,
  ) {
    this.#stateNonce = stateNonce
  }

  get size(): number {
    return this.#byNonce.size
  }

  get stateNonce(): bigint {
    return this.#stateNonce
  }

  get queuedCount(): number {
    return this.#byNonce.size - this.executable().length
  }

  /** Of the newest arrival. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  get(nonce: bigint): PoolTransaction | undefined {
    return this.#byNonce.get(nonce)
  }

  /** In no particular order. */
  all(): readonly PoolTransaction[] {
    return [...this.#byNonce.values()]
  }

  /** Replaces the one with its nonce. */
  set(entry: PoolTransaction): void {
    const { nonce } = entry.tx
    this.#byNonce.set(nonce, entry)
    if (entry.sequence > this.#lastSequence) this.#lastSequence = entry.sequence
    const run = this.#run
    if (run === null) return
    const place = Number(nonce - this.#stateNonce)
    if (place === run.length) this.#extend(run)
    else if (run[place] !== undefined) run[place] = entry
  }

  delete(nonce: bigint): void {
    if (!this.#byNonce.delete(nonce) || this.#run === null) return
    const place = Number(nonce - this.#stateNonce)
    if (place === this.#run.length - 1) this.#run.pop()
    else if (this.#run[place] !== undefined) this.#run = null
  }

  setStateNonce(nonce: bigint): void {
    if (nonce === this.#stateNonce) return
    this.#stateNonce = nonce
    this.#run = null
  }

  /** Consecutive nonces from the state's on. A live list: the next change may alter it. */
  executable(): readonly PoolTransaction[] {
    this.#run ??= this.#extend([])
    return this.#run
  }

  /** Ascending nonces. */
  queued(): readonly PoolTransaction[] {
    const end = this.#stateNonce + BigInt(this.executable().length)
    return this.all()
      .filter(({ tx }) => tx.nonce < this.#stateNonce || tx.nonce >= end)
      .sort((a, b) => (a.tx.nonce < b.tx.nonce ? -1 : 1))
  }

  #extend(run: PoolTransaction[]): PoolTransaction[] {
    for (let nonce = this.#stateNonce + BigInt(run.length); ; nonce++) {
      const entry = this.#byNonce.get(nonce)
      if (entry === undefined) return run
      run.push(entry)
    }
  }
}
