// Keystore operations without a signer: what the command line does to key files. Each change is in the audit log.
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import { type AuditEntry, AuditLog } from '../../signer/audit/audit-log'
import { SignerError } from '../../signer/errors'
import { bringSignature, unsignedFiles } from '../../signer/hardware/airgap-requests'
import type { HardwareKeys } from '../../signer/hardware/hardware-keys'
import type { HardwareAccount } from '../../signer/hardware/hardware-wallet'
import type { UnsignedFile } from '../../signer/hardware/unsigned-request'
import { AccountManager, isBareSecret } from '../../signer/keystore/account-manager'
import { onlyFileOf, requireImportable } from '../../signer/keystore/change-accounts'
import { type AccountMaker, createAccount } from '../../signer/keystore/create-account'
import { KeyFolder, type KeyProblem } from '../../signer/keystore/folder'
import { KeyClient } from '../../signer/keystore/key-client'
import { HostError } from '../errors'
import type { TradesDeps } from '../trades-deps'
import { airgapFolder, createHardware } from './create-hardware'
import { auditHead } from './create-vault'
import { keyWorkers } from './open-keys'

const POLL_MS = 1_000

export interface ListedAccount {
  /** EIP-55 spelling */
  readonly address: string
  /** `ledger`: the key is in a device; `airgap`: in an offline one. */
  readonly kind: 'keystore' | HardwareAccount['kind']
  /** The file in the keystore, or the derivation path in the device. */
  readonly place: string
}

export function listedDevice({ kind, address, path }: HardwareAccount): ListedAccount {
  return { address: checksumAddress(address), kind, place: path }
}

export class KeystoreCommands implements Service {
  readonly name = 'keystore'
  /** Operations on existing or imported accounts; each change is in the audit log. */
  readonly accounts: AccountManager
  /** Explicitly requested, so a device is searched whatever --signer.usb says. */
  readonly hardware: HardwareKeys
  readonly path: string
  readonly #auditFile: string
  readonly #maker: AccountMaker
  readonly #audit: AuditLog | null
  readonly #airgap: string

  constructor(deps: TradesDeps) {
    const { config, clock, logs } = deps
    const { keystore, lightKdf, auditLog } = config.signer
    this.path = keystore
    const log = logs.logger.child({ module: 'signer' })
    const keys = new KeyClient(keyWorkers(deps, log))
    const folder = new KeyFolder({ path: keystore, pollMs: POLL_MS }, { clock, log, randomBytes })
    this.#maker = { folder, keys, strength: lightKdf ? 'light' : 'standard' }
    this.#auditFile = auditLog
    this.#audit = auditLog === '' ? null : new AuditLog({ file: auditLog, headFile: auditHead(config) }, { clock })
    this.#airgap = airgapFolder(config)
    this.hardware = createHardware(deps, { usb: true })
    this.accounts = new AccountManager({ maker: this.#maker, record: (entry) => this.#record(entry) })
  }

  /** @throws KeystoreError KEYSTORE_UNREADABLE, SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE */
  async start(): Promise<void> {
    await this.#maker.folder.start()
    if (this.#audit !== null) {
      await mkdir(dirname(this.#auditFile), { recursive: true, mode: 0o700 })
      await this.#audit.open()
    }
    await this.hardware.start((entry) => this.#record(entry))
  }

  async stop(): Promise<void> {
    this.hardware.stop()
    await this.#maker.folder.stop()
    this.#maker.keys.close()
    await this.#audit?.close()
  }

  /** By file name, followed by device accounts; unusable files are among the problems. */
  listing(): { readonly accounts: readonly ListedAccount[]; readonly problems: readonly KeyProblem[] } {
    const { keys, problems } = this.#maker.folder.content()
    const ofFiles = keys.map(
      ({ address, file }) => ({ address: checksumAddress(address), kind: 'keystore', place: file }) as const,
    )
    const { problem } = this.hardware
    return {
      accounts: [...ofFiles, ...this.hardware.accounts().map(listedDevice)],
      problems: problem === null ? problems : [...problems, { file: 'hardware accounts', reason: problem }],
    }
  }

  /** Requests for offline devices. @throws SignerError SIGNER_AIRGAP_FOLDER */
  unsigned(): Promise<readonly UnsignedFile[]> {
    return unsignedFiles(this.#airgap)
  }

  async unsignedOf(requestId: string): Promise<UnsignedFile> {
    const file = (await this.unsigned()).find((each) => each.requestId === requestId.toLowerCase())
    if (file === undefined) throw new SignerError('SIGNER_AIRGAP_GONE', undefined)
    return file
  }

  /** Passes a signature to the waiting signer. @throws SignerError SIGNER_AIRGAP_* */
  bringSignature(requestId: string, text: string): Promise<void> {
    return bringSignature(this.#airgap, requestId, text)
  }

  /** @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason */
  async create(password: Uint8Array, signal: AbortSignal): Promise<string> {
    const { address, file } = await createAccount(this.#maker, password, signal)
    await this.#record({ type: 'created', address, file })
    return checksumAddress(address)
  }

  /**
   * Whether a file to import is a key file with its own password; otherwise it is a bare key or a seed phrase.
   * @throws KeystoreError KEYSTORE_FILE_INVALID for a format that can't be imported
   */
  hasPassword(text: string): boolean {
    if (!isBareSecret(text)) requireImportable(text)
    return !isBareSecret(text)
  }

  /** @throws HostError HOST_NO_ACCOUNT, SignerError SIGNER_MULTIPLE_KEYS: before anyone types a password for nothing */
  async requireAccount(address: string): Promise<void> {
    await onlyFileOf(this.#maker, address.toLowerCase()).catch((error: unknown) => {
      throw hasCode(error, 'SIGNER_UNKNOWN_ACCOUNT') ? new HostError('HOST_NO_ACCOUNT', { address }) : error
    })
  }

  /** The end of the audit log in the form of `audit verify --anchor`; null without a log. */
  anchor(): string | null {
    if (this.#audit === null) return null
    const { records, hash } = this.#audit.head
    return `${records}:${hash}`
  }

  async #record(entry: AuditEntry): Promise<void> {
    await this.#audit?.append(entry)
  }
}
