// Blocks that will be executed soon, prepared meanwhile on another thread: hashes and root of their transactions, and
// the senders. What that thread hasn't done in time, or never does, the executing thread does itself, the same way.
import { ok, type Result } from '../codec/result'
import { rlpSlices } from '../codec/rlp'
import { type Block, decodeBlock, type KnownHead } from '../model/block'
import type { KnownSenders } from '../model/sender'
import { PreparationJob } from './preparation-job'

/** Another thread that runs jobs in order; see worker/preparation-thread.ts. */
export interface PreparationThread {
  post(job: PreparationJob): void
  /** Resolves when the thread has ended. */
  close(): Promise<void>
}

interface BlockPreparationOptions {
  readonly chainId: bigint
  /** What is posted before it runs is queued. @param onLost failed, and no other is started @returns null: none */
  readonly open: (onLost: () => void) => PreparationThread | null
}

/** Bytes of transactions. Starting a thread costs as much as a few thousand senders; not for a block at the head. */
const FEWEST_TO_START = 64 * 1024
const FEWEST = 2 * 1024

interface PreparedBlock extends KnownSenders {
  /** Root over the transactions, 32 bytes; null when it isn't known. */
  readonly root: Uint8Array | null
}

/** Prepares blocks on another thread. */
export class BlockPreparation {
  readonly #prepared = new WeakMap<Block, PreparedBlock>()
  #thread: PreparationThread | null = null
  /** Closed, or its thread has failed. */
  #isOver = false

  constructor(private readonly options: BlockPreparationOptions) {}

  /** Starts to prepare blocks. @param bytes their RLP, concatenated @returns null when it isn't worth it */
  ahead(bytes: Uint8Array): PreparedReader | null {
    if (this.#isOver || transactionBytes(bytes) < (this.#thread === null ? FEWEST_TO_START : FEWEST)) return null
    this.#thread ??= this.options.open(() => {
      this.#isOver = true
    })
    this.#isOver ||= this.#thread === null
    if (this.#thread === null) return null
    const job = PreparationJob.of(bytes, this.options.chainId)
    this.#thread.post(job)
    return new PreparedReader(job, this.#prepared)
  }

  /** Null for a block that wasn't read by a `PreparedReader`. */
  of(block: Block): PreparedBlock | null {
    return this.#prepared.get(block) ?? null
  }

  async close(): Promise<void> {
    this.#isOver = true
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }
}

/** Decodes the blocks of a job, all of them and in order. */
export class PreparedReader {
  #block = 0
  #transactions = 0

  constructor(
    private readonly job: PreparationJob,
    private readonly prepared: WeakMap<Block, PreparedBlock>,
  ) {}

  /** The next block. @param bytes its RLP @param known what was decoded of it before */
  decode(
    bytes: Uint8Array,
    known: { readonly block?: Block | null; readonly head?: KnownHead | null } = {},
  ): Result<Block> {
    const { job } = this
    const { block: whole = null, head = null } = known
    const [place, first] = [this.#block++, this.#transactions]
    const hashOf = job.hasBlock(place) ? (index: number) => job.hashOf(first + index) : null
    const block = whole === null ? decodeBlock(bytes, { ...(head && { head }), ...(hashOf && { hashOf }) }) : ok(whole)
    if (!block.ok) return block
    this.#transactions += block.value.transactions.length
    this.prepared.set(block.value, new PreparedPart(job, place, first))
    return block
  }
}

/** A block's part of a job. */
class PreparedPart implements PreparedBlock {
  constructor(
    private readonly job: PreparationJob,
    private readonly place: number,
    private readonly first: number,
  ) {}

  get root(): Uint8Array | null {
    return this.job.hasBlock(this.place) ? this.job.rootOf(this.place) : null
  }

  /** Null leaves it to the caller: the other thread will skip it. */
  addressOf(index: number): Uint8Array | null {
    const address = this.job.addressOf(this.first + index)
    if (address === null) this.job.claim(this.first + index)
    return address
  }
}

/** Bytes of all blocks' transactions, up to bytes that aren't a block. */
function transactionBytes(bytes: Uint8Array): number {
  let sum = 0
  for (const block of rlpSlices(bytes)) {
    const fields = rlpSlices(block.ok ? block.value.payload : new Uint8Array(0))
    fields.next()
    const body = fields.next().value
    if (body?.ok !== true) break
    sum += body.value.payload.length
  }
  return sum
}
