// Blocks of a file gathered into batches, each a bounded amount of work for whoever executes it.
import { joinBytes } from '../../base/bytes'
import { gasOfBlock } from './block-header'
import type { BlockPiece } from './block-splitter'

export interface BlockRun {
  /** Whole blocks, one after another. */
  readonly bytes: Uint8Array
  /** Where each stands in the (uncompressed) file. */
  readonly offsets: readonly number[]
}

/** Enough transactions for another thread to recover their senders meanwhile; twice as much takes 25 MB more and saves nothing. */
const BATCH_GAS = 32_000_000
const BATCH_BYTES = 1024 * 1024
const BATCH_BLOCKS = 512

/** Bounded, because a stop waits for a batch: seconds of work at most, unless a single block is more. */
export class BlockBatcher {
  #parts: Uint8Array[] = []
  #offsets: number[] = []
  #bytes = 0
  #gas = 0

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** False: what was gathered must be taken first. */
  hasRoomFor({ bytes }: BlockPiece): boolean {
    if (this.isEmpty) return true
    const isRoomy = this.#bytes + bytes.length <= BATCH_BYTES && this.#parts.length < BATCH_BLOCKS
    return isRoomy && this.#gas + gasOfBlock(bytes) <= BATCH_GAS
  }

  add({ bytes, offset }: BlockPiece): void {
    this.#parts.push(bytes)
    this.#offsets.push(offset)
    this.#bytes += bytes.length
    this.#gas += gasOfBlock(bytes)
  }

  /** What was gathered; begins the next batch. */
  take(): BlockRun {
    const run = { bytes: joinBytes(this.#parts), offsets: this.#offsets }
    this.#parts = []
    this.#offsets = []
    this.#bytes = 0
    this.#gas = 0
    return run
  }
}
