// account_ecRecover: which key signed a text. Asks nobody and signs nothing.
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { LowerAddress } from '../address'
import { hashedText } from '../data/sign-data'
import { SignerError } from '../errors'
import { recoverAddress } from '../keystore/secret-key'
import { argumentsBetween, requiredBytes } from '../model/arguments'

const SIGNATURE_BYTES = 65
const PARITY_OFFSET = 27

/**
 * @param params text bytes, signature with v 27 or 28
 * @throws SignerError SIGNER_ARGUMENT_*, SIGNER_SIGNATURE_INVALID
 */
export function ecRecover(params: readonly unknown[]): LowerAddress {
  argumentsBetween(params, 2, 2)
  const text = requiredBytes(params, 0)
  const signature = requiredBytes(params, 1)
  if (signature.length !== SIGNATURE_BYTES) throw fault('signature must be 65 bytes long')
  const parity = (signature[SIGNATURE_BYTES - 1] ?? 0) - PARITY_OFFSET
  if (parity !== 0 && parity !== 1) throw fault('invalid Parallax signature (V is not 27 or 28)')
  const bare = Uint8Array.from(signature)
  bare[SIGNATURE_BYTES - 1] = parity
  const address = recoverAddress(keccak_256(hashedText(text)), bare)
  if (address === null) throw fault('recovery failed')
  return address
}

function fault(reason: string): Error {
  return new SignerError('SIGNER_SIGNATURE_INVALID', { reason })
}
