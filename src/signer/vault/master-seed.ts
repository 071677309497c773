// The master seed: 256 random bytes in an encrypted file, from which the vault's path and keys are derived. Format:
// prlx cmd/clef/main.go (initializeSecrets, readMasterKey).
import { lstat, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { wipe } from '../../base/bytes'
import { hasCode, isSystemCode, messageOf } from '../../base/errors'
import { placeNewFile } from '../../files/durable-file'
import { SignerError, VaultError } from '../errors'
import { passwordFault } from '../keystore/create-account'
import {
  cryptoSectionShape,
  firstIssue,
  makeCryptoSection,
  openCryptoSection,
  parseCryptoSection,
} from '../keystore/crypto-section'
import { deriveKey, type KdfStrength } from '../keystore/kdf'
import { newKdfParams } from '../keystore/v3-file'

const SEED_BYTES = 256
const DESCRIPTION = 'Clef seed'
const MAX_SEED_FILE_LENGTH = 64 * 1024

const seedFile = z.object({ description: z.string(), version: z.literal(1), params: cryptoSectionShape })

/**
 * Makes a seed and its file (mode 0400).
 * @param input.password UTF-8 bytes; the caller wipes them
 * @throws SignerError SIGNER_PASSWORD_POLICY, VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE
 */
export async function createMasterSeed(input: {
  readonly file: string
  readonly password: Uint8Array
  readonly strength: KdfStrength
  readonly randomBytes: (length: number) => Uint8Array
}): Promise<void> {
  const { file, password, strength, randomBytes } = input
  const fault = passwordFault(password)
  if (fault !== null) throw new SignerError('SIGNER_PASSWORD_POLICY', { reason: fault })
  if ((await statOf(file)) !== null) throw new VaultError('SIGNER_SEED_EXISTS', { file })
  const kdf = newKdfParams(strength, randomBytes(32))
  const derived = await deriveKey(kdf, password)
  const seed = new Uint8Array(randomBytes(SEED_BYTES))
  try {
    const params = makeCryptoSection({ plain: seed, derived, kdf, iv: randomBytes(16) })
    await writeNew(file, JSON.stringify({ description: DESCRIPTION, version: 1, params }))
  } finally {
    wipe(derived)
    wipe(seed)
  }
}

/** Whether there is a seed to ask a password for. */
export async function hasMasterSeed(file: string): Promise<boolean> {
  return (await statOf(file)) !== null
}

/**
 * The seed, 256 bytes or more; the caller wipes it.
 * @param password UTF-8 bytes; the caller wipes them
 * @throws VaultError SIGNER_SEED_MISSING, SIGNER_SEED_INSECURE, SIGNER_SEED_INVALID, SIGNER_MASTER_PASSWORD
 */
export async function openMasterSeed(file: string, password: Uint8Array): Promise<Uint8Array> {
  const section = await readSeedFile(file)
  try {
    const derived = await deriveKey(section.kdf, password)
    try {
      const seed = openCryptoSection(section, derived)
      if (seed.length >= SEED_BYTES) return seed
      wipe(seed)
      throw new VaultError('SIGNER_SEED_INVALID', { file, reason: `it has ${seed.length} bytes, want ${SEED_BYTES}` })
    } finally {
      wipe(derived)
    }
  } catch (error) {
    if (hasCode(error, 'KEYSTORE_WRONG_PASSWORD')) throw new VaultError('SIGNER_MASTER_PASSWORD', undefined)
    if (hasCode(error, 'SIGNER_SEED_INVALID')) throw error
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: messageOf(error) }, { cause: error })
  }
}

async function readSeedFile(file: string) {
  const stat = await statOf(file)
  if (stat === null) throw new VaultError('SIGNER_SEED_MISSING', { file })
  const mode = stat.mode & 0o777
  // Like the reference: readable by the owner only. Windows has no such bits.
  if (process.platform !== 'win32' && (mode & 0o377) !== 0) {
    throw new VaultError('SIGNER_SEED_INSECURE', { file, mode: `0${mode.toString(8)}` })
  }
  if (!stat.isFile() || stat.size > MAX_SEED_FILE_LENGTH) {
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: 'it is no small regular file' })
  }
  try {
    const parsed = seedFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!parsed.success) throw new VaultError('SIGNER_SEED_INVALID', { file, reason: firstIssue(parsed.error) })
    return parseCryptoSection(parsed.data.params, 'aes-128-ctr')
  } catch (error) {
    if (hasCode(error, 'SIGNER_SEED_INVALID')) throw error
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: messageOf(error) }, { cause: error })
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await placeNewFile(file, text, { mode: 0o400 })
  } catch (cause) {
    if (isSystemCode(cause, 'EEXIST')) throw new VaultError('SIGNER_SEED_EXISTS', { file })
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: messageOf(cause) }, { cause })
  }
}

async function statOf(file: string) {
  try {
    return await lstat(file)
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: messageOf(error) }, { cause: error })
  }
}
