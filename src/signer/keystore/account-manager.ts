// User operations on the keystore: importing a key, changing a password, verifying one, exporting a backup, removing an
// account. Each change is in the audit log
// before it is reported as done.

import type { SealedPassword } from '../../base/approvals'
import { checksumAddress } from '../../base/checksum-address'
import { reasonOf } from '../../base/errors'
import { placeNewFile } from '../../files/durable-file'
import type { AuditEntry } from '../audit/audit-entry'
import { KeystoreError } from '../errors'
import { changePassword, importKeyFile, importSecret, onlyFileOf } from './change-accounts'
import type { AccountMaker, StoredAccount } from './create-account'
import type { Password } from './key-client'
import { BARE_KEY, bareSecretOf, FIRST_ACCOUNT_PATH, readSeedPhrase } from './seed-phrase'
import { readKeyFileAddress } from './v3-file'

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

  /** @param address any case @throws as changePassword */
  async changePassword(
    address: string,
    passwords: { readonly old: Password; readonly next: Password },
  ): Promise<string> {
    return this.#done('passwordChanged', await changePassword(this.deps.maker, address.toLowerCase(), passwords))
  }

  /**
   * Opens the account's file with the password and forgets the key again.
   * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, KeystoreError KEYSTORE_WRONG_PASSWORD
   */
  async prove(address: string, password: Uint8Array): Promise<void> {
    const { keys } = this.deps.maker
    await keys.verify({ keyFile: await this.keyFileOf(address), address: address.toLowerCase(), password })
  }

  /** Text of the account's one key file. @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS */
  async keyFileOf(address: string): Promise<string> {
    const { folder } = this.deps.maker
    return folder.read(await onlyFileOf({ folder }, address.toLowerCase()))
  }

  /** The account's encrypted key file, for a backup; requires its password. @throws as prove */
  async exportFile(address: string, password: Password): Promise<{ readonly file: string; readonly keyFile: string }> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf({ folder }, lower)
    const keyFile = await folder.read(file)
    await keys.verify({ keyFile, address: lower, password })
    await this.#done('exported', { address: lower, file })
    return { file, keyFile }
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
    const file = await onlyFileOf({ folder }, lower)
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
    const file = await onlyFileOf({ folder }, lower)
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
