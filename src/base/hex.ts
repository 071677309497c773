// Hex text of byte arrays, with the 0x prefix that the field uses everywhere, and addresses in it.

import { keccak_256 } from '@noble/hashes/sha3.js'

/** Two lower-case digits of each byte. */
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** `0x` and two lower-case digits a byte; `0x` for no bytes. */
export function toHex(bytes: Uint8Array): string {
  return `0x${toBareHex(bytes)}`
}

/** The same without the prefix. */
export function toBareHex(bytes: Uint8Array): string {
  if (bytes.length > LONG_BYTES) return longHex(bytes)
  let out = ''
  for (let i = 0; i < bytes.length; i++) out += PAIRS[bytes[i] ?? 0]
  return out
}

/** From here on, joining pairs takes longer than writing digits. */
const LONG_BYTES = 1_024
const DIGITS = new TextEncoder().encode('0123456789abcdef')

function longHex(bytes: Uint8Array): string {
  const out = new Uint8Array(2 * bytes.length)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    out[2 * i] = DIGITS[byte >>> 4] ?? 0
    out[2 * i + 1] = DIGITS[byte & 15] ?? 0
  }
  return new TextDecoder().decode(out)
}

/** Bytes of an even count of hex digits, prefix optional; null when the text is anything else. */
export function fromHex(text: string): Uint8Array | null {
  const digits = text.startsWith('0x') || text.startsWith('0X') ? text.slice(2) : text
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return null
  const out = new Uint8Array(digits.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = (digitAt(digits, 2 * i) << 4) | digitAt(digits, 2 * i + 1)
  return out
}

/** Value of a known hex digit: letters have bit 6 set and 1 to 6 in the bits below. */
function digitAt(digits: string, at: number): number {
  const code = digits.charCodeAt(at)
  return (code & 15) + 9 * (code >>> 6)
}

/** Bytes of hex text known to be valid (a constant, our own output). @throws RangeError when it isn't. */
export function bytesOfHex(text: string, length?: number): Uint8Array {
  const bytes = fromHex(text)
  if (bytes === null) throw new RangeError(`"${text.slice(0, 80)}" is not hex bytes`)
  if (length !== undefined && bytes.length !== length) throw new RangeError(`${bytes.length} bytes, want ${length}`)
  return bytes
}

/** `0x` and 40 lower-case hex digits; used as map key. */
export type LowerAddress = string

/** Address of a public key. @param publicKey x and y, 64 bytes */
export function addressOfPublicKey(publicKey: Uint8Array): LowerAddress {
  return `0x${toBareHex(keccak_256(publicKey).subarray(12))}`
}
