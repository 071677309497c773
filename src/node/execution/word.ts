// 256-bit words and addresses as bigints.

/** Truncates a word to its lowest 160 bits, which hold an address. */
export const ADDRESS_MASK = (1n << 160n) - 1n

const WORD_BYTES = 32

/** @param bytes 32, unsigned little-endian */
export function wordOfLittleEndian({ buffer, byteOffset }: Uint8Array): bigint {
  const view = new DataView(buffer, byteOffset, WORD_BYTES)
  const high = joined(view.getBigUint64(24, true), view.getBigUint64(16, true))
  return joined(joined(high, view.getBigUint64(8, true)), view.getBigUint64(0, true))
}

/** Most words are small. @param low below 2^64 */
function joined(high: bigint, low: bigint): bigint {
  return high === 0n ? low : (high << 64n) | low
}

/** `length` bytes, big-endian; higher bits are dropped. */
export function bytesOfWord(value: bigint, length = 32): Uint8Array {
  const digits = value.toString(16)
  const wanted = 2 * length
  const text = digits.length > wanted ? digits.slice(-wanted) : digits.padStart(wanted, '0')
  const buffer = Buffer.from(text, 'hex')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

/** 20 bytes of the lower 160 bits. */
export function addressBytes(address: bigint): Uint8Array {
  return bytesOfWord(address, 20)
}
