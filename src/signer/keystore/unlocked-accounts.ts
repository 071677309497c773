// Accounts unlocked by configuration (`--unlock`): their keys stay unlocked in the key worker, and each use is an
// approval by configuration that is on disk before the key is used.

import type { LowerAddress } from '../address'
import type { AuditEntry } from '../audit/audit-log'
import { KeystoreError } from '../errors'
import type { ToSign } from '../model/signed-content'
import { onlyFileOf } from './change-accounts'
import type { KeyFolder } from './folder'
import type { KeyClient } from './key-client'

interface UnlockedAccountsDeps {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  /** Resolves when the entry is on disk; a rejection aborts the step. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

interface UnlockedUse {
  /** `eth_sendTransaction`, `eth_sign`, ... */
  readonly method: string
  /** The caller, in words: its address or `the node itself`. */
  readonly asker: string
  /** What is signed, for display: recipient and amount, or the text. Never a secret. */
  readonly summary: string
}

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
    const keyFile = await folder.read(await onlyFileOf({ folder }, address))
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
