// Operations on an opened private key: its address, and signatures. RFC 6979 nonces and low s, so that the same request
// always gives the same bytes as clef. By libsecp256k1, in constant time.
import { addressOfPublicKey, type LowerAddress } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { KeystoreError } from '../errors'

/** 32 bytes and in 1 .. order - 1; all but about one in 2^128 random values are. */
export function isSecretKey(secret: Uint8Array): boolean {
  return secp256k1().isSecretKey(secret)
}

/** @param secret 32 bytes @throws KeystoreError KEYSTORE_SECRET_INVALID */
export function addressOfSecret(secret: Uint8Array): LowerAddress {
  if (!isSecretKey(secret)) throw new KeystoreError('KEYSTORE_SECRET_INVALID', undefined)
  return addressOfPublicKey(secp256k1().publicKey(secret))
}

/**
 * Signs a digest.
 * @param digest 32 bytes
 * @returns 65 bytes: r (32, big-endian), s (32, big-endian), parity of R's y (0 or 1)
 */
export function signDigest(digest: Uint8Array, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(secp256k1().sign(digest, secret))
}

/** Null when the signature is valid for no key. @param signature 65 bytes as signDigest gives them */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): LowerAddress | null {
  const key = secp256k1().recoverKey(digest, signature.subarray(0, 64), signature[64] ?? 4)
  return key === null ? null : addressOfPublicKey(key)
}
