// Decompresses one Snappy block: a table's index is compressed like its data. Source: google/snappy
// format_description.txt

/** More than any of our indexes has. */
const MAX_BYTES = 64 * 1024 * 1024

/** @throws RangeError for what isn't a Snappy block */
export function unpackSnappy(packed: Uint8Array): Uint8Array {
  const reader = { bytes: packed, at: 0 }
  const length = readVarint(reader)
  if (length > MAX_BYTES) throw new RangeError('packed block is too long')
  const out = new Uint8Array(length)
  let written = 0
  while (reader.at < packed.length) {
    const piece = readPiece(reader)
    if (written + piece.length > length) throw new RangeError('packed block gives more than it says')
    if (piece.offset === null) {
      if (reader.at + piece.length > packed.length) throw new RangeError('packed block is cut')
      out.set(packed.subarray(reader.at, reader.at + piece.length), written)
      reader.at += piece.length
    } else {
      if (piece.offset === 0 || piece.offset > written) throw new RangeError('packed block points outside of itself')
      // Byte by byte: a copy may overlap its own output.
      for (let i = 0; i < piece.length; i++) out[written + i] = out[written + i - piece.offset] ?? 0
    }
    written += piece.length
  }
  if (written !== length) throw new RangeError('packed block gives less than it says')
  return out
}

/** Bytes, and the place that is read next. */
export interface Reader {
  readonly bytes: Uint8Array
  at: number
}

/** Literal bytes (offset null), or a copy of the output `offset` bytes back. */
interface Piece {
  readonly length: number
  readonly offset: number | null
}

function readPiece(reader: Reader): Piece {
  const tag = readBytes(reader, 1)
  const kind = tag & 3
  if (kind === 0) {
    const short = tag >>> 2
    return { length: short < 60 ? short + 1 : readBytes(reader, short - 59) + 1, offset: null }
  }
  if (kind === 1) return { length: 4 + ((tag >>> 2) & 7), offset: ((tag >>> 5) << 8) | readBytes(reader, 1) }
  return { length: (tag >>> 2) + 1, offset: readBytes(reader, kind === 2 ? 2 : 4) }
}

/** A little-endian number of 1 to 4 bytes. */
function readBytes(reader: Reader, count: number): number {
  let value = 0
  for (let i = 0; i < count; i++) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) throw new RangeError('packed block is cut')
    value += byte * 2 ** (8 * i)
  }
  return value
}

/**
 * A varint: groups of seven bits, lowest first; advances `reader.at`. @throws RangeError when it is truncated or above
 * 2^53
 */
export function readVarint(reader: Reader): number {
  let value = 0
  for (let shift = 0; shift < 50; shift += 7) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) throw new RangeError('number is cut')
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return value
  }
  throw new RangeError('number is too long')
}
