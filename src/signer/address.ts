// Addresses as the signer compares them: in lower case.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toBareHex } from '../base/hex'

/** `0x` and 40 lower-case hex digits; used as map key. */
export type LowerAddress = string

/** Address of a public key. @param publicKey x and y, 64 bytes */
export function addressOfPublicKey(publicKey: Uint8Array): LowerAddress {
  return `0x${toBareHex(keccak_256(publicKey).subarray(12))}`
}
