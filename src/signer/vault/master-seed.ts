// The master seed's file: read and written here, opened where its keys are kept.
import { lstat, readFile } from 'node:fs/promises'
import { isSystemCode, reasonOf } from '../../base/errors'
import { placeNewFile } from '../../files/durable-file'
import { VaultError } from '../errors'
import { faultOfSeedText } from './seed-text'

const MAX_SEED_FILE_LENGTH = 64 * 1024

/** Whether there is a seed to ask a password for. */
export async function hasMasterSeed(file: string): Promise<boolean> {
  return (await statOf(file)) !== null
}

/** @throws VaultError SIGNER_SEED_EXISTS */
export async function requireNoSeed(file: string): Promise<void> {
  if (await hasMasterSeed(file)) throw new VaultError('SIGNER_SEED_EXISTS', { file })
}

/**
 * The seed's text, checked for form and cost.
 * @throws VaultError SIGNER_SEED_MISSING, SIGNER_SEED_INSECURE, SIGNER_SEED_INVALID, SIGNER_VAULT_UNUSABLE
 */
export async function readSeedFile(file: string): Promise<string> {
  const stat = await statOf(file)
  if (stat === null) throw new VaultError('SIGNER_SEED_MISSING', { file })
  const mode = stat.mode & 0o777
  // Like clef: readable by the owner only. Windows has no such bits.
  if (process.platform !== 'win32' && (mode & 0o377) !== 0) {
    throw new VaultError('SIGNER_SEED_INSECURE', { file, mode: `0${mode.toString(8)}` })
  }
  if (!stat.isFile() || stat.size > MAX_SEED_FILE_LENGTH) {
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: 'it is no small regular file' })
  }
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: reasonOf(cause) }, { cause })
  })
  const reason = faultOfSeedText(text)
  if (reason !== null) throw new VaultError('SIGNER_SEED_INVALID', { file, reason })
  return text
}

/** Mode 0400. @throws VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE */
export async function writeSeedFile(file: string, text: string): Promise<void> {
  try {
    await placeNewFile(file, text, { mode: 0o400 })
  } catch (cause) {
    if (isSystemCode(cause, 'EEXIST')) throw new VaultError('SIGNER_SEED_EXISTS', { file })
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: reasonOf(cause) }, { cause })
  }
}

async function statOf(file: string) {
  try {
    return await lstat(file)
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: reasonOf(error) }, { cause: error })
  }
}
