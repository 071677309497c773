// Senders of transactions that will be executed soon, recovered meanwhile on another thread. It only saves time: what
// that thread hasn't done in time, or never does because it failed, the executing thread does itself, with the same
// result.
import type { Block } from '../model/block'
import { RecoveryJob, type SignedDigest } from '../model/recovery-job'
import { type KnownSenders, signedDigest } from '../model/sender'
import type { Transaction } from '../model/transaction'

/** Another thread that runs jobs in order; see run-recovery.ts. */
export interface RecoveryThread {
  post(job: RecoveryJob): void
  /** Resolves when the thread has ended. */
  close(): Promise<void>
}

/** How the thread is started. */
export interface SenderRecoveryOptions {
  readonly chainId: bigint
  /**
   * Starts a thread; what is posted before it runs is queued. @param onLost called when it has failed: no other is
   * started @returns null when there can be none
   */
  readonly open: (onLost: () => void) => RecoveryThread | null
}

/**
 * Starting a thread costs as much as recovering a few thousand senders; for the few of a block at the head none is
 * started.
 */
const FEWEST_TO_START = 512
const FEWEST = 16

interface Place {
  readonly job: RecoveryJob
  readonly index: number
}

/** Recovers senders ahead of execution on another thread. */
export class SenderRecovery implements KnownSenders {
  /** Weakly keyed by transaction: never more than those of the current batches. */
  readonly #places = new WeakMap<Transaction, Place>()
  #thread: RecoveryThread | null = null
  /** Closed, or its thread has failed. */
  #isOver = false

  constructor(private readonly options: SenderRecoveryOptions) {}

  /** Starts to recover the senders of the transactions of `blocks`, in order. */
  ahead(blocks: readonly Block[]): void {
    const count = blocks.reduce((sum, block) => sum + block.transactions.length, 0)
    if (this.#isOver || count < (this.#thread === null ? FEWEST_TO_START : FEWEST)) return
    const digests: SignedDigest[] = []
    const transactions: Transaction[] = []
    for (const tx of blocks.flatMap((block) => block.transactions)) {
      const digest = signedDigest(tx, this.options.chainId)
      if (digest === null || tx.kind === 'unsupported') continue
      digests.push(digest)
      transactions.push(tx)
    }
    const job = RecoveryJob.of(digests)
    for (const [index, tx] of transactions.entries()) this.#places.set(tx, { job, index })
    this.#thread ??= this.options.open(() => this.#noMore())
    if (this.#thread === null) this.#noMore()
    this.#thread?.post(job)
  }

  /** Null leaves it to the caller: the other thread will skip it. */
  addressOf(tx: Transaction): Uint8Array | null {
    const place = this.#places.get(tx)
    if (place === undefined) return null
    const address = place.job.addressOf(place.index)
    if (address === null) place.job.take(place.index)
    return address
  }

  #noMore(): void {
    this.#isOver = true
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#noMore()
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }
}
