// Assembles the signer: keystore, key worker, queue, audit log, external API; and what the host may use of it.
import { z } from 'zod'
import { checksumAddress } from '../base/checksum-address'
import { messageOf } from '../base/errors'
import { Emitter } from '../base/events'
import type { LowerAddress } from '../base/hex'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import { onAbort } from '../base/on-abort'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { AuditEntry } from './audit/audit-entry'
import type { AuditMark } from './audit/audit-head'
import { AuditLog } from './audit/audit-log'
import { knownMarket, type MarketPort } from './checks/fee-rules'
import { DescriptorFolder } from './descriptors/descriptor-folder'
import { SignerError } from './errors'
import { AccountCalls } from './external/account-calls'
import { CallerProcesses } from './external/caller-process'
import { CheckWorker, type CheckWorkerDeps } from './external/check-worker'
import { SignerHttp, type SignerHttpOptions } from './external/http'
import { SignerIpc, type SignerIpcOptions } from './external/ipc'
import type { ExternalCall } from './external/json-rpc'
import { hostAndPort, startupInfo } from './external/startup-info'
import type { HardwareKeys } from './hardware/hardware-keys'
import type { HardwareAccount } from './hardware/hardware-wallet'
import { AccountManager } from './keystore/account-manager'
import { type AccountMaker, createAccount, type StoredAccount } from './keystore/create-account'
import { KeyFolder, type KeyProblem } from './keystore/folder'
import type { KdfStrength } from './keystore/kdf'
import { KeptAccounts } from './keystore/kept-accounts'
import { KeyClient } from './keystore/key-client'
import { type SignerMetrics, signerMetrics } from './metrics'
import type { Finding } from './model/findings'
import type { Caller, Decision, DecisionOutcome, SignerRequest } from './model/request'
import type { OpenedVault, OpenVault, RequestPreview, VaultAudit } from './ports'
import { RequestRouter } from './request-router'
import { RequestQueue } from './requests/queue'
import { createAsking, newAccountRequest } from './requests/request-kinds'
import { openRecord } from './requests/unfinished-requests'
import { SelectorDatabase, type SelectorOptions } from './selectors/selector-database'
import { type LineChannel, LineUi } from './ui-api/line-ui'
import { UiSelfTest } from './ui-api/self-test'
import { uiCalls } from './ui-api/ui-calls'
import type { VaultPort } from './vault-wire'

export interface SignerServiceOptions {
  /** Folder of the key files; created when missing (mode 0700). */
  readonly keystore: string
  readonly keyListing?: string | null
  /** Bound into every signature. */
  readonly chainId: number
  readonly london: boolean
  /** Encrypts new keys with scrypt N 4096 p 6 instead of N 262144 p 1. */
  readonly lightKdf: boolean
  /** Reject a request with a WARNING or CRITICAL finding instead of displaying it. */
  readonly strict: boolean
  /** Null = no external API over HTTP. */
  readonly http: SignerHttpOptions | null
  /** Null or missing = no local socket. */
  readonly ipc?: SignerIpcOptions | null
  /** Missing: the shipped names, and nothing is learned. */
  readonly selectors?: SelectorOptions
  /** Folder of descriptors (ERC-7730); null or missing: only the shipped ones. */
  readonly descriptors?: string | null
  /** Ask the program on the standard streams every question of the UI API once, after startup. */
  readonly uiSelfTest?: boolean
  readonly approvalTimeoutMs: number
  /** File of the audit log; null = off. */
  readonly auditLog: string | null
  /** Path of the separately stored head of the log; null or missing = none. */
  readonly auditHead?: string | null
  /** True: no other process has requests in that log, so those left open are rejected at startup. */
  readonly ownsAuditLog?: boolean
}

export interface SignerServiceDeps {
  /** Starts a key worker (`serveKeys` on its other end). */
  readonly keys: () => Transport
  /** Starts a check worker (`serveChecks` on its other end); null or missing: all calls are checked on this thread. */
  readonly checks?: Pick<CheckWorkerDeps, 'open' | 'cpuMs'> | null
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly randomBytes: (length: number) => Uint8Array
  /** The approving program on the standard streams; null or missing when a window approves. */
  readonly lines?: LineChannel | null
  /** For that program: what our node says that a request would change. */
  readonly preview?: RequestPreview | undefined
  /** Null or missing without a master seed. */
  readonly openVault?: OpenVault | null
  /** Accounts in devices; null or missing when disabled. */
  readonly hardware?: HardwareKeys | null
  /** Fees to compare with; missing when no node runs beside the signer. */
  readonly market?: MarketPort | undefined
  /** Called with every external request; false: it is rejected without asking. Missing: all are accepted. */
  readonly admits?: ((caller: Caller) => boolean) | undefined
}

/** The caller of `submit`, and the signal that aborts when it stops waiting. */
interface RequestOrigin {
  readonly caller: Caller
  readonly callerGone: AbortSignal
}

/** The keystore's accounts; has the members of the contract's accounts view. */
interface AccountsSnapshot {
  readonly accounts: readonly {
    /** EIP-55 spelling */
    readonly address: string
    readonly file: string
    /** How many files hold this address; an account with more than one can't sign. */
    readonly files: number
    /** The device with the key, and its path; missing when the key is in a file. */
    readonly device?: Pick<HardwareAccount, 'kind' | 'path'>
  }[]
  readonly problems: readonly KeyProblem[]
  readonly keystore: string
}

export interface SignerEvents {
  requestsChanged: readonly SignerRequest[]
  accountsChanged: null
  keptChanged: null
  requestSettled: SignerRequest
  requestRefused: { readonly caller: Caller; readonly findings: readonly Finding[] }
  /** The key worker has ended, and with it whatever it held open. */
  keysLost: null
  queueOverflowed: Caller
}

const POLL_MS = 1_000
/** Between the records of one request, and of the next of a busy caller. */
const AUDIT_LOCK_MS = 20
/** From this many open requests on, callers are told apart by their programs, also without a window. */
const CROWDED = 64
const signedView = z.object({ raw: z.string(), tx: z.record(z.string(), z.unknown()) })

export class SignerService implements Service {
  readonly name = 'signer'
  readonly events = new Emitter<SignerEvents>()
  readonly accountManager: AccountManager
  readonly kept: KeptAccounts
  readonly hardware: HardwareKeys | null
  /** True while the screen is locked or the computer sleeps: timeouts stop meanwhile. */
  readonly setAway = (isAway: boolean): void => {
    if (isAway) this.kept.lockAll()
    this.queue.setAway(isAway)
  }
  readonly queue: RequestQueue
  readonly #folder: KeyFolder
  readonly #keys: KeyClient
  readonly #audit: AuditLog | null
  readonly #http: SignerHttp | null
  readonly #ipc: SignerIpc | null
  readonly #selectors: SelectorDatabase
  readonly #descriptors: DescriptorFolder
  readonly #router: RequestRouter
  readonly #calls: AccountCalls
  /** Null: everything is checked on this thread. */
  readonly #checks: CheckWorker | null
  readonly #lines: LineUi | null
  readonly #selfTest: UiSelfTest | null
  readonly #metrics: SignerMetrics
  readonly #processes = new CallerProcesses()
  readonly #held = new Disposables()
  readonly #never = new AbortController().signal
  #vault: OpenedVault = { passwords: null, rules: null }
  #chainId: bigint
  #running = false

  constructor(
    private readonly options: SignerServiceOptions,
    private readonly deps: SignerServiceDeps,
  ) {
    const { clock, log, randomBytes } = deps
    const record = (entry: AuditEntry): Promise<void> => this.#record(entry)
    this.hardware = deps.hardware ?? null
    this.#chainId = BigInt(options.chainId)
    this.#folder = new KeyFolder(
      { path: options.keystore, pollMs: POLL_MS, listing: options.keyListing ?? null },
      { clock, log, randomBytes },
    )
    this.#keys = new KeyClient(deps.keys)
    this.#keys.onLost = () => this.events.emit('keysLost', null)
    const { auditLog: file, auditHead: headFile = null } = options
    this.#audit = file === null ? null : new AuditLog({ file, headFile, keepLockMs: AUDIT_LOCK_MS }, { clock })
    const { approvalTimeoutMs } = options
    this.queue = new RequestQueue({ approvalTimeoutMs }, { clock, log, randomBytes, record })
    const onChanged = (): void => this.events.emit('keptChanged', null)
    this.kept = new KeptAccounts({ keys: this.#keys, clock, log, record, onChanged })
    this.#selectors = new SelectorDatabase(options.selectors ?? { builtin: 'full', customFile: null }, { log })
    this.#descriptors = new DescriptorFolder(options.descriptors ?? null, { log })
    this.#router = new RequestRouter({
      ...deps,
      queue: this.queue,
      lines: () => this.#lines,
      vault: () => this.#vault,
    })
    this.#checks = this.#buildChecks()
    this.#calls = this.#buildCalls()
    const { handle, readLong } = this.#calls
    this.#http = options.http === null ? null : new SignerHttp(options.http, { handle, readLong, log, clock })
    this.#ipc =
      options.ipc === null || options.ipc === undefined ? null : new SignerIpc(options.ipc, { handle, readLong, log })
    this.#lines = this.#buildLines()
    this.#selfTest =
      options.uiSelfTest === true && this.#lines !== null
        ? new UiSelfTest({ lines: this.#lines, submit: (call, origin) => this.submit(call, origin), clock, log })
        : null
    this.accountManager = new AccountManager({ maker: this.#maker(), record })
    this.#metrics = signerMetrics(deps.metrics, () => this.queue.size)
  }

  /**
   * @throws KeystoreError KEYSTORE_UNREADABLE, SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE,
   * SIGNER_PORT_IN_USE, SIGNER_LISTEN_FAILED
   */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#listen()
    await this.#selectors.load()
    await this.#descriptors.load()
    await this.#openVault(signal)
    signal.throwIfAborted()
    await this.#folder.start()
    const { auditLog, ownsAuditLog = false } = this.options
    if (auditLog !== null && this.#audit !== null) await openRecord(this.#audit, auditLog, ownsAuditLog)
    await this.hardware?.start((entry) => this.#record(entry))
    signal.throwIfAborted()
    this.#keys.open(this.deps.log)
    this.queue.open()
    this.#running = true
    await this.#http?.start()
    await this.#ipc?.start()
    const { keys, problems } = this.#folder.content()
    for (const { file, reason } of problems) this.deps.log.warn('key file cannot be used', { file, reason })
    this.deps.log.info('signer is ready', { accounts: keys.length, http: hostAndPort(this.httpAddress()) })
    await this.#announce()
    this.#selfTest?.start()
  }

  /** Rejects everything that waits; callers get `request denied` before their connections end. */
  async stop(): Promise<void> {
    this.#running = false
    await this.#selfTest?.stop()
    await this.queue.close()
    await this.#http?.stop()
    await this.#ipc?.stop()
    this.#checks?.close()
    this.#lines?.close()
    this.kept.lockAll()
    await this.#selectors.flush()
    await this.#folder.stop()
    this.hardware?.stop()
    await this.#vault.close?.()
    this.#vault = { passwords: null, rules: null }
    this.#keys.close()
    await this.#audit?.close()
    this.#held.dispose()
  }

  /**
   * A call of the external API on behalf of another part of the program: same checks, same questions, same errors.
   * @param call `account_list`, ... with the API's parameters
   * @returns the API's answer: addresses, `{raw, tx}`, a signature
   * @throws SignerError as the external API; SIGNER_REQUEST_DENIED also when `callerGone` aborted
   */
  submit(
    call: { readonly method: string; readonly params: readonly unknown[] },
    origin: RequestOrigin,
  ): Promise<unknown> {
    if (!this.#running) return Promise.reject(new SignerError('SIGNER_NOT_RUNNING', undefined))
    const { method, params } = call
    const text = JSON.stringify(params)
    return this.#calls.handle({ method, parameters: { text, count: params.length, values: params }, ...origin })
  }

  /** @param transaction of `account_signTransaction` @returns the signed bytes, and the object that callers get */
  async signTransaction(
    transaction: Readonly<Record<string, unknown>>,
    origin: RequestOrigin,
  ): Promise<{ readonly raw: string; readonly tx: Readonly<Record<string, unknown>> }> {
    return signedView.parse(await this.submit({ method: 'account_signTransaction', params: [transaction] }, origin))
  }

  /** Everything displayed, oldest first; without queued requests. */
  requests(): readonly SignerRequest[] {
    return this.queue.requests()
  }

  /** The folder's current accounts, followed by device accounts. */
  accounts(): AccountsSnapshot {
    const { keys, problems } = this.#folder.content()
    const counts = new Map<string, number>()
    for (const { address } of keys) counts.set(address, (counts.get(address) ?? 0) + 1)
    const ofFiles = keys.map(({ address, file }) => {
      return { address: checksumAddress(address), file, files: counts.get(address) ?? 0 }
    })
    const others = (this.hardware?.accounts() ?? []).filter(({ address }) => !counts.has(address))
    const ofDevices = others.map(({ kind, address, path }) => {
      return { address: checksumAddress(address), file: '', files: 0, device: { kind, path } }
    })
    return { accounts: [...ofFiles, ...ofDevices], problems, keystore: this.#folder.path }
  }

  /** Of all accounts, each once: thousands of them are spelled only where they are shown. */
  addresses(): ReadonlySet<LowerAddress> {
    const ofFiles = this.#folder.content().keys.map(({ address }) => address)
    return new Set([...ofFiles, ...(this.hardware?.accounts() ?? []).map(({ address }) => address)])
  }

  /** The user's decision; its password is wiped. @throws SignerError SIGNER_DECISION_REFUSED */
  decide(decision: Decision, by: 'window' | 'command' = 'window'): Promise<DecisionOutcome> {
    return this.queue.decide(decision, { by, input: null, answered: null })
  }

  get vaultKeys(): VaultPort {
    return this.#keys.vault
  }

  /** Public key of the key worker, for which pages seal passwords; null with the reason where keys can't be opened. */
  async keyReceiver(): Promise<{ receiver: string | null; reason: string }> {
    try {
      return { receiver: await this.#keys.receiver(), reason: '' }
    } catch (error) {
      return { receiver: null, reason: messageOf(error) }
    }
  }

  /** Replaces the vault, whose rules end: opened or closed in a window. */
  useVault(vault: OpenedVault): void {
    void this.#vault.close?.()
    this.#vault = vault
    this.#audit?.sealWith(vault.auditKey ?? null, vault.version)
  }

  /** Number of records, and hash of the last one; null without an audit log. */
  auditHead(): AuditMark | null {
    return this.#audit?.head ?? null
  }

  rejectAll(): number {
    const { size } = this.queue
    void this.queue.rejectAll()
    return size
  }

  /** A request in the own name, decided like any other. @throws SignerError SIGNER_REQUEST_DENIED, SIGNER_NOT_RUNNING */
  requestNewAccount(caller: Caller): { readonly id: string } {
    if (!this.#running) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
    const { id, result } = this.queue.submit(newAccountRequest(caller, this.#never, this.#newAccountDeps()))
    result.catch((error: unknown) => this.deps.log.debug('own request ended', { id, error: messageOf(error) }))
    return { id }
  }

  /**
   * A new account without asking: only for the host's first start, when nobody can be asked yet.
   * @param password UTF-8 bytes, wiped
   * @param strength of the key file; default: the option's
   * @returns the address in EIP-55 spelling
   * @throws SignerError SIGNER_PASSWORD_POLICY, SIGNER_NOT_RUNNING, KeystoreError KEYSTORE_WRITE_FAILED
   */
  async createAccount(password: Uint8Array, strength?: KdfStrength): Promise<string> {
    try {
      if (!this.#running) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
      const { address, file } = await createAccount(this.#maker(strength), password, this.#never)
      await this.#record({ type: 'created', address, file })
      return checksumAddress(address)
    } finally {
      password.fill(0)
    }
  }

  /** Address of the external API; null while not listening. */
  readonly httpAddress = (): { readonly host: string; readonly port: number } | null => this.#http?.address() ?? null

  readonly ipcPath = (): string | null => this.#ipc?.path() ?? null

  #buildChecks(): CheckWorker | null {
    const { checks = null, clock, log } = this.deps
    if (checks === null) return null
    const { strict, london, selectors, descriptors = null } = this.options
    const settings = { strict, london, builtin: selectors?.builtin ?? 'full', descriptors } as const
    return new CheckWorker(settings, { ...checks, clock, log, names: this.#selectors })
  }

  #buildCalls(): AccountCalls {
    const { london, strict } = this.options
    const { log } = this.deps
    return new AccountCalls(
      { london, strict },
      {
        maker: this.#maker(),
        selectors: this.#selectors,
        descriptors: this.#descriptors,
        checks: this.#checks,
        chainId: () => this.#chainId,
        passwords: () => this.#vault.passwords,
        kept: this.kept,
        hardware: this.hardware,
        submit: (request, recorded) => this.#router.submit(request, recorded),
        showError: (text) => this.#lines?.showError(text),
        assertRoom: (caller) => this.queue.assertRoom(caller),
        recordLine: (line) => this.#recordLine(line),
        refused: (call, findings, error) => this.#refused(call, findings, error),
        processOf: async (caller, { connection, isLong }) =>
          // A scan of the process table costs more than a denied request: only when callers crowd each other.
          this.#lines === null || isLong || this.queue.size >= CROWDED ? this.#processes.of(caller, connection) : null,
        now: () => this.deps.clock.now(),
        market: knownMarket(this.deps.market, this.deps.clock),
        log,
      },
    )
  }

  #buildLines(): LineUi | null {
    const { lines: channel = null } = this.deps
    if (channel === null) return null
    const handle = uiCalls({
      maker: this.#maker(),
      hardware: this.hardware,
      chainId: () => this.#chainId,
      setChainId: async (chainId) => {
        const detail = { from: this.#chainId.toString(), to: chainId.toString() }
        await this.#record({ type: 'settings', what: 'chainId', detail })
        this.#chainId = chainId
      },
      createAccount: () => this.#createForUi(),
      imported: ({ address, file }) => this.#record({ type: 'imported', address, file }),
    })
    const { log, preview } = this.deps
    return new LineUi({ channel, queue: this.queue, handle, preview, log })
  }

  async #createForUi(): Promise<StoredAccount> {
    if (this.#lines === null) throw new SignerError('SIGNER_UI_ABSENT', undefined)
    const account = await createAsking(this.#lines, this.#newAccountDeps(), this.#never)
    await this.#record({ type: 'created', address: account.address, file: account.file })
    return account
  }

  async #announce(): Promise<void> {
    const info = startupInfo(this.httpAddress(), this.ipcPath())
    this.#lines?.startedUp(info)
    await this.#vault.rules?.startedUp(info)
  }

  #settled(request: SignerRequest): void {
    this.#metrics.settled.inc(1, { kind: request.kind, state: request.state })
    this.events.emit('requestSettled', request)
  }

  #overflowed(caller: Caller): void {
    this.#metrics.refused.inc(1, { reason: 'queue' })
    this.events.emit('queueOverflowed', caller)
  }

  async #refused({ method, caller }: ExternalCall, findings: readonly Finding[], error: Error): Promise<void> {
    await this.#record({ type: 'refused', method, caller, error: error.message })
    this.#metrics.refused.inc(1, { reason: 'checks' })
    this.deps.log.warn('request refused automatically', { method, caller: caller.remote, reason: error.message })
    this.events.emit('requestRefused', { caller, findings })
  }

  /** @throws SignerError SIGNER_INTERNAL: what can't be recorded isn't done */
  async #recordLine(line: string): Promise<void> {
    try {
      await this.#record({ type: 'call', line })
    } catch (cause) {
      this.deps.log.error('a call could not be recorded', { error: messageOf(cause) })
      throw new SignerError('SIGNER_INTERNAL', undefined, { cause })
    }
  }

  #newAccountDeps() {
    return { maker: this.#maker(), log: this.deps.log, showError: (text: string) => this.#lines?.showError(text) }
  }

  #maker(strength: KdfStrength = this.options.lightKdf ? 'light' : 'standard'): AccountMaker {
    return { folder: this.#folder, keys: this.#keys, strength }
  }

  async #record(entry: AuditEntry): Promise<void> {
    await this.#audit?.append(entry)
  }

  /** Asks for the master password; an aborted start ends the question. */
  async #openVault(signal: AbortSignal): Promise<void> {
    const ending = onAbort(signal, () => this.#lines?.close())
    try {
      this.#lines?.open()
      const audit: VaultAudit = {
        record: (entry) => this.#record(entry),
        seal: async () => this.#audit?.seal(),
      }
      this.#vault = (await this.deps.openVault?.(this.#lines, audit, this.vaultKeys)) ?? this.#vault
      this.#audit?.sealWith(this.#vault.auditKey ?? null, this.#vault.version)
    } finally {
      ending.dispose()
    }
  }

  #listen(): void {
    const { events: queue } = this.queue
    this.#held.add(queue.on('shown', (shown) => void this.#router.decide(shown)))
    this.#held.add(queue.on('changed', (requests) => this.events.emit('requestsChanged', requests)))
    this.#held.add(queue.on('settled', (request) => this.#settled(request)))
    this.#held.add(queue.on('overflowed', (caller) => this.#overflowed(caller)))
    const tellAccounts = (): void => this.events.emit('accountsChanged', null)
    this.#held.add(this.#folder.events.on('contentChanged', tellAccounts))
    if (this.hardware !== null) this.#held.add(this.hardware.events.on('changed', tellAccounts))
  }
}
