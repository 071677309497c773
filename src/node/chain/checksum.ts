// Addresses with the checksum case of EIP-55: how messages and pool listings show them.
import { toBareHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'

/** `0x` and 40 digits. @param address 20 bytes */
export function checksumAddress(address: Uint8Array): string {
  const digits = toBareHex(address)
  const hash = keccak256(new TextEncoder().encode(digits))
  let out = '0x'
  for (let i = 0; i < digits.length; i++) {
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15
    out += nibble >= 8 ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  }
  return out
}
