// Hash of a signed text message. Source: EIP-191, version 0x45.
import { concatBytes } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'

/** 32 bytes: keccak-256 of the prefix, the length in decimal digits, and the message. */
export function personalHash(message: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${message.length}`)
  return keccak256(concatBytes(head, message))
}
