// 256-bit words and addresses as bigints.

/** Truncates a word to its lowest 160 bits, which hold an address. */
export const ADDRESS_MASK = (1n << 160n) - 1n

/** Unsigned big-endian; empty = 0. */
export function wordOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
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
