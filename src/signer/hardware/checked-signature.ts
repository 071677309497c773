// A device's answer becomes a signature only when the account's own key made it: libraries hand on what a device sent, and an
// empty answer looks to them like a signature.
import { concatBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { fromHex } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { addressOfPublicKey, type LowerAddress } from '../address'
import { SignerError } from '../errors'

const HALF_BYTES = 32

/** As libraries tell them: hex without prefix. */
export interface AnsweredSignature {
  readonly r: string
  readonly s: string
}

/**
 * Both parities are tried: how devices tell theirs differs by what was signed.
 * @param digest 32 bytes
 * @returns 65 bytes: r, s, parity
 * @throws SignerError SIGNER_DEVICE_SIGNATURE
 */
export function checkedSignature({ r, s }: AnsweredSignature, digest: Uint8Array, address: LowerAddress): Uint8Array {
  const halves = [r, s].map((text) => fromHex(text))
  const [first, second] = halves
  const isWhole = first?.length === HALF_BYTES && second?.length === HALF_BYTES
  const proven = isWhole ? madeBy(concatBytes(first, second), digest, address) : null
  if (proven === null) throw new SignerError('SIGNER_DEVICE_SIGNATURE', { address: checksumAddress(address) })
  return proven
}

/**
 * Null where the account's key did not make it over the digest.
 * @param halves r and s, 64 bytes @param digest 32 bytes
 * @returns 65 bytes: r, s, parity
 */
export function madeBy(halves: Uint8Array, digest: Uint8Array, address: LowerAddress): Uint8Array | null {
  for (const parity of [0, 1]) {
    const key = secp256k1().recoverKey(digest, halves, parity)
    // `verify` takes the lower s only, as nodes do.
    if (key !== null && addressOfPublicKey(key) === address && secp256k1().verify(digest, halves, key)) {
      return concatBytes(halves, Uint8Array.of(parity))
    }
  }
  return null
}
