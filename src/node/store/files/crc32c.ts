// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), LevelDB's checksum. Source: RFC 3720, B.4
import type { NativeAddon } from '../../../native/addon'
import { AddonPart } from '../../../native/loader'

const POLYNOMIAL = 0x82f63b78
/**
 * LevelDB stores checksums rotated and offset, since it computes checksums of data that contains checksums. Source:
 * LevelDB, util::crc32c
 */
const MASK_DELTA = 0xa282ead8

/** The addon's, in a tenth of the time; null where it has none. */
export const nativeCrc32c = new AddonPart<NonNullable<NativeAddon['crc32c']>>((addon) => addon.crc32c)
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
  const crc = (nativeCrc32c.get() ?? crc32c)(bytes)
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
