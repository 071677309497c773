// What a person does to the keystore at a window: takes a key in, changes a password, proves one. Each change is on record
// before anybody is told that it is done.
import { checksumAddress } from '../address'
import type { AuditEntry } from '../audit/audit-entry'
import { changePassword, importKeyFile, importSecret, onlyFileOf, readSecretFile } from './change-accounts'
import type { AccountMaker, StoredAccount } from './create-account'

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

  async #done(type: 'imported' | 'passwordChanged', account: StoredAccount): Promise<string> {
    await this.deps.record({ type, address: account.address, file: account.file })
    return checksumAddress(account.address)
  }
}
