// Key files, Web3 Secret Storage version 3 (and reading version 1): text to typed value, opening, and making new ones.
// The only module that knows keythereum, so that it can be replaced; keys are derived in kdf.ts, never by keythereum.
import { createDecipheriv, timingSafeEqual } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import keythereum from 'keythereum'
import { z } from 'zod'
import { concatBytes, wipe } from '../../base/bytes'
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { KeystoreError } from '../errors'
import { KDF_STRENGTHS, type KdfParams, type KdfStrength } from './kdf'
import { addressOfSecret } from './secret-key'

/** Longest key file that is read, in characters; real ones have about 500. */
export const MOST_KEY_FILE_LENGTH = 64 * 1024

const hexBytes = z.string().regex(/^(0x)?([0-9a-fA-F]{2})*$/)
const positive = z.number().int().min(1).max(0x7fff_ffff)

const addressOnly = z.object({ address: z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/) })

const cryptoPart = z.object({
  cipher: z.string(),
  ciphertext: hexBytes,
  cipherparams: z.object({ iv: hexBytes }),
  mac: hexBytes,
  kdf: z.string(),
  kdfparams: z.record(z.string(), z.unknown()),
})

const scryptPart = z.object({ n: positive, r: positive, p: positive, dklen: positive, salt: hexBytes })
const pbkdf2Part = z.object({ c: positive, dklen: positive, prf: z.string(), salt: hexBytes })

const wholeFile = z.object({
  address: addressOnly.shape.address,
  version: z.union([z.literal(3), z.literal(1), z.literal('3'), z.literal('1')]),
  crypto: cryptoPart.optional(),
  Crypto: cryptoPart.optional(),
})

export interface KeyFile {
  readonly address: LowerAddress
  readonly version: 1 | 3
  readonly cipher: 'aes-128-ctr' | 'aes-128-cbc'
  readonly ciphertext: Uint8Array
  /** 16 bytes */
  readonly iv: Uint8Array
  /** 32 bytes: keccak256(derived[16:32] + ciphertext) */
  readonly mac: Uint8Array
  readonly kdf: KdfParams
}

/**
 * The address that a file claims; what the folder scan looks at.
 * @throws KeystoreError KEYSTORE_FILE_INVALID
 */
export function readKeyFileAddress(text: string): LowerAddress {
  const parsed = addressOnly.safeParse(readJson(text))
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'no address of 40 hex digits' })
  const address = `0x${parsed.data.address.replace(/^0x/, '').toLowerCase()}`
  if (/^0x0*$/.test(address)) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'address is zero' })
  return address
}

/** @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED */
export function parseKeyFile(text: string): KeyFile {
  const address = readKeyFileAddress(text)
  const parsed = wholeFile.safeParse(readJson(text))
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: firstIssue(parsed.error) })
  const part = parsed.data.crypto ?? parsed.data.Crypto
  if (part === undefined) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'no crypto section' })
  const version = Number(parsed.data.version) === 1 ? 1 : 3
  const cipher = version === 1 ? 'aes-128-cbc' : 'aes-128-ctr'
  if (part.cipher !== cipher) throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `cipher ${part.cipher}` })
  return {
    address,
    version,
    cipher,
    ciphertext: bytesOfHex(part.ciphertext),
    iv: exactly('iv', bytesOfHex(part.cipherparams.iv), 16),
    mac: exactly('mac', bytesOfHex(part.mac), 32),
    kdf: parseKdf(part.kdf, part.kdfparams),
  }
}

/**
 * The private key inside, 32 bytes, owned by the caller, who wipes it.
 * @param derived what deriveKey gave for the file's parameters and the password
 * @throws KeystoreError KEYSTORE_WRONG_PASSWORD, KEYSTORE_KEY_MISMATCH, KEYSTORE_FILE_INVALID
 */
export function openKeyFile(file: KeyFile, derived: Uint8Array): Uint8Array {
  if (!timingSafeEqual(macOf(derived, file.ciphertext), file.mac)) {
    throw new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined)
  }
  const cipherKey = file.version === 1 ? keccak_256(derived.subarray(0, 16)).subarray(0, 16) : derived.subarray(0, 16)
  const secret = decrypt(file, cipherKey)
  if (addressOfSecret(secret) !== file.address) {
    wipe(secret)
    throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: file.address })
  }
  return secret
}

/** Parameters for a new key of this strength. @param salt 32 random bytes */
export function newKdfParams(strength: KdfStrength, salt: Uint8Array): KdfParams & { readonly kdf: 'scrypt' } {
  return { kdf: 'scrypt', ...KDF_STRENGTHS[strength], dklen: 32, salt }
}

/**
 * Text of a new version 3 file.
 * @param key.secret 32 bytes
 * @param key.derived what deriveKey gave for `key.kdf`
 * @param key.iv 16 random bytes
 */
export function makeKeyFile(key: {
  readonly secret: Uint8Array
  readonly derived: Uint8Array
  readonly kdf: KdfParams & { readonly kdf: 'scrypt' }
  readonly iv: Uint8Array
}): string {
  const { n, r, p, dklen, salt } = key.kdf
  const derived = Buffer.from(key.derived)
  const secret = Buffer.from(key.secret)
  try {
    const options = { kdf: 'scrypt', cipher: 'aes-128-ctr', kdfparams: { n, r, p, dklen } } as const
    return JSON.stringify(keythereum.marshal(derived, secret, Buffer.from(salt), Buffer.from(key.iv), options))
  } finally {
    wipe(derived)
    wipe(secret)
  }
}

function parseKdf(kdf: string, params: unknown): KdfParams {
  if (kdf === 'scrypt') {
    const parsed = scryptPart.safeParse(params)
    if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: firstIssue(parsed.error) })
    return { kdf, ...parsed.data, salt: bytesOfHex(parsed.data.salt) }
  }
  if (kdf !== 'pbkdf2') throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `key derivation ${kdf}` })
  const parsed = pbkdf2Part.safeParse(params)
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: firstIssue(parsed.error) })
  const { c, dklen, prf, salt } = parsed.data
  if (prf !== 'hmac-sha256') throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `pbkdf2 with ${prf}` })
  return { kdf, c, dklen, salt: bytesOfHex(salt) }
}

/** 32 bytes. keythereum wants a Buffer, which may lie in shared memory: its copy of the derived key is wiped. */
function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  const copy = Buffer.from(derived)
  try {
    return bytesOfHex(keythereum.getMAC(copy, Buffer.from(ciphertext)), 32)
  } finally {
    wipe(copy)
  }
}

function decrypt(file: KeyFile, cipherKey: Uint8Array): Uint8Array {
  try {
    const decipher = createDecipheriv(file.cipher, cipherKey, file.iv)
    const first = decipher.update(file.ciphertext)
    const rest = decipher.final()
    const secret = concatBytes(first, rest)
    wipe(first)
    wipe(rest)
    return secret
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'ciphertext cannot be decrypted' }, { cause })
  }
}

function exactly(name: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `${name} has ${bytes.length} bytes, want ${length}` })
}

function readJson(text: string): unknown {
  if (text.length > MOST_KEY_FILE_LENGTH) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `more than ${MOST_KEY_FILE_LENGTH} characters` })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'not JSON' }, { cause })
  }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return `${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'invalid'}`
}
