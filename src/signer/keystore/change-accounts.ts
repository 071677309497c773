// Imports keys into the keystore, and changes the password of an existing one. As with a new account, what was written
// must open before it counts.
import { join } from 'node:path'
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { KeystoreError, SignerError } from '../errors'
import type { AccountMaker, StoredAccount } from './create-account'
import { foreignFormat } from './foreign-formats'
import type { NewKeyFile } from './key-client'
import { passwordFault } from './password-policy'
import { readPresaleWallet } from './presale-wallet'
import { parseKeyFile } from './v3-file'

/**
 * Stores a private key.
 * @param secret 32 bytes, copied; the caller wipes its own, and the password
 * @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_ACCOUNT_EXISTS, KEYSTORE_SECRET_INVALID,
 * KEYSTORE_WRITE_FAILED
 */
export async function importSecret(
  maker: AccountMaker,
  secret: Uint8Array,
  password: Uint8Array,
): Promise<StoredAccount> {
  requirePolicy(password)
  if (secret.length !== 32) throw new KeystoreError('KEYSTORE_SECRET_INVALID', undefined)
  return storeNew(maker, await maker.keys.import(secret, password, maker.strength), password)
}

/**
 * Stores the key of an external key file, re-encrypted.
 * @param text the file
 * @param passwords the file's own, and the new one; copied
 * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED, KEYSTORE_WRONG_PASSWORD (checked first, as in
 * the reference, even for an existing account), and as importSecret
 */
export async function importKeyFile(
  maker: AccountMaker,
  text: string,
  passwords: { readonly old: Uint8Array; readonly next: Uint8Array },
): Promise<StoredAccount> {
  requirePolicy(passwords.next)
  requireImportable(text)
  const address = readPresaleWallet(text)?.address ?? parseKeyFile(text).address
  const made = await maker.keys.reencrypt(
    { keyFile: text, address, password: passwords.old },
    passwords.next,
    maker.strength,
  )
  return storeNew(maker, made, passwords.next)
}

/**
 * Before anyone types a password for nothing.
 * @throws KeystoreError KEYSTORE_FILE_INVALID for a format that is known and can't be imported
 */
export function requireImportable(text: string): void {
  const foreign = readPresaleWallet(text) === null ? foreignFormat(text) : null
  if (foreign !== null) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: foreign })
}

/**
 * Re-encrypts an account's key with another password, in the same file.
 * @throws SignerError SIGNER_PASSWORD_POLICY, SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, KeystoreError
 * KEYSTORE_WRONG_PASSWORD, KEYSTORE_WRITE_FAILED
 */
export async function changePassword(
  maker: AccountMaker,
  address: LowerAddress,
  passwords: { readonly old: Uint8Array; readonly next: Uint8Array },
): Promise<StoredAccount> {
  requirePolicy(passwords.next)
  const { folder, keys, strength } = maker
  const file = await onlyFileOf(maker, address)
  const keyFile = await folder.read(file)
  const made = await keys.reencrypt({ keyFile, address, password: passwords.old }, passwords.next, strength)
  await folder.replace(file, made.keyFile, (readBack) =>
    keys.verify({ keyFile: readBack, address, password: passwords.next }),
  )
  return { address, file }
}

/**
 * The one file of an account.
 * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS
 */
export async function onlyFileOf({ folder }: Pick<AccountMaker, 'folder'>, address: LowerAddress): Promise<string> {
  await folder.refresh()
  const files = folder.filesOf(address)
  const [file] = files
  if (file === undefined) throw new SignerError('SIGNER_UNKNOWN_ACCOUNT', undefined)
  if (files.length === 1) return file
  throw new SignerError('SIGNER_MULTIPLE_KEYS', { files: files.map((name) => join(folder.path, name)) })
}

/**
 * The private key in a file that contains only its 64 hex digits, with or without 0x; null for any other text.
 * @returns 32 bytes; the caller wipes them
 */
export function readSecretFile(text: string): Uint8Array | null {
  const match = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(text)
  return match?.[1] === undefined ? null : bytesOfHex(match[1])
}

async function storeNew(maker: AccountMaker, made: NewKeyFile, password: Uint8Array): Promise<StoredAccount> {
  const { address, keyFile } = made
  await requireAbsent(maker, address)
  const file = await maker.folder.add(address, keyFile, (readBack) =>
    maker.keys.verify({ keyFile: readBack, address, password }),
  )
  return { address, file }
}

async function requireAbsent({ folder }: AccountMaker, address: LowerAddress): Promise<void> {
  await folder.refresh()
  if (folder.filesOf(address).length > 0) throw new KeystoreError('KEYSTORE_ACCOUNT_EXISTS', { address })
}

function requirePolicy(password: Uint8Array): void {
  const fault = passwordFault(password)
  if (fault !== null) throw new SignerError('SIGNER_PASSWORD_POLICY', { reason: fault })
}
