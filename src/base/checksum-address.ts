// EIP-55: the case of an address's letters is its checksum.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toBareHex } from './hex'

/** Recent ones: requests name the same few addresses again and again. */
const spelled = new Map<string, string>()
const MAX_SPELLED = 256

/** 20 bytes or 40 hex digits as EIP-55 has them: upper case where the keccak-256 hash has a digit from 8. */
export function checksumAddress(address: Uint8Array | string): string {
  const digits = typeof address === 'string' ? address.slice(2).toLowerCase() : toBareHex(address)
  const known = spelled.get(digits)
  if (known !== undefined) return known
  const hash = keccak_256(new TextEncoder().encode(digits))
  let out = '0x'
  for (let i = 0; i < digits.length; i++) {
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15
    out += nibble >= 8 ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  }
  if (spelled.size >= MAX_SPELLED) spelled.clear()
  spelled.set(digits, out)
  return out
}
