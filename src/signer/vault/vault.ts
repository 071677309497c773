// The files that the master seed protects: stored passwords, attested rules, policies, the scripts' storage. Their keys
// are elsewhere (`VaultPort`), but for the scripts' and the log's. The same files as clef's, so that both can use
// one configuration folder in turn.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AttestedScript, changeText } from '../../base/approvals'
import { secretCopy } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import type { PasswordStore } from '../ports'
import { type GivenPassword, plainPassword, type VaultPort } from '../vault-wire'
import { EncryptedStore, SealedFile } from './encrypted-store'
import { JournalFile } from './journal-file'
import type { SealedValue } from './sealed-values'

const ATTESTED_RULES = 'ruleset_sha256'

interface VaultOptions {
  readonly configDir: string
  readonly port: VaultPort
  /** What `vaultOpen` gave. */
  readonly opened: { readonly folder: string; readonly scriptKey: Uint8Array; readonly auditKey: Uint8Array }
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
  /** Version that the sealed heads of audit logs vouch for; null = none does. See JournalFile. */
  readonly vouched: (configDir: string, auditKey: Uint8Array) => number | null
}

/** An account's password to store, and what proves that it may be. */
interface PasswordChange {
  /** `0x` and 40 hex digits in any case */
  readonly address: string
  readonly password: GivenPassword
  readonly master: GivenPassword
  /** The key file that has to open with it; null = that was tried. */
  readonly keyFile: string | null
}

export class Vault implements PasswordStore {
  readonly path: string
  readonly port: VaultPort
  /** Values stored by rule scripts. */
  readonly scriptStorage: EncryptedStore
  /** Policies made in a form and what they have approved. Ours: clef ignores the file. */
  readonly journal: JournalFile
  /** 32 bytes, seals the heads of this vault's audit logs. */
  readonly auditKey: Uint8Array
  readonly #credentials: SealedFile
  readonly #config: SealedFile
  /** Of policies as earlier versions of this program stored them. */
  readonly #earlier: string

  constructor({ configDir, port, opened, randomBytes, clock, vouched }: VaultOptions) {
    const { folder, scriptKey, auditKey } = opened
    this.path = join(configDir, folder)
    this.port = port
    this.auditKey = auditKey
    this.#credentials = new SealedFile(join(this.path, 'credentials.json'))
    this.#config = new SealedFile(join(this.path, 'config.json'))
    this.#earlier = join(this.path, 'policies.json')
    this.scriptStorage = new EncryptedStore({ file: join(this.path, 'jsstorage.json'), key: scriptKey, randomBytes })
    this.journal = new JournalFile({
      file: join(this.path, 'policies.log'),
      clock,
      vouched: () => vouched(configDir, auditKey),
      reader: {
        read: async (text, version) =>
          port.call('journalRead', { text, earlier: text === '' ? await this.#earlierText() : null, vouched: version }),
      },
    })
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  storedFor(address: string): Promise<SealedValue | null> {
    return this.#credentials.get(checksumAddress(address))
  }

  /**
   * @param record before it is stored, once everything is proven
   * @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE, KeystoreError as opening the key file
   */
  async storePassword(
    { address, password, master, keyFile }: PasswordChange,
    record: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const lower = address.toLowerCase()
    const change = changeText({ change: 'store', address: lower })
    await this.prove(change, master)
    const { value } = await this.port.call('vaultStore', { change, keyFile, address: lower, ...handed({ password }) })
    await record()
    await this.#credentials.change(new Map([[checksumAddress(address), value]]))
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  forgetPassword(address: string): Promise<void> {
    return this.#credentials.change(new Map([[checksumAddress(address), null]]))
  }

  /** The attested script; null when there is none. @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER */
  async attestedRules(): Promise<AttestedScript | null> {
    const value = await this.#config.get(ATTESTED_RULES)
    if (value === null) return null
    const { script, fault } = await this.journal.written(() => this.port.call('vaultAttested', { value }))
    if (script === null) throw this.#config.unusable(ATTESTATION_FAULTS[fault])
    return script
  }

  /**
   * @param sha256 64 hex digits @param record as for storePassword
   * @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER
   */
  async attestRules(
    { sha256, ...cap }: AttestedScript,
    master: GivenPassword,
    record: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const change = changeText({ change: 'attest', sha256: sha256.toLowerCase(), ...cap })
    await this.prove(change, master)
    await record()
    await this.journal.exclusive(async (write) => {
      const { value, made } = await this.port.call('vaultAttest', { change })
      await write(made)
      await this.#config.change(new Map([[ATTESTED_RULES, value]]))
    })
  }

  /** Accepts an older journal. @returns its version before @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE */
  async restore(master: GivenPassword): Promise<number> {
    const change = changeText({ change: 'restore' })
    await this.prove(change, master)
    return this.journal.restore((text, vouched) => this.port.call('journalRestore', { change, text, vouched }))
  }

  /** @throws VaultError SIGNER_MASTER_PASSWORD, KeystoreError KEYSTORE_APPROVAL_*, KEYSTORE_TOO_MANY_TRIES */
  async prove(change: string, master: GivenPassword): Promise<void> {
    await this.port.call('vaultProve', { change, ...handed({ password: master }) })
  }

  async #earlierText(): Promise<string | null> {
    try {
      return await readFile(this.#earlier, 'utf8')
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return null
      throw new SealedFile(this.#earlier).unusable(messageOf(cause), cause)
    }
  }
}

const ATTESTATION_FAULTS = {
  changed: 'the attestation was changed or belongs to another vault',
  other:
    'it allows another script than this program allowed last: an older file was put back, or another program allowed one; allow the script again',
}

/** A copy of a given password that the port may wipe; the caller wipes its own. */
export function handed({ password }: { readonly password: GivenPassword }): { readonly password: GivenPassword } {
  if (password.kind !== 'plain') return { password }
  return { password: plainPassword(secretCopy(password.password)) }
}
