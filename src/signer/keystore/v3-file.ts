// Key files, Web3 Secret Storage version 3 and 1, and the encrypted section that the master seed has too: parsing,
// opening and making them.
import { createCipheriv, createDecipheriv, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { concatBytes, wipe } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { bytesOfHex, type LowerAddress, toBareHex } from '../../base/hex'
import { KeystoreError } from '../errors'
import { KDF_STRENGTHS, type KdfParams, type KdfStrength, type ScryptParams } from './kdf'
import { addressOfSecret } from './secret-key'

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

/** Longest key file accepted, in characters; real ones have about 500. */
export const MAX_KEY_FILE_LENGTH = 64 * 1024

const SECRET_BYTES = 32

const addressOnly = z.object({ address: z.string().regex(/^(0[xX])?[0-9a-fA-F]{40}$/) })

const wholeFile = z.object({
  version: z.union([z.literal(3), z.literal(1), z.literal('3'), z.literal('1')]),
  crypto: cryptoSectionShape.optional(),
  Crypto: cryptoSectionShape.optional(),
})

interface KeyFile extends CryptoSection {
  /** As the file claims; null when it claims none, which only an import accepts. */
  readonly address: LowerAddress | null
  readonly version: 1 | 3
}

/** The address that a file claims; used by the folder scan. @throws KeystoreError KEYSTORE_FILE_INVALID */
export function readKeyFileAddress(text: string): LowerAddress {
  return claimedAddress(readJson(text))
}

/** What the folder scan needs of a file, in one reading. `fault`: why it can't be used; its address may be known anyway. */
export function claimOf(text: string): { readonly address: LowerAddress | null; readonly fault: string | null } {
  let address: LowerAddress | null = null
  try {
    const value = readJson(text)
    address = claimedAddress(value)
    parsedKeyFile(value)
    return { address, fault: null }
  } catch (error) {
    return { address, fault: messageOf(error) }
  }
}

function claimedAddress(value: unknown): LowerAddress {
  const parsed = addressOnly.safeParse(value)
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'no address of 40 hex digits' })
  const address = `0x${parsed.data.address.toLowerCase().replace(/^0x/, '')}`
  if (/^0x0*$/.test(address)) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'address is zero' })
  return address
}

/** Without a valid address it is null. @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED */
export function parseKeyFile(text: string): KeyFile {
  return parsedKeyFile(readJson(text))
}

function parsedKeyFile(value: unknown): KeyFile {
  const address = addressOnly.safeParse(value).success ? claimedAddress(value) : null
  const parsed = wholeFile.safeParse(value)
  if (!parsed.success) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: messageOf(parsed.error) })
  const part = parsed.data.crypto ?? parsed.data.Crypto
  if (part === undefined) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'no crypto section' })
  const version = Number(parsed.data.version) === 1 ? 1 : 3
  return { address, version, ...parseCryptoSection(part, version === 1 ? 'aes-128-cbc' : 'aes-128-ctr') }
}

/**
 * The private key inside, 32 bytes, which the caller owns and wipes.
 * @param derived from deriveKey with the file's parameters and the password
 * @throws KeystoreError KEYSTORE_WRONG_PASSWORD, KEYSTORE_KEY_MISMATCH, KEYSTORE_FILE_INVALID
 */
export function openKeyFile(file: KeyFile, derived: Uint8Array): Uint8Array {
  const plain = openCryptoSection(file, derived)
  try {
    return provenSecret(plain, file.address)
  } finally {
    wipe(plain)
  }
}

/**
 * A key as 32 bytes. Programs before 2016 cut leading zeros, others added one: the number counts.
 * @param plain big-endian; the caller wipes it
 * @param address null = any
 * @throws KeystoreError KEYSTORE_SECRET_INVALID, KEYSTORE_KEY_MISMATCH
 */
function provenSecret(plain: Uint8Array, address: LowerAddress | null): Uint8Array {
  const first = plain.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? plain.subarray(plain.length) : plain.subarray(first)
  if (digits.length > SECRET_BYTES) throw new KeystoreError('KEYSTORE_SECRET_INVALID', undefined)
  const secret = new Uint8Array(SECRET_BYTES)
  secret.set(digits, SECRET_BYTES - digits.length)
  try {
    if (address === null || addressOfSecret(secret) === address) return secret
  } catch (error) {
    wipe(secret)
    throw error
  }
  wipe(secret)
  throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address })
}

/** Parameters for a new key of this strength. @param salt 32 random bytes */
export function newKdfParams(strength: KdfStrength, salt: Uint8Array): ScryptParams {
  return { kdf: 'scrypt', ...KDF_STRENGTHS[strength], dklen: 32, salt }
}

function readJson(text: string): unknown {
  if (text.length > MAX_KEY_FILE_LENGTH) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `more than ${MAX_KEY_FILE_LENGTH} characters` })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'not JSON' }, { cause })
  }
}

// Wallets of the sale of 2014: a seed encrypted with the password, whose hash is the key. Read for import only.

const PRESALE_IV_BYTES = 16
const PRESALE_KEY_BYTES = 16
const PRESALE_ROUNDS = 2_000

const presaleShape = z.object({
  encseed: z.string().regex(/^(0x)?([0-9a-fA-F]{2}){32,}$/),
  ethaddr: z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/),
})

interface PresaleWallet {
  readonly address: LowerAddress
  readonly seed: Uint8Array
}

/** The wallet in a file; null for any other text. */
export function readPresaleWallet(text: string): PresaleWallet | null {
  if (text.length > MAX_KEY_FILE_LENGTH || !text.includes('encseed')) return null
  try {
    const parsed = presaleShape.safeParse(JSON.parse(text))
    if (!parsed.success) return null
    const { encseed, ethaddr } = parsed.data
    return { address: `0x${ethaddr.toLowerCase().replace(/^0x/, '')}`, seed: bytesOfHex(encseed.replace(/^0x/, '')) }
  } catch {
    return null
  }
}

/**
 * The private key, 32 bytes, which the caller wipes.
 * @param password UTF-8 bytes; the caller wipes them
 * @throws KeystoreError KEYSTORE_WRONG_PASSWORD, also for a wallet that holds another key than it names
 */
export async function openPresaleWallet({ address, seed }: PresaleWallet, password: Uint8Array): Promise<Uint8Array> {
  const key = await promisify(pbkdf2)(password, password, PRESALE_ROUNDS, PRESALE_KEY_BYTES, 'sha256')
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, seed.subarray(0, PRESALE_IV_BYTES))
    const [first, rest] = [decipher.update(seed.subarray(PRESALE_IV_BYTES)), decipher.final()]
    const plain = concatBytes(first, rest)
    for (const each of [first, rest]) wipe(each)
    try {
      return provenSecret(keccak_256(plain), address)
    } finally {
      wipe(plain)
    }
  } catch (cause) {
    // The wallet has no checksum of its own: another key means another password.
    throw new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined, { cause })
  } finally {
    wipe(key)
  }
}
