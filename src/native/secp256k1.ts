// Keys and signatures of secp256k1: by libsecp256k1 inside the addon on every platform it is built for; otherwise by
// noble, with the same results but fifty times slower. Public keys are x and y, 64 bytes, big-endian. Input may be
// untrusted: bytes that are neither a key nor a signature, or have a wrong length, give null or false.
import type { CurveFunctions } from './addon'
import { javascriptCurve } from './javascript-curve'
import { loadAddon } from './loader'

const SECRET_BYTES = 32
const DIGEST_BYTES = 32
const SIGNATURE_BYTES = 64
const KEY_BYTES = 64
const COMPRESSED_BYTES = 33
const MAX_RECOVERY_ID = 3
const RECOVERY_BYTES = DIGEST_BYTES + SIGNATURE_BYTES + 1
const ANSWER_BYTES = 21

/** secp256k1 on one implementation: the addon's or noble's. */
export class Secp256k1 {
  constructor(
    /** The implementation in use. */
    readonly kind: 'native' | 'javascript',
    private readonly curve: CurveFunctions,
  ) {}

  /** 32 bytes and in 1 .. order - 1; all but about one in 2^128 random values are. */
  isSecretKey(secret: Uint8Array): boolean {
    return secret.length === SECRET_BYTES && this.curve.isSecretKey(secret)
  }

  /** @returns 64 bytes @throws RangeError when it isn't a secret key: a bug in the caller */
  publicKey(secret: Uint8Array): Uint8Array {
    const key = secret.length === SECRET_BYTES ? this.curve.publicKey(secret) : null
    if (key === null) throw new RangeError('not a secret key')
    return key
  }

  /** A public key of 33 bytes, beginning with 2 or 3, as 64 bytes; null when it isn't a point. */
  expandKey(compressed: Uint8Array): Uint8Array | null {
    return compressed.length === COMPRESSED_BYTES ? this.curve.expandKey(compressed) : null
  }

  /**
   * RFC 6979, low s: the same digest and key always give the same bytes.
   * @param digest 32 bytes
   * @returns 65 bytes: r (32, big-endian), s (32, big-endian), parity of R's y (0 or 1)
   * @throws RangeError for an invalid digest or secret key: a bug in the caller
   */
  sign(digest: Uint8Array, secret: Uint8Array): Uint8Array {
    const isWhole = digest.length === DIGEST_BYTES && secret.length === SECRET_BYTES
    const signature = isWhole ? this.curve.signDigest(digest, secret) : null
    if (signature === null) throw new RangeError('not a digest of 32 bytes or not a secret key')
    return signature
  }

  /** The 64-byte key that made a signature (r and s, 64 bytes); null when it isn't valid for any. @param id 0 to 3 */
  recoverKey(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null {
    return isRecoverable(digest, signature, id) ? this.curve.recoverKey(digest, signature, id) : null
  }

  /** The 20-byte address of that key. */
  recoverAddress(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null {
    return isRecoverable(digest, signature, id) ? this.curve.recoverAddress(digest, signature, id) : null
  }

  /** Null for an invalid one. @param items 97 bytes each: digest, r, s, recovery id @throws RangeError: odd length */
  recoverAddresses(items: Uint8Array): readonly (Uint8Array | null)[] {
    if (items.length % RECOVERY_BYTES !== 0) throw new RangeError(`not ${RECOVERY_BYTES} bytes per signature`)
    const answers = this.curve.recoverAddresses(items)
    return Array.from({ length: items.length / RECOVERY_BYTES }, (_, index) => {
      const at = ANSWER_BYTES * index
      return answers[at] === 1 ? answers.slice(at + 1, at + ANSWER_BYTES) : null
    })
  }

  /** Whether the holder of `key` (64 bytes) made the signature (r and s, 64 bytes). Low s only. */
  verify(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
    const isWhole = digest.length === DIGEST_BYTES && signature.length === SIGNATURE_BYTES && key.length === KEY_BYTES
    return isWhole && this.curve.verifySignature(digest, signature, key)
  }

  /** ECDH: the x coordinate of the shared point, 32 bytes; null when either isn't a key. @param key 64 bytes */
  sharedX(secret: Uint8Array, key: Uint8Array): Uint8Array | null {
    return secret.length === SECRET_BYTES && key.length === KEY_BYTES ? this.curve.sharedX(secret, key) : null
  }
}

function isRecoverable(digest: Uint8Array, signature: Uint8Array, id: number): boolean {
  const isId = Number.isInteger(id) && id >= 0 && id <= MAX_RECOVERY_ID
  return isId && digest.length === DIGEST_BYTES && signature.length === SIGNATURE_BYTES
}

/** Chosen once, on first use: most commands never need it. */
class Choice {
  #chosen: Secp256k1 | null = null

  get(): Secp256k1 {
    this.#chosen ??= chooseSecp256k1(import.meta.dirname)
    return this.#chosen
  }
}

const choice = new Choice()

/** This thread's instance. */
export function secp256k1(): Secp256k1 {
  return choice.get()
}

/** @param searchFrom absolute path of a folder; see `loadAddon` */
export function chooseSecp256k1(searchFrom: string): Secp256k1 {
  const loaded = loadAddon({ searchFrom })
  return 'addon' in loaded ? new Secp256k1('native', loaded.addon) : new Secp256k1('javascript', javascriptCurve)
}
