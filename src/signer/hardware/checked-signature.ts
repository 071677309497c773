// A device's answer becomes a signature only if the account's own key made it: libraries pass on whatever a device
// sent, and even an empty answer looks like a signature to them.
import { concatBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { fromHex } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { addressOfPublicKey, type LowerAddress } from '../address'
import { SignerError } from '../errors'

const HALF_BYTES = 32

/** As returned by libraries: hex without prefix. */
export interface AnsweredSignature {
  readonly r: string
  readonly s: string
}

/**
 * Both parities are tried: how devices report it depends on what was signed.
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
 * Null when the account's key didn't sign the digest.
 * @param halves r and s, 64 bytes @param digest 32 bytes
 * @returns 65 bytes: r, s, parity
 */
export function madeBy(halves: Uint8Array, digest: Uint8Array, address: LowerAddress): Uint8Array | null {
  for (const parity of [0, 1]) {
    const key = secp256k1().recoverKey(digest, halves, parity)
    // `verify` accepts only the lower s, as nodes do.
    if (key !== null && addressOfPublicKey(key) === address && secp256k1().verify(digest, halves, key)) {
      return concatBytes(halves, Uint8Array.of(parity))
    }
  }
  return null
}
