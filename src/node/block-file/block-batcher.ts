// Groups the blocks of a file into batches, each a bounded amount of work for the importer.
import { joinBytes } from '../../base/bytes'
import { type BlockPiece, gasOfBlock } from './block-splitter'

/** A batch of consecutive blocks. */
export interface BlockRun {
  /** Whole blocks, concatenated. */
  readonly bytes: Uint8Array
  /** Offset of each block in the (uncompressed) file. */
  readonly offsets: readonly number[]
}

/** Enough transactions to keep another thread busy recovering senders; twice as many take 25 MB more and save nothing. */
const BATCH_GAS = 32_000_000
const BATCH_BYTES = 1024 * 1024
const BATCH_BLOCKS = 512

/** Limited because a stop waits for the batch: seconds of work at most, unless a single block takes longer. */
export class BlockBatcher {
  #parts: Uint8Array[] = []
  #offsets: number[] = []
  #bytes = 0
  #gas = 0

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** False: take the current batch first. */
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

  /** Returns the current batch and begins the next. */
  take(): BlockRun {
    const run = { bytes: joinBytes(this.#parts), offsets: this.#offsets }
    this.#parts = []
    this.#offsets = []
    this.#bytes = 0
    this.#gas = 0
    return run
  }
}
