// The records of a LevelDB log, which holds what isn't in a table yet. LevelDB silently drops damaged records. A
// truncated or damaged end is what a crash leaves: the writes before it are intact. A hole in the middle isn't: later
// writes build on lost ones. Source: LevelDB, log format
import { readFile } from 'node:fs/promises'
import { concatBytes } from '../../../base/bytes'
import { maskedCrc32c } from './crc32c'

const BLOCK_BYTES = 32 * 1024
/** Checksum, length, type. */
const HEADER_BYTES = 7

/** Byte offset of the first hole; null when there is none. */
export async function logHole(file: string): Promise<number | null> {
  return holeIn(await readFile(file))
}

/** The same for a log's bytes. */
function holeIn(log: Uint8Array): number | null {
  let damagedAt: number | null = null
  for (const { at, payload } of recordsOf(log)) {
    if (payload === null) damagedAt ??= at
    else if (damagedAt !== null) return damagedAt
  }
  return null
}

/**
 * The records, put together from their parts, without one that the end of the log cuts off.
 * @throws RangeError at a damaged one
 */
export function* wholeRecords(log: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = []
  for (const { at, statedBytes, type, payload } of recordsOf(log)) {
    if (payload === null) {
      if (at + HEADER_BYTES + statedBytes > log.length) return
      throw new RangeError(`damaged record at byte ${at}`)
    }
    parts.push(payload)
    if (type !== FULL && type !== LAST) continue
    yield concatBytes(...parts)
    parts = []
  }
}

/** Values of the type byte: a whole record, or a part of one. */
const FULL = 1
const LAST = 4

/** A record, or a part of one, as it lies in the log. */
interface LogRecord {
  /** byte offset in the log */
  readonly at: number
  /** length of the payload by the header */
  readonly statedBytes: number
  readonly type: number
  /** Null when the record isn't what was written. */
  readonly payload: Uint8Array | null
}

/** In order. Behind a damaged one, the next is the first of the next block: where this block's begins is unknown. */
function* recordsOf(log: Uint8Array): Generator<LogRecord> {
  for (let start = 0; start < log.length; start += BLOCK_BYTES) {
    const block = log.subarray(start, start + BLOCK_BYTES)
    for (let at = 0; at + HEADER_BYTES <= block.length; ) {
      const view = new DataView(block.buffer, block.byteOffset + at, HEADER_BYTES)
      const [checksum, statedBytes, type] = [view.getUint32(0, true), view.getUint16(4, true), view.getUint8(6)]
      if (statedBytes === 0 && type === 0) break // preallocated space
      const checked = block.subarray(at + 6, at + HEADER_BYTES + statedBytes)
      const isWhole = checked.length === 1 + statedBytes && checksum === maskedCrc32c(checked)
      yield { at: start + at, statedBytes, type, payload: isWhole ? checked.subarray(1) : null }
      if (!isWhole) break
      at += HEADER_BYTES + statedBytes
    }
  }
}
