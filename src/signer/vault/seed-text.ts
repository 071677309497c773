// The master seed: 256 random bytes, encrypted, from which the vault's folder and keys are derived. Pure: the text of its
// file. Format: prlx cmd/clef/main.go (initializeSecrets, readMasterKey).
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { concatBytes, wipe } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { toBareHex } from '../../base/hex'
import { checkKdfLimits, deriveKey, type KdfStrength } from '../keystore/kdf'
import {
  type CryptoSection,
  cryptoSectionShape,
  makeCryptoSection,
  newKdfParams,
  openCryptoSection,
  parseCryptoSection,
} from '../keystore/v3-file'

const SEED_BYTES = 256
const FOLDER_BYTES = 10
const DESCRIPTION = 'Clef seed'

const seedFile = z.object({ description: z.string(), version: z.literal(1), params: cryptoSectionShape })

/** What is derived from a seed; 32 bytes each. */
export interface VaultKeys {
  readonly folder: string
  readonly credentials: Uint8Array
  readonly config: Uint8Array
  readonly journal: Uint8Array
  /** Of the policies' file of earlier programs. */
  readonly earlier: Uint8Array
  readonly scripts: Uint8Array
  readonly audit: Uint8Array
}

/** @param seed wiped */
export function vaultKeysOf(seed: Uint8Array): VaultKeys {
  const key = (name: string): Uint8Array => keyFrom(name, seed)
  try {
    return {
      folder: toBareHex(key('vault').subarray(0, FOLDER_BYTES)),
      credentials: key('credentials'),
      config: key('config'),
      journal: key('headframe journal'),
      earlier: key('policies'),
      scripts: key('jsstorage'),
      audit: key('headframe audit'),
    }
  } finally {
    wipe(seed)
  }
}

/** Text of a new seed's file. @param password UTF-8 bytes; the caller wipes them */
export async function newSeedText(
  password: Uint8Array,
  strength: KdfStrength,
  randomBytes: (length: number) => Uint8Array,
): Promise<string> {
  const kdf = newKdfParams(strength, randomBytes(32))
  const derived = await deriveKey(kdf, password)
  const seed = new Uint8Array(randomBytes(SEED_BYTES))
  try {
    const params = makeCryptoSection({ plain: seed, derived, kdf, iv: randomBytes(16) })
    return JSON.stringify({ description: DESCRIPTION, version: 1, params })
  } finally {
    wipe(derived)
    wipe(seed)
  }
}

/** @throws Error that says what is wrong with it */
function readSeedText(text: string): CryptoSection {
  const parsed = seedFile.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(messageOf(parsed.error))
  const section = parseCryptoSection(parsed.data.params, 'aes-128-ctr')
  checkKdfLimits(section.kdf)
  return section
}

/**
 * The seed, 256 bytes or more; the caller wipes it.
 * @param password UTF-8 bytes; the caller wipes them
 * @throws KeystoreError KEYSTORE_WRONG_PASSWORD, Error for an invalid text
 */
export async function openSeedText(text: string, password: Uint8Array): Promise<Uint8Array> {
  const section = readSeedText(text)
  const derived = await deriveKey(section.kdf, password)
  try {
    const seed = openCryptoSection(section, derived)
    if (seed.length >= SEED_BYTES) return seed
    wipe(seed)
    throw new Error(`it has ${seed.length} bytes, want ${SEED_BYTES}`)
  } finally {
    wipe(derived)
  }
}

/** Why a text is no seed's; null when it is. */
export function faultOfSeedText(text: string): string | null {
  try {
    readSeedText(text)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function keyFrom(name: string, seed: Uint8Array): Uint8Array {
  const input = concatBytes(new TextEncoder().encode(name), seed)
  try {
    return keccak_256(input)
  } finally {
    wipe(input)
  }
}
