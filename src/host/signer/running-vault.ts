// The key worker and the vault of a running signer. The vault can be opened and closed in a window: the master password is
// requested at startup if someone can be asked on the standard streams, and later by the user. While it is closed no
// stored password is available and no rule decides.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { AttestedScript } from '../../base/approvals'
import { wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { formatDecimal } from '../../base/units'
import type { Transport } from '../../base/wire/define'
import type { VaultView } from '../../contract/signer-tools'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { denyDumps } from '../../native/system/system-calls'
import { isKeyUseAllowed } from '../../old-electron/old-electron'
import type { AuditKnowledge } from '../../signer/audit/audit-check'
import { headFileOf, readHead, vouchedVersion } from '../../signer/audit/audit-head'
import { KeystoreError, VaultError } from '../../signer/errors'
import type { OpenedVault, OpenVault, PasswordStore, PolicyChain, VaultAudit } from '../../signer/ports'
import { type DryRunRow, dryRun, parsePolicies } from '../../signer/rules/policy-match'
import { openRuleScript, PolicyList, Rules, RulesClient, readRules } from '../../signer/rules/rules'
import type { SignerService } from '../../signer/signer-service'
import {
  createMasterSeed,
  hasMasterSeed,
  openVault,
  openVaultAtStart,
  type Vault,
  type VaultPlace,
} from '../../signer/vault/vault'
import type { GivenPassword, VaultPort } from '../../signer/vault-wire'
import { HostError } from '../errors'
import { DataDirLock } from '../system/lock'
import type { TradesDeps } from '../trades-deps'
import { type Confinement, openKeyProcess } from '../workers/key-process'
import { openTradeWorker } from '../workers/worker-host'

/** Whether the signer's key worker is confined: what it last said, or why it said nothing. */
export class KeyConfinement {
  readonly events = new Emitter<{ changed: null }>()
  #last: Confinement | null = null

  readonly tell = (confinement: Confinement): void => {
    this.#last = confinement
    this.events.emit('changed', null)
  }

  /** Why the key worker isn't confined; null when it is, or when none has started. */
  readonly lack = (): string | null => (this.#last === null || this.#last.confined ? null : this.#last.reason)

  /** Waits until a key worker has said it, or has failed to. */
  known(): Promise<Confinement> {
    if (this.#last !== null) return Promise.resolve(this.#last)
    return new Promise((resolve) => {
      const listening = this.events.on('changed', () => {
        listening.dispose()
        if (this.#last !== null) resolve(this.#last)
      })
    })
  }
}

/**
 * The vault's passwords, for a confined key worker only: one that isn't could send out what it is given, without anybody
 * at the keyboard. @param allowed `--signer.unconfined`
 */
export function passwordsFor(
  confinement: KeyConfinement,
  vault: PasswordStore,
  { allowed, log }: { readonly allowed: boolean; readonly log: Logger },
): PasswordStore {
  return {
    storedFor: async (address) => {
      const { confined, reason } = allowed ? { confined: true, reason: '' } : await confinement.known()
      if (confined) return vault.storedFor(address)
      log.warn('a stored password is not used: the key worker is not confined; --signer.unconfined allows it', {
        reason,
      })
      return null
    },
  }
}

/**
 * Starts one; after a lost one, another.
 * @param electron version of the running Electron; undefined in plain Node
 * @returns a function that throws KeystoreError KEYSTORE_OLD_ELECTRON when this network's keys may not be opened
 */
export function keyWorkers(
  { config, platform, clock }: TradesDeps,
  log: Logger,
  {
    electron = process.versions.electron,
    confinement,
  }: { readonly electron?: string | undefined; readonly confinement?: KeyConfinement } = {},
): () => Transport {
  // Passwords pass through this process.
  const reason = denyDumps(platform.projectRoot)
  if (reason !== '') log.warn('this process can leave core files, with passwords that pass through it', { reason })
  const { network } = config.app
  const { chainId } = config.signer
  return () => {
    if (!isKeyUseAllowed(electron, { network, chainId })) {
      const refusal = new KeystoreError('KEYSTORE_OLD_ELECTRON', { version: electron ?? '' })
      confinement?.tell({ confined: false, reason: refusal.message })
      throw refusal
    }
    return openKeyProcess({
      entry: join(platform.workerDir, 'key-worker.cjs'),
      searchFrom: platform.projectRoot,
      start: platform.startProcess,
      log,
      clock,
      onConfined: confinement?.tell,
    })
  }
}

export function vaultPlace({ signer }: TradesDeps['config']): VaultPlace {
  const { configDir, signerSecret, auditLog } = signer
  return {
    configDir,
    seedFile: signerSecret ?? join(configDir, 'masterseed.json'),
    // Without an audit log there is no head that could vouch for anything.
    vouched: (folder, key) => vouchedVersion(folder, key) ?? (auditLog === '' ? 0 : null),
  }
}

/**
 * One signer per vault and per audit log: two of them would each reject the other's open requests as left open. None for
 * a command that runs beside a signer.
 */
export function signerLocks({ command, signer, trades }: TradesDeps['config']): readonly Service[] {
  const { configDir, auditLog } = signer
  if (!trades.signer || !ownsAuditLog(command)) return []
  const lock = (name: string, file: string, what: string, option: string): Service => {
    const dir = dirname(file)
    const inUse = (pid: number): Error => new HostError('HOST_SIGNER_IN_USE', { what, pid, option })
    const held = new DataDirLock({ dir, file, pid: process.pid, inUse, mayBeReadOnly: true })
    return {
      name,
      start: () => {
        makeOwnerFolder(dir)
        return held.start()
      },
      stop: () => held.stop(),
    }
  }
  const ofVault = lock('vault-lock', join(configDir, 'signer.lock'), `the vault in ${configDir}`, '--signer.configdir')
  return auditLog === ''
    ? [ofVault]
    : [ofVault, lock('audit-lock', `${auditLog}.owner`, `the audit log ${auditLog}`, '--signer.auditlog')]
}

/** Whether this run is the only one with requests in its audit log. */
export function ownsAuditLog(command: TradesDeps['config']['command']): boolean {
  return command === 'run' || command === 'signer' || command === 'node'
}

export function auditHead({ signer }: TradesDeps['config']): string {
  return headFileOf(signer.configDir, signer.auditLog)
}

type VaultState = Omit<VaultView, 'takenAt'>

interface VaultSession {
  readonly vault: Vault
  readonly policies: PolicyList
}

export class RunningVault {
  readonly events = new Emitter<{ changed: null }>()
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
    const { config, clock } = this.deps
    const log = this.#log
    this.#audit = audit
    const opening = { input, log, port, randomBytes, clock }
    const vault = input === null ? null : await openVaultAtStart(vaultPlace(config), { ...opening, input })
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
    this.#log.warn('the key process ended: the vault is locked')
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

  /** If its hash is still the one displayed. @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_RULES_* */
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

  /** @throws VaultError SIGNER_VAULT_CLOSED */
  get policies(): PolicyList {
    return this.#present().policies
  }

  /** The script named at startup, for reading. Null without one. @throws VaultError SIGNER_RULES_UNREADABLE */
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

  /** What the signer uses of an open vault: stored passwords, the attested script, policies. */
  async #opened(vault: Vault): Promise<OpenedVault> {
    const { config, clock } = this.deps
    const log = this.#log
    const minLevel = config.app.logLevel
    const runner = new RulesClient(() => openTradeWorker(this.deps, 'rules', { log, minLevel }), { clock })
    const { rules: file, unconfined: allowed } = config.signer
    const script = file === null ? null : await openRuleScript(file, vault, { runner, clock, log })
    // Started ahead of the first question; nobody waits for it here.
    if (script !== null) void runner.warm()
    const policies = new PolicyList({ vault, clock, log, ...this.#audit, chain: this.chain })
    const rules = new Rules({ script, policies, log, record: this.#audit.record })
    this.#room = { vault, policies }
    this.events.emit('changed', null)
    return {
      passwords: passwordsFor(this.confinement, vault, { allowed, log }),
      rules,
      auditKey: vault.auditKey,
      version: () => vault.journal.version,
      close: async () => {
        runner.close()
        await rules.settled()
        await vault.journal.settled()
      },
    }
  }

  get #log(): Logger {
    return this.deps.logs.logger.child({ module: 'signer' })
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
    const file = this.deps.config.signer.rules
    if (file === null) return null
    try {
      const { sha256 } = await readRules(file)
      const { script, isOther } = await this.#attested()
      const cap = script?.sha256 === sha256 ? { signatures: script.signatures, wei: script.wei } : null
      return { file, sha256, cap, isOther }
    } catch (error) {
      this.#log.warn('rules cannot be shown', { reason: messageOf(error) })
      return null
    }
  }

  /** `isOther`: the file can't be used, so no script is. */
  async #attested(): Promise<{ readonly script: AttestedScript | null; readonly isOther: boolean }> {
    try {
      return { script: (await this.#room?.vault.attestedRules()) ?? null, isOther: false }
    } catch (error) {
      this.#log.warn('no script is allowed', { reason: messageOf(error) })
      return { script: null, isOther: hasCode(error, 'SIGNER_VAULT_UNUSABLE') }
    }
  }
}

export async function initVaultIn({ config }: TradesDeps, password: GivenPassword, port: VaultPort): Promise<string> {
  const { configDir, seedFile } = vaultPlace(config)
  makeOwnerFolder(configDir)
  const strength = config.signer.lightKdf ? 'light' : 'standard'
  await createMasterSeed({ file: seedFile, password, strength, port })
  return seedFile
}

export function attestDetail({ sha256, signatures, wei }: AttestedScript): Readonly<Record<string, string>> {
  return { sha256: sha256.toLowerCase(), signatures: String(signatures), lax: formatDecimal(BigInt(wei)) }
}
