// Cuts a stream of block RLPs (the format of `prlx export`: consecutive, no separator) into whole blocks, holding at most one
// block and the rest of a chunk; and reads a block's header without decoding its transactions.
import { bigintFromBytes, joinBytes } from '../../base/bytes'
import { fail, ok, type Result } from '../codec/result'

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

/** One block as it appears in the stream. */
export interface BlockPiece {
  readonly bytes: Uint8Array
  /** of its first byte, from the start of the stream */
  readonly offset: number
}

/** What is wrong with the stream, and where. */
export interface BrokenStream {
  readonly offset: number
  readonly reason: string
}

/** A block of 600,000,000 gas of zero bytes has 150 MB; a larger length is corruption, not worth waiting for. */
const MAX_BLOCK_BYTES = 256 * 1024 * 1024
/** Items of a minimal block: the header's fixed fields, empty numbers, no transactions. */
const MIN_BLOCK_BYTES = 465
const LONGEST_PREFIX = 9

/** Feed `push` in order, then call `end`. A stream that was broken once stays broken. */
export class BlockSplitter {
  #rest: readonly Uint8Array[] = []
  #restBytes = 0
  /** Bytes of the block at the start of the rest; 0 = not known yet. */
  #needed = 0
  #offset = 0

  /** Offset of the next block. */
  get offset(): number {
    return this.#offset
  }

  /** The blocks that `chunk` completes, and what is wrong after them; the views may point into `chunk`. */
  push(chunk: Uint8Array): { readonly pieces: readonly BlockPiece[]; readonly broken: BrokenStream | null } {
    this.#rest = [...this.#rest, chunk]
    this.#restBytes += chunk.length
    if (this.#restBytes < this.#needed) return { pieces: [], broken: null }
    const bytes = this.#rest.length === 1 ? chunk : joinBytes(this.#rest)
    const pieces: BlockPiece[] = []
    let at = 0
    let broken: BrokenStream | null = null
    this.#needed = 0
    while (at < bytes.length) {
      const length = blockLength(bytes.subarray(at, at + LONGEST_PREFIX))
      if (!length.ok) {
        broken = { offset: this.#offset + at, reason: length.error }
        break
      }
      if (length.value === null) break
      if (at + length.value > bytes.length) {
        this.#needed = length.value
        break
      }
      pieces.push({ bytes: bytes.subarray(at, at + length.value), offset: this.#offset + at })
      at += length.value
    }
    this.#offset += at
    // A copy, so that the rest doesn't keep the whole chunk alive.
    const rest = bytes.slice(at)
    this.#rest = rest.length === 0 ? [] : [rest]
    this.#restBytes = rest.length
    return { pieces, broken }
  }

  /** What is wrong with the end of the stream: null when it ends right after a block. */
  end(): BrokenStream | null {
    if (this.#restBytes === 0) return this.#offset === 0 ? { offset: 0, reason: 'the file is empty' } : null
    const there = this.#needed === 0 ? `${this.#restBytes}` : `${this.#restBytes} of ${this.#needed}`
    return { offset: this.#offset, reason: `the file ends inside a block: ${there} bytes are there` }
  }
}

/** Bytes of the list that starts here, prefix included; null while the prefix is incomplete. */
function blockLength(prefix: Uint8Array): Result<number | null> {
  const first = prefix[0] ?? 0
  if (first < 0xc0)
    return fail(`wanted the start of a block (a list, 0xc0 to 0xff), found byte 0x${first.toString(16)}`)
  if (first < 0xf8) return fail(tooShort(first - 0xc0))
  const digits = first - 0xf7
  if (prefix.length < 1 + digits) return ok(null)
  const length = prefix.subarray(1, 1 + digits).reduce((sum, byte) => sum * 256 + byte, 0)
  if (prefix[1] === 0 || length < 56) return fail('the length of the block is not written in the shortest way')
  if (length < MIN_BLOCK_BYTES) return fail(tooShort(length))
  if (length > MAX_BLOCK_BYTES) return fail(`it claims a block of ${length} bytes, the most is ${MAX_BLOCK_BYTES}`)
  return ok(1 + digits + length)
}

/** Very short lists would turn this many bytes into as many pieces. */
function tooShort(length: number): string {
  return `it claims a block of ${length} bytes, the least is ${MIN_BLOCK_BYTES}`
}

/** Index of gasUsed in a header. */
const GAS_USED_INDEX = 9

/** 0 for bytes that aren't a block: the import reports what is wrong with them. */
export function gasOfBlock(block: Uint8Array): number {
  const outer = itemAt(block, 0)
  const header = outer === null ? null : itemAt(block, outer.start)
  if (header === null) return 0
  let item = itemAt(block, header.start)
  for (let index = 0; index < GAS_USED_INDEX && item !== null; index++) item = itemAt(block, item.end)
  if (item === null || item.end > header.end || item.end - item.start > 8) return 0
  return Number(bigintFromBytes(block.subarray(item.start, item.end)))
}

/** The header's bytes inside the block's RLP, a view; null for bytes that aren't a block. */
export function headerBytesOf(block: Uint8Array): Uint8Array | null {
  const outer = itemAt(block, 0)
  const header = outer === null ? null : itemAt(block, outer.start)
  if (outer === null || header === null || header.end > block.length) return null
  return block.subarray(outer.start, header.end)
}

interface Item {
  /** of the payload */
  readonly start: number
  readonly end: number
}

function itemAt(bytes: Uint8Array, at: number): Item | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { start: at, end: at + 1 }
  const short = first - (first < 0xc0 ? 0x80 : 0xc0)
  if (short < 56) return { start: at + 1, end: at + 1 + short }
  const digits = short - 55
  const length = bytes.subarray(at + 1, at + 1 + digits).reduce((sum, byte) => sum * 256 + byte, 0)
  return { start: at + 1 + digits, end: at + 1 + digits + length }
}
