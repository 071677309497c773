// User operations on the keystore: importing a key, changing a password, verifying one, exporting a backup, removing an
// account. Each change is in the audit log before it is reported as done. What was written must open before it counts.

import { join } from 'node:path'
import type { SealedPassword } from '../../base/approvals'
import { checksumAddress } from '../../base/checksum-address'
import { reasonOf } from '../../base/errors'
import type { LowerAddress } from '../../base/hex'
import { isJsonObject, jsonOrNull } from '../../base/json-text'
import { placeNewFile } from '../../files/durable-file'
import type { AuditEntry } from '../audit/audit-entry'
import { KeystoreError, SignerError } from '../errors'
import type { ToSign } from '../model/signed-content'
import { type AccountMaker, requirePolicy, type StoredAccount } from './create-account'
import type { KeyFolder } from './folder'
import type { KeyClient, NewKeyFile, Password } from './key-client'
import {
  BARE_KEY,
  bareSecretOf,
  EXPORT_FIRST,
  FIRST_ACCOUNT_PATH,
  FOREIGN_TEXTS,
  foreignText,
  HEX_DIGITS,
  readSeedPhrase,
  WORDS_WANTED,
} from './seed-phrase'
import { parseKeyFile, readKeyFileAddress, readPresaleWallet } from './v3-file'

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

/** Before a password is typed for nothing. @throws KeystoreError KEYSTORE_FILE_INVALID for what can't be imported */
export function requireImportable(text: string): void {
  const foreign = readPresaleWallet(text) === null ? foreignFormat(text) : null
  if (foreign !== null) throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: foreign })
}

/** The one file of an account. @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS */
export async function onlyFileOf(folder: KeyFolder, address: LowerAddress): Promise<string> {
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

interface AccountManagerDeps {
  readonly maker: AccountMaker
  /** Resolves when the entry is on disk. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** Throws SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS and the keystore's errors; none contains a password. */
export class AccountManager {
  constructor(private readonly deps: AccountManagerDeps) {}

  /**
   * @param text a key file, the 64 hex digits of a key, or a seed phrase; the last two also sealed for the change `import`
   * @param passwords UTF-8 bytes, copied; `old` is used for a key file only
   * @param path of a seed phrase's account
   * @returns EIP-55 spelling
   * @throws KeystoreError KEYSTORE_PHRASE_INVALID, and as importSecret and importKeyFile
   */
  async importAccount(
    text: string | SealedPassword,
    passwords: { readonly old: Password | null; readonly next: Password },
    path = FIRST_ACCOUNT_PATH,
  ): Promise<string> {
    const { maker } = this.deps
    const { old, next } = passwords
    if (typeof text !== 'string') return this.#done('imported', await importSecret(maker, text, next))
    const secret = bareSecretOf(text, path)
    if (secret === null) {
      return this.#done('imported', await importKeyFile(maker, text, { old: old ?? new Uint8Array(0), next }))
    }
    try {
      return await this.#done('imported', await importSecret(maker, secret, next))
    } finally {
      secret.fill(0)
    }
  }

  /**
   * Re-encrypts the account's key, in the same file.
   * @param address any case
   * @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRONG_PASSWORD, KEYSTORE_WRITE_FAILED
   */
  async changePassword(
    address: string,
    passwords: { readonly old: Password; readonly next: Password },
  ): Promise<string> {
    requirePolicy(passwords.next)
    const { folder, keys, strength } = this.deps.maker
    const key = await this.#keyOf(address)
    const made = await keys.reencrypt('password', key, passwords, strength)
    if (made.address !== key.address) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: key.address })
    await folder.replace(key.file, made.keyFile)
    return this.#done('passwordChanged', key)
  }

  /** Opens the account's file with the password and forgets the key again. @throws KeystoreError KEYSTORE_WRONG_PASSWORD */
  async prove(address: string, password: Password): Promise<StoredAccount & { readonly keyFile: string }> {
    const key = await this.#keyOf(address)
    await this.deps.maker.keys.verify({ ...key, password })
    return key
  }

  async keyFileOf(address: string): Promise<string> {
    return (await this.#keyOf(address)).keyFile
  }

  async #keyOf(address: string): Promise<StoredAccount & { readonly keyFile: string }> {
    const { folder } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf(folder, lower)
    return { address: lower, file, keyFile: await folder.read(file) }
  }

  /** The account's encrypted key file, for a backup; requires its password. @throws as prove */
  async exportFile(address: string, password: Password): Promise<{ readonly file: string; readonly keyFile: string }> {
    const key = await this.prove(address, password)
    await this.#done('exported', key)
    return key
  }

  /**
   * Whether a backup holds the account's key and opens with the password.
   * @param text the backup; untrusted
   * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED, KEYSTORE_KEY_MISMATCH,
   * KEYSTORE_WRONG_PASSWORD, and as onlyFileOf
   */
  async proveCopy(address: string, text: string, password: Password): Promise<void> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf(folder, lower)
    if (readKeyFileAddress(text) !== lower) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: lower })
    await keys.verify({ keyFile: text, address: lower, password })
    await this.#done('backedUp', { address: lower, file })
  }

  /**
   * Writes a copy of the account's encrypted key file, which was opened and is read back: a copy that can't be restored
   * isn't kept.
   * @param path a new file; an existing one is left alone
   * @returns EIP-55 spelling
   * @throws KeystoreError KEYSTORE_WRITE_FAILED, and as exportFile
   */
  async backUp(address: string, password: Uint8Array, path: string): Promise<string> {
    const { file, keyFile } = await this.exportFile(address, password)
    try {
      await placeNewFile(path, keyFile)
    } catch (cause) {
      if (!(cause instanceof Error && 'syscall' in cause)) throw cause
      throw new KeystoreError('KEYSTORE_WRITE_FAILED', { file: path, reason: reasonOf(cause) }, { cause })
    }
    return this.#done('backedUp', { address: address.toLowerCase(), file })
  }

  /**
   * Removes the account from the keystore: its file is moved aside, nothing is deleted, and an unlocked key is locked.
   * @returns the file's new path, relative to the keystore folder
   * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, KeystoreError KEYSTORE_WRITE_FAILED
   */
  async forget(address: string): Promise<string> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf(folder, lower)
    const keptIn = await folder.setAside(file)
    try {
      // First: the file is gone, whatever happens to the key worker.
      await this.deps.record({ type: 'forgotten', address: lower, file, keptIn })
    } finally {
      await keys.lock(lower)
    }
    return keptIn
  }

  async #done(type: 'imported' | 'passwordChanged' | 'exported' | 'backedUp', account: StoredAccount): Promise<string> {
    await this.deps.record({ type, address: account.address, file: account.file })
    return checksumAddress(account.address)
  }
}

/** Whether an imported text has no password of its own: a bare key or a seed phrase. */
export function isBareSecret(text: string): boolean {
  return BARE_KEY.test(text) || readSeedPhrase(text) !== null
}

interface UnlockedAccountsDeps {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  /** Resolves when the entry is on disk; a rejection aborts the step. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

interface UnlockedUse {
  readonly method: string
  /** The caller, in words: its address or `the node itself`. */
  readonly asker: string
  /** What is signed, for display: recipient and amount, or the text. Never a secret. */
  readonly summary: string
}

/** Unlocked by configuration (`--unlock`): each use is an approval that is on disk before the key is used. */
export class UnlockedAccounts {
  readonly #open = new Set<LowerAddress>()

  constructor(private readonly deps: UnlockedAccountsDeps) {}

  /**
   * @param password UTF-8 bytes, copied; the caller wipes its own
   * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, SIGNER_AUDIT_UNWRITABLE,
   * KeystoreError KEYSTORE_WRONG_PASSWORD
   */
  async unlock(address: LowerAddress, password: Uint8Array): Promise<void> {
    const { folder, keys, record } = this.deps
    const keyFile = await folder.read(await onlyFileOf(folder, address))
    await record({ type: 'unlocked', address })
    await keys.unlock({ keyFile, address, password })
    this.#open.add(address)
  }

  has(address: LowerAddress): boolean {
    return this.#open.has(address)
  }

  /**
   * Signs without asking the user.
   * @returns 65 bytes: r, s, parity
   * @throws KeystoreError KEYSTORE_NOT_UNLOCKED, SignerError SIGNER_AUDIT_UNWRITABLE (nothing is signed then)
   */
  async sign(address: LowerAddress, what: ToSign, use: UnlockedUse): Promise<Uint8Array> {
    if (!this.#open.has(address)) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
    await this.deps.record({ type: 'approvedByConfiguration', address, ...use })
    return this.deps.keys.signUnlocked(address, what)
  }

  async lock(address: LowerAddress): Promise<void> {
    if (!this.#open.delete(address)) return
    await this.deps.keys.lock(address)
    await this.deps.record({ type: 'locked', address })
  }
}
