// Blocks that two threads share. One prepares them: it hashes their transactions and recovers the senders, ahead of the
// other, which executes them. A sender is recovered by whichever thread claims it first, so neither waits.

/** Memory: counts and chain id, states of blocks and transactions, roots, hashes, addresses, the blocks' bytes. */
const HEAD_BYTES = 32
const STATE_BYTES = 4
const HASH_BYTES = 32
const ADDRESS_BYTES = 20
const BLOCK_BYTES = STATE_BYTES + HASH_BYTES
const TRANSACTION_BYTES = STATE_BYTES + HASH_BYTES + ADDRESS_BYTES
/** A header with its bloom is longer. */
const SHORTEST_BLOCK = 400
/** A transfer with a signature is longer. Where many are shorter, the last ones aren't prepared. */
const SHORTEST_TRANSACTION = 96

const OPEN = 0
const TAKEN = 1
const DONE = 2

/** Blocks, and what is known about them, in one SharedArrayBuffer. */
export class PreparationJob {
  readonly chainId: bigint
  /** Concatenated RLP of the blocks. */
  readonly bytes: Uint8Array
  readonly #blocks: Int32Array
  readonly #transactions: Int32Array
  readonly #roots: Uint8Array
  readonly #hashes: Uint8Array
  readonly #addresses: Uint8Array

  /** @param memory of a job made by `of`, possibly on another thread */
  constructor(readonly memory: SharedArrayBuffer) {
    const head = new DataView(memory)
    const [length, blocks, transactions] = [head.getUint32(0), head.getUint32(4), head.getUint32(8)]
    this.chainId = head.getBigUint64(16)
    let at = HEAD_BYTES
    const next = (size: number): number => {
      at += size
      return at - size
    }
    this.#blocks = new Int32Array(memory, next(STATE_BYTES * blocks), blocks)
    this.#transactions = new Int32Array(memory, next(STATE_BYTES * transactions), transactions)
    this.#roots = new Uint8Array(memory, next(HASH_BYTES * blocks), HASH_BYTES * blocks)
    this.#hashes = new Uint8Array(memory, next(HASH_BYTES * transactions), HASH_BYTES * transactions)
    this.#addresses = new Uint8Array(memory, next(ADDRESS_BYTES * transactions), ADDRESS_BYTES * transactions)
    this.bytes = new Uint8Array(memory, next(length), length)
  }

  /** @param bytes concatenated RLP of blocks, copied */
  static of(bytes: Uint8Array, chainId: bigint): PreparationJob {
    const blocks = Math.ceil(bytes.length / SHORTEST_BLOCK)
    const transactions = Math.ceil(bytes.length / SHORTEST_TRANSACTION)
    const size = HEAD_BYTES + BLOCK_BYTES * blocks + TRANSACTION_BYTES * transactions + bytes.length
    const memory = new SharedArrayBuffer(size)
    const head = new DataView(memory)
    head.setUint32(0, bytes.length)
    head.setUint32(4, blocks)
    head.setUint32(8, transactions)
    head.setBigUint64(16, chainId)
    const job = new PreparationJob(memory)
    job.bytes.set(bytes)
    return job
  }

  /** Whether there is room for block `block`, and for `transactions` of this and all earlier blocks. */
  hasRoomFor(block: number, transactions: number): boolean {
    return block < this.#blocks.length && transactions <= this.#transactions.length
  }

  /** Stores what follows from a block's bytes; `first` counts its first transaction among all of the job. */
  giveBlock(block: number, first: number, root: Uint8Array, hashes: readonly Uint8Array[]): void {
    this.#roots.set(root, HASH_BYTES * block)
    for (const [index, hash] of hashes.entries()) this.#hashes.set(hash, HASH_BYTES * (first + index))
    Atomics.store(this.#blocks, block, DONE)
  }

  /** Whether `rootOf` and `hashOf` are stored for this block. */
  hasBlock(block: number): boolean {
    return block < this.#blocks.length && Atomics.load(this.#blocks, block) === DONE
  }

  /** Root over the transactions of a stored block, 32 bytes. */
  rootOf(block: number): Uint8Array {
    return this.#roots.slice(HASH_BYTES * block, HASH_BYTES * (block + 1))
  }

  /** Hash of a transaction of a stored block, 32 bytes. @param index among all of the job */
  hashOf(index: number): Uint8Array {
    return this.#hashes.slice(HASH_BYTES * index, HASH_BYTES * (index + 1))
  }

  /** Claims the sender of a transaction. False: already claimed. @param index among all of the job */
  claim(index: number): boolean {
    if (index >= this.#transactions.length) return false
    return Atomics.compareExchange(this.#transactions, index, OPEN, TAKEN) === OPEN
  }

  /** Stores the 20-byte address of a claimed sender. Without a valid signature nothing is stored: the caller reports that error. */
  giveAddress(index: number, address: Uint8Array): void {
    this.#addresses.set(address, ADDRESS_BYTES * index)
    Atomics.store(this.#transactions, index, DONE)
  }

  /** 20 bytes; null when it hasn't been recovered. */
  addressOf(index: number): Uint8Array | null {
    if (index >= this.#transactions.length || Atomics.load(this.#transactions, index) !== DONE) return null
    return this.#addresses.slice(ADDRESS_BYTES * index, ADDRESS_BYTES * (index + 1))
  }
}
