// The encrypted section shared by key files and the master seed: parsing, opening and making it.

import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { concatBytes, wipe } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { bytesOfHex, toBareHex } from '../../base/hex'
import { KeystoreError } from '../errors'
import type { KdfParams, ScryptParams } from './kdf'

const hexBytes = z.string().regex(/^(0x)?([0-9a-fA-F]{2})*$/)
const positive = z.number().int().min(1).max(0x7fff_ffff)

/** Shape of the section; `parseCryptoSection` validates its members. */
export const cryptoSectionShape = z.object({
  cipher: z.string(),
  ciphertext: hexBytes,
  cipherparams: z.object({ iv: hexBytes }),
  mac: hexBytes,
  kdf: z.string(),
  kdfparams: z.record(z.string(), z.unknown()),
})

const scryptPart = z.object({ n: positive, r: positive, p: positive, dklen: positive, salt: hexBytes })
const pbkdf2Part = z.object({ c: positive, dklen: positive, prf: z.string(), salt: hexBytes })

/** The `crypto` member of a v3 file as bytes, validated in form and derivation cost. */
export interface CryptoSection {
  readonly cipher: 'aes-128-ctr' | 'aes-128-cbc'
  readonly ciphertext: Uint8Array
  /** 16 bytes */
  readonly iv: Uint8Array
  /** 32 bytes: keccak256(derived[16:32] + ciphertext) */
  readonly mac: Uint8Array
  readonly kdf: KdfParams
}

/**
 * @param cipher the one that the format requires
 * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED
 */
export function parseCryptoSection(
  part: z.infer<typeof cryptoSectionShape>,
  cipher: CryptoSection['cipher'],
): CryptoSection {
  if (part.cipher !== cipher) throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `cipher ${part.cipher}` })
  return {
    cipher,
    ciphertext: bytesOfHex(part.ciphertext),
    iv: exactly('iv', bytesOfHex(part.cipherparams.iv), 16),
    mac: exactly('mac', bytesOfHex(part.mac), 32),
    kdf: parseKdf(part.kdf, part.kdfparams),
  }
}

/**
 * The decrypted content; the caller owns and wipes it.
 * @param derived from deriveKey with the section's parameters and the password
 * @throws KeystoreError KEYSTORE_WRONG_PASSWORD, KEYSTORE_FILE_INVALID
 */
export function openCryptoSection(section: CryptoSection, derived: Uint8Array): Uint8Array {
  if (!timingSafeEqual(macOf(derived, section.ciphertext), section.mac)) {
    throw new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined)
  }
  const first = derived.subarray(0, 16)
  return decrypt(section, section.cipher === 'aes-128-cbc' ? keccak_256(first).subarray(0, 16) : first)
}

/**
 * A new section, ready for JSON: AES-128-CTR with the first half of the derived key.
 * @param input.iv 16 random bytes
 * @param input.derived from deriveKey with `input.kdf`
 */
export function makeCryptoSection(input: {
  readonly plain: Uint8Array
  readonly derived: Uint8Array
  readonly kdf: ScryptParams
  readonly iv: Uint8Array
}): z.infer<typeof cryptoSectionShape> {
  const cipher = createCipheriv('aes-128-ctr', input.derived.subarray(0, 16), input.iv)
  const ciphertext = concatBytes(cipher.update(input.plain), cipher.final())
  const { n, r, p, dklen, salt } = input.kdf
  return {
    cipher: 'aes-128-ctr',
    ciphertext: toBareHex(ciphertext),
    cipherparams: { iv: toBareHex(input.iv) },
    kdf: 'scrypt',
    kdfparams: { dklen, n, p, r, salt: toBareHex(salt) },
    mac: toBareHex(macOf(input.derived, ciphertext)),
  }
}

function parseKdf(kdf: string, params: unknown): KdfParams {
  if (kdf === 'scrypt') {
    const parsed = scryptPart.safeParse(params)
    if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: messageOf(parsed.error) })
    return { kdf, ...parsed.data, salt: bytesOfHex(parsed.data.salt) }
  }
  if (kdf !== 'pbkdf2') throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `key derivation ${kdf}` })
  const parsed = pbkdf2Part.safeParse(params)
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: messageOf(parsed.error) })
  const { c, dklen, prf, salt } = parsed.data
  if (prf !== 'hmac-sha256') throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `pbkdf2 with ${prf}` })
  return { kdf, c, dklen, salt: bytesOfHex(salt) }
}

/** 32 bytes, over the second half of the derived key. */
function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return keccak_256.create().update(derived.subarray(16, 32)).update(ciphertext).digest()
}

function decrypt(section: CryptoSection, cipherKey: Uint8Array): Uint8Array {
  try {
    const decipher = createDecipheriv(section.cipher, cipherKey, section.iv)
    const first = decipher.update(section.ciphertext)
    const rest = decipher.final()
    const plain = concatBytes(first, rest)
    wipe(first)
    wipe(rest)
    return plain
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'ciphertext cannot be decrypted' }, { cause })
  }
}

function exactly(name: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `${name} has ${bytes.length} bytes, want ${length}` })
}
