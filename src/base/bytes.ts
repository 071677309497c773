// Byte arrays: comparing, joining, and big-endian integers. Hex text is in hex.ts.

/** Lexicographic, shorter first on a common prefix: -1, 0 or 1. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

/** Same length and content. Not constant time: never for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

/** A new array with the parts one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts)
}

/** The same for any number of parts: as arguments, some 100,000 overflow the stack. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Unsigned big-endian integer; an empty array is 0. */
export function bigintFromBytes(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

/** Unsigned big-endian in exactly `length` bytes. @throws RangeError when it does not fit or is negative. */
export function bytesFromBigint(value: bigint, length: number): Uint8Array {
  if (value < 0n || value >= 1n << BigInt(8 * length)) throw new RangeError(`${value} does not fit ${length} bytes`)
  const out = new Uint8Array(length)
  let rest = value
  for (let i = length - 1; i >= 0; i--) {
    out[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return out
}

/** Unsigned big-endian without leading zero bytes; 0 is the empty array (the RLP integer form). */
export function minimalBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return bytesFromBigint(value, Math.ceil(digits.length / 2))
}

/** Overwrites with zeros; for passwords and keys after use. */
export function wipe(bytes: Uint8Array): void {
  bytes.fill(0)
}
