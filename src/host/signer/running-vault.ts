// The vault of a running signer, which can be opened and closed in a window: the master password is requested at
// startup if someone can be asked on the standard streams, and later by the user. While it is closed no stored password
// is available and no rule decides.
import { randomBytes } from 'node:crypto'
import type { AttestedScript } from '../../base/approvals'
import { wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { VaultView } from '../../contract/signer-tools'
import type { AuditKnowledge } from '../../signer/audit/audit-check'
import { readHead } from '../../signer/audit/audit-head'
import { VaultError } from '../../signer/errors'
import type { OpenedVault, OpenVault, PolicyChain, VaultAudit } from '../../signer/ports'
import { type DryRunRow, dryRun } from '../../signer/rules/dry-run'
import { parsePolicies, type VersionedPolicy } from '../../signer/rules/policy'
import type { PolicyList, PolicyMatches } from '../../signer/rules/policy-list'
import { readRules } from '../../signer/rules/rule-script'
import type { SignerService } from '../../signer/signer-service'
import { hasMasterSeed } from '../../signer/vault/master-seed'
import { openVault, openVaultAtStart } from '../../signer/vault/open-vault'
import type { Vault } from '../../signer/vault/vault'
import type { GivenPassword, VaultPort } from '../../signer/vault-wire'
import type { TradesDeps } from '../trades-deps'
import { auditHead, openedVault, vaultPlace } from './create-vault'
import { KeyConfinement } from './open-keys'
import { attestDetail, initVaultIn } from './vault-commands'

type VaultState = Omit<VaultView, 'takenAt'>

interface VaultSession {
  readonly vault: Vault
  readonly policies: PolicyList
}

export class RunningVault {
  readonly events = new Emitter<{ changed: null }>()
  /** Of the key worker that gets its passwords. */
  readonly confinement = new KeyConfinement()
  #audit: VaultAudit = { record: async () => undefined, seal: async () => undefined }
  #room: VaultSession | null = null

  /**
   * @param signer the vault's owner; looked up when the vault is opened or closed in a window
   * @param chain what policies ask of the own node
   */
  constructor(
    private readonly deps: TradesDeps,
    private readonly signer: () => SignerService,
    private readonly chain?: PolicyChain,
  ) {}

  readonly openAtStart: OpenVault = async (input, audit, port) => {
    const { config, logs } = this.deps
    const log = logs.logger.child({ module: 'signer' })
    this.#audit = audit
    const vault =
      input === null
        ? null
        : await openVaultAtStart(vaultPlace(config), { input, log, port, randomBytes, clock: this.deps.clock })
    if (vault !== null) return this.#opened(vault)
    if (config.signer.rules !== null) log.warn('rules are not used: the vault that attests them is locked')
    this.#room = null
    this.events.emit('changed', null)
    return { passwords: null, rules: null }
  }

  async state(): Promise<VaultState> {
    const { config } = this.deps
    const rules = await this.#rules()
    if (this.#room === null) {
      const isThere = await hasMasterSeed(vaultPlace(config).seedFile)
      return { state: isThere ? 'closed' : 'missing', stored: [], rules }
    }
    return { state: 'open', stored: await this.#storedAccounts(this.#room.vault), rules }
  }

  /** Creates the master seed and opens the vault. @param password its bytes are wiped @throws as initVault */
  async init(password: GivenPassword): Promise<void> {
    try {
      await initVaultIn(this.deps, password, this.#port)
      await this.#audit.record({ type: 'settings', what: 'init', detail: {} })
    } catch (error) {
      if (password.kind === 'plain') wipe(password.password)
      throw error
    }
    await this.unlock(password)
  }

  /** @param password its bytes are wiped @throws as openVault */
  async unlock(password: GivenPassword): Promise<void> {
    const { config, clock } = this.deps
    await this.#use(await openVault(vaultPlace(config), password, { port: this.#port, randomBytes, clock }))
  }

  lock(): void {
    if (this.#room !== null) void this.#room.vault.port.call('vaultClose', {}).catch(() => undefined)
    this.#forget()
  }

  /** The key worker has ended, and with it the vault's keys. */
  keysLost(): void {
    if (this.#room === null) return
    this.deps.logs.logger.child({ module: 'signer' }).warn('the key process ended: the vault is locked')
    this.#forget()
  }

  #forget(): void {
    this.#room = null
    this.signer().useVault({ passwords: null, rules: null })
    this.events.emit('changed', null)
  }

  get #port(): VaultPort {
    return this.signer().vaultKeys
  }

  /**
   * Stores an account's password, which must open it, or removes the stored one.
   * @param given the password and the master password, for the change `store`; the caller wipes their bytes
   * @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE, SIGNER_MASTER_NEEDED; as AccountManager.keyFileOf
   */
  async setPassword(
    address: string,
    given: { readonly password: GivenPassword; readonly master: GivenPassword } | null,
  ): Promise<void> {
    const { vault } = this.#present()
    const what = given === null ? 'delpw' : 'setpw'
    const record = (): Promise<void> =>
      this.#audit.record({ type: 'settings', what, detail: { address: checksumAddress(address) } })
    if (given === null) {
      await record()
      await vault.forgetPassword(address)
    } else {
      const keyFile = await this.signer().accountManager.keyFileOf(address)
      await vault.storePassword({ address, ...given, keyFile }, record)
    }
    this.events.emit('changed', null)
  }

  /**
   * Allows the script named at startup, provided its hash is still the one displayed.
   * @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_RULES_UNREADABLE, SIGNER_RULES_NOT_ATTESTED
   */
  async attest({ sha256, ...cap }: AttestedScript, master: GivenPassword): Promise<void> {
    const { vault } = this.#present()
    const file = this.deps.config.signer.rules ?? ''
    const found = await readRules(file)
    if (found.sha256 !== sha256) throw new VaultError('SIGNER_RULES_NOT_ATTESTED', { file, sha256: found.sha256 })
    const detail = attestDetail({ sha256, ...cap })
    await vault.attestRules({ sha256, ...cap }, master, () =>
      this.#audit.record({ type: 'settings', what: 'attest', detail }),
    )
    await this.#audit.seal()
    await this.#use(vault)
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  async policies(): Promise<readonly VersionedPolicy[]> {
    return this.#present().policies.versioned()
  }

  /**
   * @param was the version it was based on; null = new
   * @param master for exactly this change; null = none, which only narrows
   * @throws as policies, VaultError SIGNER_POLICY_CHANGED, SIGNER_MASTER_NEEDED, SignerError SIGNER_AUDIT_UNWRITABLE
   */
  async putPolicy(
    value: unknown,
    was: string | null,
    master: GivenPassword | null,
  ): Promise<readonly VersionedPolicy[]> {
    const policies = await this.#present().policies.put(value, was, master)
    this.events.emit('changed', null)
    return policies
  }

  /** @throws as putPolicy */
  async removePolicy(id: string, was: string): Promise<readonly VersionedPolicy[]> {
    const policies = await this.#present().policies.remove(id, was)
    this.events.emit('changed', null)
    return policies
  }

  /** How often each policy has approved. @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE */
  async policyMatches(): Promise<readonly PolicyMatches[]> {
    return this.#present().policies.matches()
  }

  /**
   * The script named at startup, for reading; its hash is of exactly this text. Null without one.
   * @throws VaultError SIGNER_RULES_UNREADABLE
   */
  async rulesText(): Promise<{ readonly file: string; readonly sha256: string; readonly source: string } | null> {
    const file = this.deps.config.signer.rules
    return file === null ? null : { file, ...(await readRules(file)) }
  }

  /** @throws VaultError SIGNER_POLICY_INVALID */
  dryRun(value: unknown): Promise<readonly DryRunRow[]> {
    return dryRun(parsePolicies(value), this.deps.config.signer.auditLog)
  }

  /** What reveals missing records in the log. @throws Error of the file system */
  auditKnowledge(): AuditKnowledge {
    return { head: readHead(auditHead(this.deps.config)), key: this.#room?.vault.auditKey ?? null }
  }

  async #use(vault: Vault): Promise<void> {
    this.signer().useVault(await this.#opened(vault))
  }

  async #opened(vault: Vault): Promise<OpenedVault> {
    const { policies, ...opened } = await openedVault(
      this.deps,
      { vault, confinement: this.confinement },
      this.#audit,
      this.chain,
    )
    this.#room = { vault, policies }
    this.events.emit('changed', null)
    return opened
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED */
  #present(): VaultSession {
    if (this.#room === null) throw new VaultError('SIGNER_VAULT_CLOSED', undefined)
    return this.#room
  }

  async #storedAccounts(vault: Vault): Promise<string[]> {
    const addresses = [...this.signer().addresses()].map(checksumAddress)
    const found = await Promise.all(
      addresses.map(async (address) => ((await vault.storedFor(address)) === null ? [] : [address])),
    )
    return found.flat()
  }

  async #rules(): Promise<VaultState['rules']> {
    const { config, logs } = this.deps
    const file = config.signer.rules
    if (file === null) return null
    try {
      const { sha256 } = await readRules(file)
      const { script, isOther } = await this.#attested()
      const cap = script?.sha256 === sha256 ? { signatures: script.signatures, wei: script.wei } : null
      return { file, sha256, cap, isOther }
    } catch (error) {
      logs.logger.child({ module: 'signer' }).warn('rules cannot be shown', { reason: messageOf(error) })
      return null
    }
  }

  /** `isOther`: the file can't be used, so no script is. */
  async #attested(): Promise<{ readonly script: AttestedScript | null; readonly isOther: boolean }> {
    try {
      return { script: (await this.#room?.vault.attestedRules()) ?? null, isOther: false }
    } catch (error) {
      this.deps.logs.logger.child({ module: 'signer' }).warn('no script is allowed', { reason: messageOf(error) })
      return { script: null, isOther: hasCode(error, 'SIGNER_VAULT_UNUSABLE') }
    }
  }
}
