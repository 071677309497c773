// The curve without the addon. It differs in one practically impossible case: digests at or above the curve's order,
// one in 2^128, are signed with another nonce, since noble follows RFC 6979 to the letter there.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { CurveFunctions } from './addon'

const UNCOMPRESSED = 4
/** Of a signature among many, and of the answer to it. */
const RECOVERY_BYTES = 97
const ANSWER_BYTES = 21
const RAW = { prehash: false } as const

export const javascriptCurve: CurveFunctions = {
  isSecretKey: (secret) => secp256k1.utils.isValidSecretKey(secret),
  publicKey: (secret) => orNull(() => secp256k1.getPublicKey(secret, false).slice(1)),
  expandKey: (compressed) => orNull(() => secp256k1.Point.fromBytes(compressed).toBytes(false).slice(1)),
  signDigest: (digest, secret) =>
    orNull(() => {
      const signed = secp256k1.sign(digest, secret, { ...RAW, format: 'recovered' })
      return joined(signed.subarray(1), signed.subarray(0, 1))
    }),
  recoverKey,
  recoverAddress,
  recoverAddresses(items) {
    const count = items.length / RECOVERY_BYTES
    const answers = new Uint8Array(ANSWER_BYTES * count)
    for (let index = 0; index < count; index++) {
      const item = items.subarray(RECOVERY_BYTES * index, RECOVERY_BYTES * (index + 1))
      const address = recoverAddress(item.subarray(0, 32), item.subarray(32, 96), item[96] ?? 0)
      if (address !== null) answers.set(joined(Uint8Array.of(1), address), ANSWER_BYTES * index)
    }
    return answers
  },
  verifySignature: (digest, signature, key) =>
    orNull(() => secp256k1.verify(signature, digest, full(key), RAW)) ?? false,
  sharedX: (secret, key) => orNull(() => secp256k1.getSharedSecret(secret, full(key), true).slice(1)),
}

function recoverAddress(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null {
  const key = recoverKey(digest, signature, id)
  return key === null ? null : keccak_256(key).slice(12)
}

function recoverKey(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null {
  const form = joined(Uint8Array.of(id), signature)
  return orNull(() => secp256k1.Signature.fromBytes(form, 'recovered').recoverPublicKey(digest).toBytes(false).slice(1))
}

function full(key: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(UNCOMPRESSED), key)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}

/** noble throws when bytes are neither a key nor a signature. */
function orNull<T>(body: () => T): T | null {
  try {
    return body()
  } catch {
    return null
  }
}
