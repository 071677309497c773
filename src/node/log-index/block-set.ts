// A set of blocks of one section, as stored: few as a list of offsets, many as a bitmap. Sections are 4096 blocks.
import type { StoreReader, StoreWriter } from '../store/store'

export const SECTION_BLOCKS = 4096
const BITMAP_BYTES = SECTION_BLOCKS / 8
/** A list of this many offsets would have the bitmap's length and be mistaken for one. */
const MAX_LISTED = BITMAP_BYTES / 2 - 1

/** 512 bytes; bit `offset % 8` of byte `offset / 8`. */
export type Bitmap = Uint8Array

/** A bitmap without blocks. */
export function emptyBitmap(): Bitmap {
  return new Uint8Array(BITMAP_BYTES)
}

/** @param stored from `encodeBlockSet`; undefined = no blocks */
export function decodeBlockSet(stored: Uint8Array | undefined): Bitmap {
  const bits = emptyBitmap()
  if (stored === undefined) return bits
  if (stored.length === BITMAP_BYTES) {
    bits.set(stored)
    return bits
  }
  for (let at = 0; at + 1 < stored.length; at += 2) setBlock(bits, ((stored[at] ?? 0) << 8) | (stored[at + 1] ?? 0))
  return bits
}

/** Offsets as two bytes each, big-endian, ascending; or the bitmap; null for an empty set. */
export function encodeBlockSet(bits: Bitmap): Uint8Array | null {
  const offsets = offsetsOf(bits)
  if (offsets.length === 0) return null
  return offsets.length > MAX_LISTED ? bits.slice() : withAppended(undefined, offsets)
}

/** `stored` with ascending blocks added. Behind all others they don't unpack a list; a bitmap only gets their bits. */
export function withBlocks(stored: Uint8Array | undefined, offsets: readonly number[]): Uint8Array | null {
  const length = stored?.length ?? 0
  if (length + 2 * offsets.length <= 2 * MAX_LISTED && (offsets[0] ?? 0) > lastListed(stored))
    return withAppended(stored, offsets)
  const bits = decodeBlockSet(stored)
  for (const offset of offsets) setBlock(bits, offset)
  return length === BITMAP_BYTES ? bits : encodeBlockSet(bits)
}

function withAppended(list: Uint8Array | undefined, offsets: readonly number[]): Uint8Array {
  let at = list?.length ?? 0
  const out = new Uint8Array(at + 2 * offsets.length)
  if (list !== undefined) out.set(list)
  for (const offset of offsets) {
    out[at++] = offset >>> 8
    out[at++] = offset & 0xff
  }
  return out
}

/** Removes block `offset` from the set at `key`. */
export function removeBlock(layer: StoreReader & StoreWriter, key: Uint8Array, offset: number): void {
  const left = withoutBlock(layer.get(key), offset)
  if (left === null) layer.delete(key)
  else layer.put(key, left)
}

/** `stored` with block `offset` removed; null when no block is left. */
export function withoutBlock(stored: Uint8Array | undefined, offset: number): Uint8Array | null {
  const bits = decodeBlockSet(stored)
  clearBlock(bits, offset)
  return encodeBlockSet(bits)
}

/** -1 when there is none. */
function lastListed(stored: Uint8Array | undefined): number {
  if (stored === undefined) return -1
  return ((stored[stored.length - 2] ?? 0) << 8) | (stored[stored.length - 1] ?? 0)
}

/** Ascending. */
export function offsetsOf(bits: Bitmap): readonly number[] {
  const out: number[] = []
  for (let at = 0; at < BITMAP_BYTES; at++) {
    const byte = bits[at] ?? 0
    if (byte === 0) continue
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) out.push(8 * at + bit)
  }
  return out
}

/** @param offset of the block in its section, 0..4095 */
export function setBlock(bits: Bitmap, offset: number): void {
  bits[offset >>> 3] = (bits[offset >>> 3] ?? 0) | (1 << (offset & 7))
}

/** The same: whether it is there. */
export function hasBlock(bits: Bitmap, offset: number): boolean {
  return ((bits[offset >>> 3] ?? 0) & (1 << (offset & 7))) !== 0
}

/** @param offset of the block in its section, 0..4095 */
export function clearBlock(bits: Bitmap, offset: number): void {
  bits[offset >>> 3] = (bits[offset >>> 3] ?? 0) & ~(1 << (offset & 7))
}

/** Adds the blocks of `from` to `into`. */
export function uniteWith(into: Bitmap, from: Bitmap): void {
  for (let at = 0; at < BITMAP_BYTES; at++) into[at] = (into[at] ?? 0) | (from[at] ?? 0)
}

/** Keeps only the blocks of `into` that are also in `other`. */
export function intersectWith(into: Bitmap, other: Bitmap): void {
  for (let at = 0; at < BITMAP_BYTES; at++) into[at] = (into[at] ?? 0) & (other[at] ?? 0)
}

/** Offsets are ascending. */
type SetEntry = { readonly key: Uint8Array; readonly offsets: number[] }

/** Adds blocks to stored sets, lowest block first: each set is read and written once for all of them. */
export class BlockSetRun {
  readonly #entries: SetEntry[] = []
  /** The entries of `#section`. */
  readonly #open = new Map<string, SetEntry>()
  #section = 0

  /** @param name of the set @param keyOf makes the key of its section */
  add(number: bigint, name: string, keyOf: (section: number) => Uint8Array): void {
    const height = Number(number)
    const section = Math.floor(height / SECTION_BLOCKS)
    if (section !== this.#section) this.#open.clear()
    this.#section = section
    const offset = height % SECTION_BLOCKS
    const known = this.#open.get(name)
    if (known !== undefined) {
      if (known.offsets[known.offsets.length - 1] !== offset) known.offsets.push(offset)
      return
    }
    const entry = { key: keyOf(section), offsets: [offset] }
    this.#open.set(name, entry)
    this.#entries.push(entry)
  }

  /** Writes the sets. Call it once, after the last block. */
  settle(layer: StoreReader & StoreWriter): void {
    for (const { key, offsets } of this.#entries) {
      const stored = withBlocks(layer.get(key), offsets)
      if (stored !== null) layer.put(key, stored)
    }
  }
}
