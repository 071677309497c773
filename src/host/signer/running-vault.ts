// The vault of a running signer, which can be opened and closed in a window: the master password is requested at
// startup if someone can be asked on the standard streams, and later by the user. While it is closed no stored password
// is available and no rule decides.
import { randomBytes } from 'node:crypto'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { AuditKnowledge } from '../../signer/audit/audit-check'
import { readHead } from '../../signer/audit/audit-head'
import { VaultError } from '../../signer/errors'
import type { OpenedVault, OpenVault, PolicyChain, VaultAudit } from '../../signer/ports'
import { type DryRunRow, dryRun } from '../../signer/rules/dry-run'
import { parsePolicies, type VersionedPolicy } from '../../signer/rules/policy'
import type { PolicyMatches } from '../../signer/rules/policy-list'
import { readRules } from '../../signer/rules/rule-script'
import type { SignerService } from '../../signer/signer-service'
import { hasMasterSeed } from '../../signer/vault/master-seed'
import { openVault, openVaultAtStart } from '../../signer/vault/open-vault'
import type { Vault } from '../../signer/vault/vault'
import type { TradesDeps } from '../trades-deps'
import { auditHead, openedVault, vaultPlace } from './create-vault'
import { KeyConfinement } from './open-keys'
import { initVault } from './vault-commands'

interface VaultState {
  readonly state: 'missing' | 'closed' | 'open'
  /** EIP-55 spelling; empty while closed. */
  readonly stored: readonly string[]
  /** The script file named at startup; null without one, or when it can't be read. */
  readonly rules: { readonly file: string; readonly sha256: string; readonly isAttested: boolean } | null
}

interface VaultSession {
  readonly vault: Vault
  readonly opened: OpenedVault
}

export class RunningVault {
  readonly events = new Emitter<{ changed: null }>()
  /** Of the key worker that gets its passwords. */
  readonly confinement = new KeyConfinement()
  readonly #deps: TradesDeps
  readonly #signer: () => SignerService
  readonly #chain: PolicyChain | undefined
  #audit: VaultAudit = { record: async () => undefined, seal: async () => undefined }
  #room: VaultSession | null = null

  /**
   * @param signer the vault's owner; looked up when the vault is opened or closed in a window
   * @param chain what policies ask of the own node
   */
  constructor(deps: TradesDeps, signer: () => SignerService, chain?: PolicyChain) {
    this.#deps = deps
    this.#signer = signer
    this.#chain = chain
  }

  /** For the signer's start. */
  readonly openAtStart: OpenVault = async (input, audit) => {
    const { config, logs } = this.#deps
    const log = logs.logger.child({ module: 'signer' })
    this.#audit = audit
    const vault =
      input === null
        ? null
        : await openVaultAtStart(vaultPlace(config), { input, log, randomBytes, clock: this.#deps.clock })
    const opened = await openedVault(this.#deps, { vault, confinement: this.confinement }, audit, this.#chain)
    this.#room = vault === null ? null : { vault, opened }
    this.events.emit('changed', null)
    return opened
  }

  async state(): Promise<VaultState> {
    const { config } = this.#deps
    const rules = await this.#rules()
    if (this.#room === null) {
      const isThere = await hasMasterSeed(vaultPlace(config).seedFile)
      return { state: isThere ? 'closed' : 'missing', stored: [], rules }
    }
    return { state: 'open', stored: await this.#storedAccounts(this.#room.vault), rules }
  }

  /** Creates the master seed and opens the vault. @param password UTF-8 bytes, wiped @throws as initVault */
  async init(password: Uint8Array): Promise<void> {
    try {
      await initVault(this.#deps, password)
      await this.#audit.record({ type: 'settings', what: 'init', detail: {} })
    } catch (error) {
      password.fill(0)
      throw error
    }
    await this.unlock(password)
  }

  /** @param password UTF-8 bytes, wiped @throws VaultError as openMasterSeed */
  async unlock(password: Uint8Array): Promise<void> {
    const vault = await openVault(vaultPlace(this.#deps.config), password, { randomBytes, clock: this.#deps.clock })
    await this.#use(vault)
  }

  lock(): void {
    this.#room = null
    this.#signer().useVault({ passwords: null, rules: null })
    this.events.emit('changed', null)
  }

  /**
   * Stores an account's password, which must open it, or removes the stored one.
   * @param password UTF-8 bytes; the caller wipes them
   * @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE; as AccountManager.prove
   */
  async setPassword(address: string, password: Uint8Array | null): Promise<void> {
    const { vault } = this.#present()
    if (password !== null) await this.#signer().accountManager.prove(address, password)
    const what = password === null ? 'delpw' : 'setpw'
    await this.#audit.record({ type: 'settings', what, detail: { address: checksumAddress(address) } })
    await vault.storePassword(address, password)
    this.events.emit('changed', null)
  }

  /**
   * Allows the script named at startup, provided its hash is still the one displayed.
   * @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_RULES_UNREADABLE, SIGNER_RULES_NOT_ATTESTED
   */
  async attest(sha256: string): Promise<void> {
    const { vault } = this.#present()
    const file = this.#deps.config.signer.rules ?? ''
    const found = await readRules(file)
    if (found.sha256 !== sha256) throw new VaultError('SIGNER_RULES_NOT_ATTESTED', { file, sha256: found.sha256 })
    await this.#audit.record({ type: 'settings', what: 'attest', detail: { sha256 } })
    await vault.attestRules(sha256)
    await this.#use(vault)
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  async policies(): Promise<readonly VersionedPolicy[]> {
    return (await this.#present().opened.policies?.versioned()) ?? []
  }

  /**
   * @param was the version it was based on; null = new
   * @throws as policies, VaultError SIGNER_POLICY_CHANGED, SignerError SIGNER_AUDIT_UNWRITABLE
   */
  async putPolicy(value: unknown, was: string | null): Promise<readonly VersionedPolicy[]> {
    const policies = await this.#present().opened.policies?.put(value, was)
    this.events.emit('changed', null)
    return policies ?? []
  }

  /** @throws as putPolicy */
  async removePolicy(id: string, was: string): Promise<readonly VersionedPolicy[]> {
    const policies = await this.#present().opened.policies?.remove(id, was)
    this.events.emit('changed', null)
    return policies ?? []
  }

  /** How often each policy has approved. @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE */
  async policyMatches(): Promise<readonly PolicyMatches[]> {
    return (await this.#present().opened.policies?.matches()) ?? []
  }

  /**
   * The script named at startup, for reading; its hash is of exactly this text. Null without one.
   * @throws VaultError SIGNER_RULES_UNREADABLE
   */
  async rulesText(): Promise<{ readonly file: string; readonly sha256: string; readonly source: string } | null> {
    const file = this.#deps.config.signer.rules
    return file === null ? null : { file, ...(await readRules(file)) }
  }

  /** @throws VaultError SIGNER_POLICY_INVALID */
  dryRun(value: unknown): Promise<readonly DryRunRow[]> {
    return dryRun(parsePolicies(value), this.#deps.config.signer.auditLog)
  }

  /** What reveals missing records in the log. @throws Error of the file system */
  auditKnowledge(): AuditKnowledge {
    return { head: readHead(auditHead(this.#deps.config)), key: this.#room?.vault.auditKey ?? null }
  }

  async #use(vault: Vault): Promise<void> {
    const opened = await openedVault(this.#deps, { vault, confinement: this.confinement }, this.#audit, this.#chain)
    this.#room = { vault, opened }
    this.#signer().useVault(opened)
    this.events.emit('changed', null)
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED */
  #present(): VaultSession {
    if (this.#room === null) throw new VaultError('SIGNER_VAULT_CLOSED', undefined)
    return this.#room
  }

  async #storedAccounts(vault: Vault): Promise<readonly string[]> {
    const addresses = [
      ...new Set(
        this.#signer()
          .accounts()
          .accounts.map(({ address }) => address),
      ),
    ]
    const found = await Promise.all(
      addresses.map(async (address) => {
        const password = await vault.passwordOf(address)
        password?.fill(0)
        return password === null ? [] : [address]
      }),
    )
    return found.flat()
  }

  async #rules(): Promise<VaultState['rules']> {
    const { config, logs } = this.#deps
    const file = config.signer.rules
    if (file === null) return null
    try {
      const { sha256 } = await readRules(file)
      return { file, sha256, isAttested: (await this.#room?.vault.attestedRules()) === sha256 }
    } catch (error) {
      logs.logger.child({ module: 'signer' }).warn('rules cannot be shown', { reason: messageOf(error) })
      return null
    }
  }
}
