// The blocks of one LevelDB table, and whether each matches its checksum. LevelDB itself skips that check on reads, so
// that a flipped bit would be returned as data. Source: LevelDB, table format
import { type FileHandle, open } from 'node:fs/promises'
import { unsnappy } from '../../codec/snappy'
import { maskedCrc32c } from './crc32c'

const FOOTER_BYTES = 48
const MAGIC = Uint8Array.of(0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb)
/** One byte for the compression, four for the checksum. */
const TRAILER_BYTES = 5
const PACKED_SNAPPY = 1
/** Far above the library's 4 KiB blocks; the index of the largest table stays below it. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024
/** Read at once: a read of each 4 KiB would take five times the checksums' time. */
const SPAN_BYTES = 1024 * 1024

/** Bytes, and the place that is read next. */
export interface Reader {
  readonly bytes: Uint8Array
  at: number
}

/** Groups of seven bits, lowest first; advances `reader.at`. @throws RangeError when it is cut or above 2^53 */
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

/** Where a block is; `size` excludes its trailer. */
export interface BlockPlace {
  readonly offset: number
  readonly size: number
}

/** Consecutive blocks that are read at once; `size` includes their trailers. */
interface Span extends BlockPlace {
  readonly blocks: readonly BlockPlace[]
}

/** What is wrong with a table. */
interface TableDamage {
  /** Blocks whose bytes aren't what was written. */
  readonly blocks: readonly BlockPlace[]
  /** Why the whole table is unreadable. Null when only blocks are damaged. */
  readonly unreadable: string | null
}

/**
 * Reads the whole table. @param onBytes called now and then with the number of bytes read
 * @returns null when every block is intact
 */
export async function checkTable(file: string, onBytes: (bytes: number) => Promise<void>): Promise<TableDamage | null> {
  const handle = await open(file, 'r')
  try {
    const places = await tablePlaces(handle)
    const blocks: BlockPlace[] = []
    const spans = spansOf(places)
    const buffer = new Uint8Array(Math.max(0, ...spans.map(({ size }) => size)))
    for (const span of spans) {
      const bytes = await readAt(handle, span, buffer)
      for (const place of span.blocks) {
        const at = place.offset - span.offset
        if (!isIntact(bytes.subarray(at, at + place.size + TRAILER_BYTES))) blocks.push(place)
      }
      await onBytes(span.size)
    }
    return blocks.length === 0 ? null : { blocks, unreadable: null }
  } catch (error: unknown) {
    if (error instanceof RangeError) return { blocks: [], unreadable: error.message }
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * Makes LevelDB skip `blocks` when it salvages the table: their compression byte becomes one that it doesn't know, so
 * that their present bytes are never taken for data.
 */
export async function shutBlocks(file: string, blocks: readonly BlockPlace[]): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    for (const { offset, size } of blocks) await handle.write(Uint8Array.of(0xff), 0, 1, offset + size)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** All blocks that the footer and the index name. @throws RangeError when these are damaged */
async function tablePlaces(handle: FileHandle): Promise<readonly BlockPlace[]> {
  const { size: fileSize } = await handle.stat()
  if (fileSize < FOOTER_BYTES) throw new RangeError(`it is cut: ${fileSize} bytes`)
  const footer = await readAt(handle, { offset: fileSize - FOOTER_BYTES, size: FOOTER_BYTES })
  if (!MAGIC.every((byte, i) => footer[FOOTER_BYTES - MAGIC.length + i] === byte))
    throw new RangeError('its end is not that of a table')
  const reader = { bytes: footer, at: 0 }
  const meta = checkedPlace({ offset: readVarint(reader), size: readVarint(reader) }, fileSize)
  const index = checkedPlace({ offset: readVarint(reader), size: readVarint(reader) }, fileSize)
  const [contents, metaContents] = [await readBlock(handle, index), await readBlock(handle, meta)]
  if (contents === null || metaContents === null) throw new RangeError('its index is damaged')
  // The meta index names the filter, which says which keys are absent.
  return [...indexEntries(contents), ...indexEntries(metaContents)].map((place) => checkedPlace(place, fileSize))
}

function checkedPlace(place: BlockPlace, fileSize: number): BlockPlace {
  if (place.size > MAX_BLOCK_BYTES || place.offset + place.size + TRAILER_BYTES > fileSize)
    throw new RangeError('its index names a block outside of the file')
  return place
}

/** All blocks, in the order of the file. */
function spansOf(places: readonly BlockPlace[]): readonly Span[] {
  const spans: { offset: number; size: number; blocks: BlockPlace[] }[] = []
  for (const place of [...places].sort((a, b) => a.offset - b.offset)) {
    const end = place.offset + place.size + TRAILER_BYTES
    const last = spans.at(-1)
    if (last !== undefined && end - last.offset <= SPAN_BYTES) {
      last.size = Math.max(last.size, end - last.offset)
      last.blocks.push(place)
    } else spans.push({ offset: place.offset, size: end - place.offset, blocks: [place] })
  }
  return spans
}

/** @param block with its trailer */
function isIntact(block: Uint8Array): boolean {
  const { buffer, byteOffset, length } = block
  const stored = new DataView(buffer, byteOffset, length).getUint32(length - 4, true)
  return stored === maskedCrc32c(block.subarray(0, length - 4))
}

/** The decompressed block; null when its checksum doesn't match. */
async function readBlock(handle: FileHandle, { offset, size }: BlockPlace): Promise<Uint8Array | null> {
  const bytes = await readAt(handle, { offset, size: size + TRAILER_BYTES })
  if (!isIntact(bytes)) return null
  const contents = bytes.subarray(0, size)
  if (bytes[size] !== PACKED_SNAPPY) return contents
  const unpacked = unsnappy(contents, MAX_BLOCK_BYTES)
  if (unpacked === null) throw new RangeError('not a Snappy block')
  return unpacked
}

/** Into the start of `buffer`. */
async function readAt(handle: FileHandle, { offset, size }: BlockPlace, buffer = new Uint8Array(size)) {
  const { bytesRead } = await handle.read(buffer, 0, size, offset)
  if (bytesRead !== size) throw new RangeError('it is cut')
  return buffer.subarray(0, size)
}

/** Entries share key prefixes; the value of each is a place. */
function indexEntries(block: Uint8Array): readonly BlockPlace[] {
  if (block.length < 4) throw new RangeError('its index is damaged')
  const restarts = new DataView(block.buffer, block.byteOffset, block.length).getUint32(block.length - 4, true)
  const end = block.length - 4 - 4 * restarts
  const reader = { bytes: block, at: 0 }
  const places: BlockPlace[] = []
  while (reader.at < end) {
    readVarint(reader) // length of the prefix shared with the previous key
    const keyBytes = readVarint(reader)
    const valueBytes = readVarint(reader)
    const valueAt = reader.at + keyBytes
    reader.at = valueAt
    places.push({ offset: readVarint(reader), size: readVarint(reader) })
    reader.at = valueAt + valueBytes
  }
  return places
}
