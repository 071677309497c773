// Byte arrays: comparison, concatenation, big-endian integers. Hex text is in hex.ts.

/** No bytes. */
export const EMPTY_BYTES = new Uint8Array(0)

/** Lexicographic, shorter first on a common prefix: -1, 0 or 1. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

/** Same length and content. Not constant time: don't use it on secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

/** A new array: the parts, concatenated. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts)
}

/** The same for any number of parts: about 100,000 spread arguments overflow the stack. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** The bytes as a string, one character per byte: the fastest Map key. @param bytes a hash or similar, not bulk data */
export function bytesName(bytes: Uint8Array): string {
  if (bytes.length === HASH_BYTES) return hashName(bytes, 0)
  // Most database keys: a letter and a hash.
  if (bytes.length === 1 + HASH_BYTES) return String.fromCharCode(bytes[0] ?? 0) + hashName(bytes, 1)
  return Reflect.apply(String.fromCharCode, null, bytes)
}

const HASH_BYTES = 32

/** 32 bytes starting at `at`. Spelling the arguments out takes a third of the time of spreading a list. */
function hashName(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    bytes[at] ?? 0,
    bytes[at + 1] ?? 0,
    bytes[at + 2] ?? 0,
    bytes[at + 3] ?? 0,
    bytes[at + 4] ?? 0,
    bytes[at + 5] ?? 0,
    bytes[at + 6] ?? 0,
    bytes[at + 7] ?? 0,
    bytes[at + 8] ?? 0,
    bytes[at + 9] ?? 0,
    bytes[at + 10] ?? 0,
    bytes[at + 11] ?? 0,
    bytes[at + 12] ?? 0,
    bytes[at + 13] ?? 0,
    bytes[at + 14] ?? 0,
    bytes[at + 15] ?? 0,
    bytes[at + 16] ?? 0,
    bytes[at + 17] ?? 0,
    bytes[at + 18] ?? 0,
    bytes[at + 19] ?? 0,
    bytes[at + 20] ?? 0,
    bytes[at + 21] ?? 0,
    bytes[at + 22] ?? 0,
    bytes[at + 23] ?? 0,
    bytes[at + 24] ?? 0,
    bytes[at + 25] ?? 0,
    bytes[at + 26] ?? 0,
    bytes[at + 27] ?? 0,
    bytes[at + 28] ?? 0,
    bytes[at + 29] ?? 0,
    bytes[at + 30] ?? 0,
    bytes[at + 31] ?? 0,
  )
}

/** This many bytes fit a number exactly, which is many times faster than one bigint operation per byte. */
const PART_BYTES = 6
const PART_BITS = 48n
const PART_MASK = 0xffff_ffff_ffffn

/** Unsigned big-endian integer; an empty array is 0. */
export function bigintFromBytes(bytes: Uint8Array): bigint {
  return bigintAt(bytes, 0, bytes.length)
}

/** The same of a part, without a view of it. @param from index of its first byte @param to index after its last */
export function bigintAt(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n
  let at = from
  for (let end = from + ((to - from) % PART_BYTES); end <= to; end += PART_BYTES) {
    let part = 0
    for (; at < end; at++) part = part * 256 + (bytes[at] ?? 0)
    value = value === 0n ? BigInt(part) : (value << PART_BITS) | BigInt(part)
  }
  return value
}

/** Unsigned big-endian in exactly `length` bytes. @throws RangeError when it does not fit or is negative. */
export function bytesFromBigint(value: bigint, length: number): Uint8Array {
  const out = new Uint8Array(length)
  let rest = value
  let end = length
  for (; end > 0 && rest > 0n; end -= PART_BYTES) {
    let part = Number(rest & PART_MASK)
    for (let at = end - 1; at >= 0 && at >= end - PART_BYTES; at--) {
      out[at] = part % 256
      part = Math.floor(part / 256)
    }
    rest = end < PART_BYTES && part > 0 ? -1n : rest >> PART_BITS
  }
  if (rest !== 0n) throw new RangeError(`${value} does not fit ${length} bytes`)
  return out
}

/** Unsigned big-endian without leading zero bytes; 0 is the empty array (the RLP integer form). */
export function minimalBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  return bytesFromBigint(value, byteLength(value))
}

/** Length of `value` in bytes without leading zeros. @param value not negative */
function byteLength(value: bigint): number {
  if (value > PART_MASK) return Math.ceil(value.toString(16).length / 2)
  let length = 0
  for (let rest = Number(value); rest >= 1; rest /= 256) length++
  return length
}

/** A copy for a password or key, in its own buffer: the engine may move a small array and leave its content behind. */
export function secretCopy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(new ArrayBuffer(bytes.length))
  own.set(bytes)
  return own
}

/** Overwrites with zeros; for passwords and keys after use. */
export function wipe(bytes: Uint8Array): void {
  bytes.fill(0)
}
