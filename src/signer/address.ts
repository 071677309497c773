// Addresses as the signer shows and compares them: EIP-55 spelling, lower case inside.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toBareHex } from '../base/hex'

/** Lower-case 40 hex digits behind `0x`; what maps are keyed by. */
export type LowerAddress = string

/** EIP-55 mixed-case spelling. @param address `0x` and 40 hex digits in any case */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = toBareHex(keccak_256(new TextEncoder().encode(digits)))
  let out = '0x'
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i)
    out += Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit
  }
  return out
}

/** Address of a public key. @param publicKey 65 bytes, uncompressed, first byte 4 */
export function addressOfPublicKey(publicKey: Uint8Array): LowerAddress {
  return `0x${toBareHex(keccak_256(publicKey.subarray(1)).subarray(12))}`
}
