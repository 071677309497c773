// What a person does to the keystore at a window: takes a key in, changes a password, proves one, keeps a
// copy elsewhere, forgets. Each change is on record
// before anybody is told that it is done.
import { checksumAddress } from '../address'
import type { AuditEntry } from '../audit/audit-entry'
import { KeystoreError } from '../errors'
import { changePassword, importKeyFile, importSecret, onlyFileOf, readSecretFile } from './change-accounts'
import type { AccountMaker, StoredAccount } from './create-account'
import { readKeyFileAddress } from './v3-file'

export interface AccountDeskDeps {
  readonly maker: AccountMaker
  /** Resolves when the entry is on disk. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

export class AccountDesk {
  constructor(private readonly deps: AccountDeskDeps) {}

  /**
   * @param text a key file, or the 64 hex digits of a key
   * @param passwords UTF-8 bytes, copied; `old` null for a bare key
   * @returns EIP-55 spelling
   * @throws as importSecret and importKeyFile
   */
  async importAccount(
    text: string,
    passwords: { readonly old: Uint8Array | null; readonly next: Uint8Array },
  ): Promise<string> {
    const { maker } = this.deps
    const secret = readSecretFile(text)
    const { old, next } = passwords
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
    passwords: { readonly old: Uint8Array; readonly next: Uint8Array },
  ): Promise<string> {
    return this.#done('passwordChanged', await changePassword(this.deps.maker, address.toLowerCase(), passwords))
  }

  /**
   * Opens the account's file with the password and forgets the key again.
   * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, KeystoreError KEYSTORE_WRONG_PASSWORD
   */
  async prove(address: string, password: Uint8Array): Promise<void> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const keyFile = await folder.read(await onlyFileOf({ folder }, lower))
    await keys.verify({ keyFile, address: lower, password })
  }

  /**
   * The account's encrypted key file, for keeping it elsewhere; only for who knows its password.
   * @throws as prove
   */
  async exportFile(
    address: string,
    password: Uint8Array,
  ): Promise<{ readonly file: string; readonly keyFile: string }> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf({ folder }, lower)
    const keyFile = await folder.read(file)
    await keys.verify({ keyFile, address: lower, password })
    await this.#done('exported', { address: lower, file })
    return { file, keyFile }
  }

  /**
   * Whether a copy from elsewhere holds the account's key and opens with the password.
   * @param text the copy; foreign
   * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED, KEYSTORE_KEY_MISMATCH,
   * KEYSTORE_WRONG_PASSWORD, and as onlyFileOf
   */
  async proveCopy(address: string, text: string, password: Uint8Array): Promise<void> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf({ folder }, lower)
    if (readKeyFileAddress(text) !== lower) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: lower })
    await keys.verify({ keyFile: text, address: lower, password })
    await this.#done('backedUp', { address: lower, file })
  }

  /**
   * Takes the account out of the keystore: its file is moved aside, nothing is deleted, and a key that was kept open is closed.
   * @returns where the file is now, from the keystore folder on
   * @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, KeystoreError KEYSTORE_WRITE_FAILED
   */
  async forget(address: string): Promise<string> {
    const { folder, keys } = this.deps.maker
    const lower = address.toLowerCase()
    const file = await onlyFileOf({ folder }, lower)
    const keptIn = await folder.setAside(file)
    try {
      // First: the file is away, whatever becomes of the key worker.
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
