// Wallets of the sale of 2014: a seed encrypted with the password, whose hash is the key. Read for import only.
import { createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { concatBytes, wipe } from '../../base/bytes'
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { KeystoreError } from '../errors'
import { provenSecret } from './v3-file'

const MAX_LENGTH = 64 * 1024
const IV_BYTES = 16
const KEY_BYTES = 16
const ROUNDS = 2_000

const shape = z.object({
  encseed: z.string().regex(/^(0x)?([0-9a-fA-F]{2}){32,}$/),
  ethaddr: z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/),
})

/** A wallet, not opened yet. */
export interface PresaleWallet {
  readonly address: LowerAddress
  /** Initialization vector and ciphertext. */
  readonly seed: Uint8Array
}

/** The wallet in a file; null for any other text. */
export function readPresaleWallet(text: string): PresaleWallet | null {
  if (text.length > MAX_LENGTH || !text.includes('encseed')) return null
  try {
    const parsed = shape.safeParse(JSON.parse(text))
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
  const key = await promisify(pbkdf2)(password, password, ROUNDS, KEY_BYTES, 'sha256')
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, seed.subarray(0, IV_BYTES))
    const [first, rest] = [decipher.update(seed.subarray(IV_BYTES)), decipher.final()]
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
