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
export function holeIn(log: Uint8Array): number | null {
  let damagedAt: number | null = null
  for (let start = 0; start < log.length; start += BLOCK_BYTES) {
    const block = log.subarray(start, start + BLOCK_BYTES)
    for (let at = 0; at + HEADER_BYTES <= block.length; ) {
      const length = recordLength(block, at)
      if (length === null) {
        damagedAt ??= start + at
        break // where this block's next record begins is unknown
      }
      if (length === 0 && block[at + 6] === 0) break // preallocated space
      if (damagedAt !== null) return damagedAt
      at += HEADER_BYTES + length
    }
  }
  return null
}

/** Values of the type byte: a whole record, or a part of one. */
const FULL = 1
const LAST = 4

/**
 * The records, put together from their parts, without one that the end of the log cuts off.
 * @throws RangeError at a damaged one
 */
export function* wholeRecords(log: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = []
  for (let start = 0; start < log.length; start += BLOCK_BYTES) {
    const block = log.subarray(start, start + BLOCK_BYTES)
    for (let at = 0; at + HEADER_BYTES <= block.length; ) {
      const length = recordLength(block, at)
      if (length === null) {
        const stated = (block[at + 4] ?? 0) + 256 * (block[at + 5] ?? 0)
        if (start + at + HEADER_BYTES + stated > log.length) return
        throw new RangeError(`damaged record at byte ${start + at}`)
      }
      const type = block[at + 6] ?? 0
      if (length === 0 && type === 0) break // preallocated space
      parts.push(block.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length))
      at += HEADER_BYTES + length
      if (type !== FULL && type !== LAST) continue
      yield concatBytes(...parts)
      parts = []
    }
  }
}

/** Null when the record isn't what was written. */
function recordLength(block: Uint8Array, at: number): number | null {
  const view = new DataView(block.buffer, block.byteOffset + at, HEADER_BYTES)
  const length = view.getUint16(4, true)
  if (length === 0 && view.getUint8(6) === 0) return 0
  const record = block.subarray(at + 6, at + HEADER_BYTES + length)
  if (record.length !== 1 + length) return null
  return view.getUint32(0, true) === maskedCrc32c(record) ? length : null
}
