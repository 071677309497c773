// Keystore work without a signer around it: what the command line does to key files. Each change is on record.
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Service } from '../base/lifecycle'
import { checksumAddress } from '../signer/address'
import { type AuditEntry, AuditLog } from '../signer/audit/audit-log'
import {
  changePassword,
  importKeyFile,
  importSecret,
  onlyFileOf,
  readSecretFile,
} from '../signer/keystore/change-accounts'
import { type AccountMaker, createAccount, type StoredAccount } from '../signer/keystore/create-account'
import { KeyFolder, type KeyProblem } from '../signer/keystore/folder'
import { KeyClient } from '../signer/keystore/key-client'
import type { TradesDeps } from './trades-deps'
import { openWorker } from './workers/worker-host'

const POLL_MS = 1_000

/** What was done to which account, for one line of output. */
export interface DoneAccount {
  /** EIP-55 spelling */
  readonly address: string
  readonly file: string
}

export class KeystoreDesk implements Service {
  readonly name = 'keystore'
  readonly #auditFile: string
  readonly #maker: AccountMaker
  readonly #audit: AuditLog | null

  constructor(deps: TradesDeps) {
    const { config, platform, clock, logs } = deps
    const { keystore, lightKdf, auditLog } = config.signer
    const log = logs.logger.child({ module: 'signer' })
    const keys = new KeyClient(() =>
      openWorker({
        name: 'key',
        entry: join(platform.workerDir, 'key-worker.cjs'),
        searchFrom: platform.projectRoot,
        log,
        sink: logs.sink,
        minLevel: config.app.logLevel,
        onLost: (reason) => log.error('key worker was lost', { reason }),
      }),
    )
    const folder = new KeyFolder({ path: keystore, pollMs: POLL_MS }, { clock, log, randomBytes })
    this.#maker = { folder, keys, strength: lightKdf ? 'light' : 'standard' }
    this.#auditFile = auditLog
    this.#audit = auditLog === '' ? null : new AuditLog({ file: auditLog }, { clock })
  }

  /** @throws KeystoreError KEYSTORE_UNREADABLE, SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE */
  async start(): Promise<void> {
    await this.#maker.folder.start()
    if (this.#audit === null) return
    await mkdir(dirname(this.#auditFile), { recursive: true, mode: 0o700 })
    await this.#audit.open()
  }

  async stop(): Promise<void> {
    await this.#maker.folder.stop()
    this.#maker.keys.close()
    await this.#audit?.close()
  }

  /** In order of file name; files that cannot be used stand among the problems. */
  listing(): { readonly accounts: readonly DoneAccount[]; readonly problems: readonly KeyProblem[] } {
    const { keys, problems } = this.#maker.folder.content()
    return { accounts: keys.map(({ address, file }) => ({ address: checksumAddress(address), file })), problems }
  }

  /** @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason */
  async create(password: Uint8Array, signal: AbortSignal): Promise<DoneAccount> {
    return this.#done('created', await createAccount(this.#maker, password, signal))
  }

  /** Whether a file to import is a key file with a password of its own; otherwise it is a bare key. */
  hasPassword(text: string): boolean {
    return readSecretFile(text) === null
  }

  /**
   * @param text a key file, or 64 hex digits
   * @param passwords `old` only for a key file
   * @throws as importSecret and importKeyFile
   */
  async import(text: string, passwords: { readonly old: Uint8Array; readonly next: Uint8Array }): Promise<DoneAccount> {
    const secret = readSecretFile(text)
    if (secret === null) return this.#done('imported', await importKeyFile(this.#maker, text, passwords))
    try {
      return await this.#done('imported', await importSecret(this.#maker, secret, passwords.next))
    } finally {
      secret.fill(0)
    }
  }

  /** @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS: before anybody types a password for nothing */
  async requireAccount(address: string): Promise<void> {
    await onlyFileOf(this.#maker, address.toLowerCase())
  }

  /** @throws as changePassword */
  async update(
    address: string,
    passwords: { readonly old: Uint8Array; readonly next: Uint8Array },
  ): Promise<DoneAccount> {
    return this.#done('passwordChanged', await changePassword(this.#maker, address.toLowerCase(), passwords))
  }

  async #done(type: 'created' | 'imported' | 'passwordChanged', account: StoredAccount): Promise<DoneAccount> {
    const entry: AuditEntry = { type, ...account }
    await this.#audit?.append(entry)
    return { address: checksumAddress(account.address), file: account.file }
  }
}
