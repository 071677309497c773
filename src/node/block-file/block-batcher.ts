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

/** A stop waits for a batch, so it is seconds of work at most, unless a single block is more. */
const BATCH_GAS = 10_000_000
const BATCH_BYTES = 1024 * 1024
const BATCH_BLOCKS = 512

export class BlockBatcher {
  #parts: Uint8Array[] = []
  #offsets: number[] = []
  #bytes = 0
  #gas = 0

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  get isFull(): boolean {
    return this.#gas >= BATCH_GAS || this.#bytes >= BATCH_BYTES || this.#parts.length >= BATCH_BLOCKS
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
