// Imports keys into the keystore, and changes the password of an existing one. As with a new account, what was written
// must open before it counts.
import { join } from 'node:path'
import { isJsonObject, jsonOrNull } from '../../base/json-text'
import type { LowerAddress } from '../address'
import { KeystoreError, SignerError } from '../errors'
import { type AccountMaker, requirePolicy, type StoredAccount } from './create-account'
import type { NewKeyFile, Password } from './key-client'
import { EXPORT_FIRST, FOREIGN_TEXTS, foreignText, HEX_DIGITS, WORDS_WANTED } from './seed-phrase'
import { parseKeyFile, readPresaleWallet } from './v3-file'

/**
 * Stores a private key.
 * @param secret 32 bytes, copied, or sealed the text of a key or a seed phrase; the caller wipes its own, and the password
 * @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_ACCOUNT_EXISTS, KEYSTORE_SECRET_INVALID,
 * KEYSTORE_WRITE_FAILED
 */
export async function importSecret(maker: AccountMaker, secret: Password, password: Password): Promise<StoredAccount> {
  requirePolicy(password)
  if (secret instanceof Uint8Array && secret.length !== 32)
    throw new KeystoreError('KEYSTORE_SECRET_INVALID', undefined)
  return storeNew(maker, await maker.keys.import(secret, password, maker.strength))
}

/**
 * Stores the key of an external key file, re-encrypted.
 * @param text the file
 * @param passwords the file's own, and the new one; copied
 * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED, KEYSTORE_WRONG_PASSWORD (checked first, as in
 * clef, even for an existing account), and as importSecret
 */
export async function importKeyFile(
  maker: AccountMaker,
  text: string,
  passwords: { readonly old: Password; readonly next: Password },
): Promise<StoredAccount> {
  requirePolicy(passwords.next)
  requireImportable(text)
  const address = readPresaleWallet(text)?.address ?? parseKeyFile(text).address
  return storeNew(maker, await maker.keys.reencrypt('import', { keyFile: text, address }, passwords, maker.strength))
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
  passwords: { readonly old: Password; readonly next: Password },
): Promise<StoredAccount> {
  requirePolicy(passwords.next)
  const { folder, keys, strength } = maker
  const file = await onlyFileOf(maker, address)
  const keyFile = await folder.read(file)
  const made = await keys.reencrypt('password', { keyFile, address }, passwords, strength)
  if (made.address !== address) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address })
  await folder.replace(file, made.keyFile)
  return { address, file }
}

/** The one file of an account. @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS */
export async function onlyFileOf({ folder }: Pick<AccountMaker, 'folder'>, address: LowerAddress): Promise<string> {
  await folder.refresh()
  const files = folder.filesOf(address)
  const [file] = files
  if (file === undefined) throw new SignerError('SIGNER_UNKNOWN_ACCOUNT', undefined)
  if (files.length === 1) return file
  throw new SignerError('SIGNER_MULTIPLE_KEYS', { files: files.map((name) => join(folder.path, name)) })
}

async function storeNew({ folder }: AccountMaker, { address, keyFile }: NewKeyFile): Promise<StoredAccount> {
  return { address, file: await folder.add(address, keyFile) }
}

/** By a member of the JSON object. */
const OBJECTS: readonly (readonly [readonly string[], string])[] = [
  [['encseed'], 'a presale wallet whose seed or address is incomplete'],
  [['data', 'iv', 'salt'], `the vault of MetaMask or a program like it: ${EXPORT_FIRST}`],
  [['KeyringController'], `the storage of MetaMask: ${EXPORT_FIRST}`],
  [['encoded', 'encoding'], `a key file of Polkadot: it is for another kind of key`],
  [['seed_version'], `a wallet of Electrum: ${EXPORT_FIRST}`],
  [['keystore', 'wallet_type'], `a wallet of Electrum: ${EXPORT_FIRST}`],
  [['mnemonic'], 'a file around a seed phrase: import the words alone'],
  [['privateKey'], 'a file around a private key: import its 64 hex digits alone'],
  [['private_key'], 'a file around a private key: import its 64 hex digits alone'],
]

/** Null for what may be a key file, a bare key or a seed phrase. The sentence never repeats any of the text. */
function foreignFormat(text: string): string | null {
  const trimmed = text.trim()
  const known = foreignText(trimmed)
  if (known !== null) return `it is ${FOREIGN_TEXTS[known]?.[1]}`
  const value = jsonOrNull(trimmed)
  if (isJsonObject(value)) return objectFormat(value)
  if (Array.isArray(value)) {
    const isKey = value.length === 64 && value.every((byte) => typeof byte === 'number')
    return isKey ? 'it is a key of Solana, which is another kind of key' : 'it is a list, want one key file (V3)'
  }
  return plainFormat(trimmed)
}

function objectFormat(value: object): string | null {
  const crypto: unknown = Object.getOwnPropertyDescriptor(value, 'crypto')?.value
  if (isJsonObject(crypto) && Object.hasOwn(crypto, 'checksum')) {
    return 'it is a validator key (EIP-2335), which is another kind of key'
  }
  const found = OBJECTS.find(([members]) => members.every((name) => Object.hasOwn(value, name)))
  return found === undefined ? null : `it is ${found[1]}`
}

/** A key or a phrase with a slip. */
function plainFormat(text: string): string | null {
  const digits = /^(?:0x)?([0-9a-fA-F]{50,80})$/.exec(text)?.[1]?.length
  if (digits !== undefined && digits !== HEX_DIGITS)
    return `it has ${digits} hex digits, a private key has ${HEX_DIGITS}`
  const words = text.split(/[\s,;."']+/).filter((word) => word !== '')
  const isPhrase = words.length >= 9 && words.length <= 30 && words.every((word) => /^\p{L}{2,12}$/u.test(word))
  if (!isPhrase) return null
  return `it looks like a seed phrase of ${words.length} words; want ${WORDS_WANTED} English words with single blanks and nothing else`
}
