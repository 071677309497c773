// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), LevelDB's checksum. Source: RFC 3720, B.4
const POLYNOMIAL = 0x82f63b78
/**
 * LevelDB stores checksums rotated and offset, since it computes checksums of data that contains checksums. Source:
 * LevelDB, util::crc32c
 */
const MASK_DELTA = 0xa282ead8

const TABLES = sliceTables()

/** The checksum of `bytes`. @param before the checksum of the preceding bytes */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = TABLES
  let crc = ~before >>> 0
  let at = 0
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
    crc = (t3[crc & 0xff] ?? 0) ^ (t2[(crc >>> 8) & 0xff] ?? 0) ^ (t1[(crc >>> 16) & 0xff] ?? 0) ^ (t0[crc >>> 24] ?? 0)
  }
  for (; at < bytes.length; at++) crc = (t0[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** The checksum as a file stores it. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes)
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0
}

/** Four tables, to process four bytes per step. */
function sliceTables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const first = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    first[byte] = crc
  }
  const next = (table: Uint32Array): Uint32Array => table.map((crc) => (first[crc & 0xff] ?? 0) ^ (crc >>> 8))
  const second = next(first)
  const third = next(second)
  return [first, second, third, next(third)]
}
