// The blocks of one LevelDB table, and whether each matches its checksum. LevelDB itself skips that check on reads, so
// that a flipped bit would be returned as data. Source: LevelDB, table format
import { type FileHandle, open } from 'node:fs/promises'
import { addonPart } from '../../../native/loader'
import { unsnappy } from '../../codec/snappy'

// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), LevelDB's checksum. Source: RFC 3720, B.4

const POLYNOMIAL = 0x82f63b78
/** Rotated and offset, for checksums of data that has checksums. Source: LevelDB, util::crc32c */
const MASK_DELTA = 0xa282ead8

/** The addon's, in a tenth of the time; null where it has none. */
export const nativeCrc32c = addonPart((addon) => addon.crc32c)
const TABLES = sliceTables()

/** The checksum of `bytes`, without the addon. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let crc = -1
  let at = 0
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= view.getInt32(at, true)
    const next = view.getInt32(at + 4, true)
    crc =
      of(t7, crc) ^
      of(t6, crc >>> 8) ^
      of(t5, crc >>> 16) ^
      of(t4, crc >>> 24) ^
      of(t3, next) ^
      of(t2, next >>> 8) ^
      of(t1, next >>> 16) ^
      of(t0, next >>> 24)
  }
  for (; at < bytes.length; at++) crc = of(t0, crc ^ view.getUint8(at)) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** The entry for the lowest byte of `value`. */
function of(table: Int32Array, value: number): number {
  return table[value & 0xff] ?? 0
}

/** The checksum as a file stores it. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = (nativeCrc32c() ?? crc32c)(bytes)
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0
}

/** Eight tables, to process eight bytes per step. */
function sliceTables() {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    first[byte] = crc
  }
  const next = (table: Int32Array): Int32Array => table.map((crc) => of(first, crc) ^ (crc >>> 8))
  const t1 = next(first)
  const t2 = next(t1)
  const t3 = next(t2)
  const t4 = next(t3)
  const t5 = next(t4)
  const t6 = next(t5)
  const t7 = next(t6)
  return [first, t1, t2, t3, t4, t5, t6, t7] as const
}

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

/** @param onBytes called now and then with the bytes read @returns null when every block is intact */
export async function checkTable(
  file: string,
  onBytes: (bytes: number) => Promise<void>,
): Promise<{ readonly blocks: readonly BlockPlace[]; readonly unreadable: string | null } | null> {
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

/** Marks `blocks` with an unknown compression, so that LevelDB skips them when it salvages the table. */
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
