// Puts the signer together: keystore, key worker, queue, record, and the external API; and what the host may ask of
// it.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../base/errors'
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import { bracketed } from '../config/network-address'
import { checksumAddress, type LowerAddress } from './address'
import { type AuditEntry, AuditLog } from './audit/audit-log'
import { type Finding, refusals } from './checks/findings'
import { checkTransaction } from './checks/transaction-rules'
import { SignerError } from './errors'
import { SignerHttp, type SignerHttpOptions } from './external/http'
import type { ExternalCall } from './external/json-rpc'
import { externalMethods } from './external/methods'
import { type AccountMaker, createAccount } from './keystore/create-account'
import { type KeyEntry, KeyFolder, type KeyProblem } from './keystore/folder'
import { KeyClient } from './keystore/key-client'
import { type SignerMetrics, signerMetrics } from './metrics'
import { listingRequest } from './requests/listing'
import { newAccountRequest } from './requests/new-account'
import { type NewRequest, RequestQueue } from './requests/queue'
import type { Caller, Decision, DecisionOutcome, SignerRequest } from './requests/request'
import { signTransactionRequest } from './requests/sign-transaction'
import { checkChainId, mergeInput, parseSignTransaction, requireSender } from './transactions/parse'

export interface SignerServiceOptions {
  /** Folder of the key files; made when missing (mode 0700). */
  readonly keystore: string
  /** Bound into every signature. */
  readonly chainId: number
  /** Whether the network accepts dynamic-fee transactions. */
  readonly london: boolean
  /** New keys with scrypt N 4096 p 6 instead of N 262144 p 1. */
  readonly lightKdf: boolean
  /** Refuse a request with a WARNING or CRITICAL finding instead of showing it. */
  readonly strict: boolean
  /** Null = no external API. */
  readonly http: SignerHttpOptions | null
  /** 0 = none. */
  readonly approvalTimeoutMs: number
  /** File of the record; null = off. */
  readonly auditLog: string | null
}

export interface SignerServiceDeps {
  /** Opens a key worker (`serveKeys` on its other end). */
  readonly keys: () => Transport
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  /** Cryptographically strong. */
  readonly randomBytes: (length: number) => Uint8Array
}

/** The keystore's accounts; has the members of the contract's accounts view. */
export interface AccountsSnapshot {
  readonly accounts: readonly {
    /** EIP-55 spelling */
    readonly address: string
    readonly file: string
    /** How many files hold this address; more than one cannot sign. */
    readonly files: number
  }[]
  readonly problems: readonly KeyProblem[]
  readonly keystore: string
  /** UTC ms */
  readonly takenAt: number
}

export interface SignerEvents {
  /** Everything that waits or is being worked on, oldest first. */
  requestsChanged: readonly SignerRequest[]
  accountsChanged: AccountsSnapshot
  /** A request that came to its end, in its last state. */
  requestSettled: SignerRequest
  /** Strict mode refused a call before anybody was asked. */
  requestRefused: { readonly caller: Caller; readonly findings: readonly Finding[] }
  /** A call was denied at once because too many wait. */
  queueOverflowed: Caller
}

const POLL_MS = 1_000

export class SignerService implements Service {
  readonly name = 'signer'
  readonly events = new Emitter<SignerEvents>()
  readonly #options: SignerServiceOptions
  readonly #deps: SignerServiceDeps
  readonly #folder: KeyFolder
  readonly #keys: KeyClient
  readonly #queue: RequestQueue
  readonly #audit: AuditLog | null
  readonly #http: SignerHttp | null
  readonly #metrics: SignerMetrics
  readonly #held = new Disposables()
  /** For what is asked in the application's own name: nobody can go away. */
  readonly #never = new AbortController().signal
  #running = false

  constructor(options: SignerServiceOptions, deps: SignerServiceDeps) {
    const { clock, log, randomBytes } = deps
    this.#options = options
    this.#deps = deps
    this.#folder = new KeyFolder({ path: options.keystore, pollMs: POLL_MS }, { clock, log, randomBytes })
    this.#keys = new KeyClient(deps.keys)
    this.#audit = options.auditLog === null ? null : new AuditLog({ file: options.auditLog }, { clock })
    this.#queue = new RequestQueue(
      { approvalTimeoutMs: options.approvalTimeoutMs },
      { clock, log, randomBytes, record: (entry) => this.#record(entry) },
    )
    const handle = externalMethods({
      newAccount: (call) => this.#externalNew(call),
      list: (call) => this.#externalList(call),
      signTransaction: (call) => this.#externalSign(call),
    })
    this.#http = options.http === null ? null : new SignerHttp(options.http, { handle, log, clock })
    this.#metrics = signerMetrics(deps.metrics, () => this.#queue.requests().length)
  }

  /**
   * @throws KeystoreError KEYSTORE_UNREADABLE, SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE,
   * SIGNER_PORT_IN_USE, SIGNER_LISTEN_FAILED
   */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#listen()
    await this.#folder.start()
    await this.#openAudit()
    signal.throwIfAborted()
    this.#keys.open()
    this.#queue.open()
    this.#running = true
    await this.#http?.start()
    const { keys, problems } = this.#folder.content()
    for (const { file, reason } of problems) this.#deps.log.warn('key file cannot be used', { file, reason })
    this.#deps.log.info('signer is ready', { accounts: keys.length, http: hostAndPort(this.httpAddress()) })
  }

  /** Denies everything that waits; the callers get `request denied` before their connections end. */
  async stop(): Promise<void> {
    this.#running = false
    await this.#queue.close()
    await this.#http?.stop()
    await this.#folder.stop()
    this.#keys.close()
    await this.#audit?.close()
    this.#held.dispose()
  }

  /** Everything that waits or is being worked on, oldest first. */
  requests(): readonly SignerRequest[] {
    return this.#queue.requests()
  }

  accounts(): AccountsSnapshot {
    const { keys, problems } = this.#folder.content()
    return {
      accounts: keys.map((key) => ({
        address: checksumAddress(key.address),
        file: key.file,
        files: keys.filter((other: KeyEntry) => other.address === key.address).length,
      })),
      problems,
      keystore: this.#options.keystore,
      takenAt: this.#deps.clock.now(),
    }
  }

  /**
   * The user's decision; its password is wiped.
   * @throws SignerError SIGNER_DECISION_REFUSED
   */
  decide(decision: Decision): Promise<DecisionOutcome> {
    return this.#queue.decide(decision)
  }

  /** Rejects everything; how many requests there were. */
  rejectAll(): number {
    const count = this.#queue.requests().length
    void this.#queue.rejectAll()
    return count
  }

  /**
   * Opens a `newAccount` request in the application's own name; the user decides it like any other.
   * @throws SignerError SIGNER_REQUEST_DENIED when too many wait, SIGNER_NOT_RUNNING
   */
  requestNewAccount(caller: Caller): { readonly id: string } {
    if (!this.#running) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
    const { id, result } = this.#queue.submit(newAccountRequest(caller, this.#never, this.#maker()))
    result.catch((error: unknown) => this.#deps.log.debug('own request ended', { id, error: messageOf(error) }))
    return { id }
  }

  /**
   * A new account without asking anybody: only for the host's first start, when nobody can be asked yet.
   * @param password UTF-8 bytes, wiped
   * @returns the address in EIP-55 spelling
   * @throws SignerError SIGNER_PASSWORD_POLICY, SIGNER_NOT_RUNNING, KeystoreError KEYSTORE_WRITE_FAILED
   */
  async createAccount(password: Uint8Array): Promise<string> {
    try {
      if (!this.#running) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
      const { address, file } = await createAccount(this.#maker(), password, this.#never)
      await this.#record({ type: 'created', address, file })
      return checksumAddress(address)
    } finally {
      password.fill(0)
    }
  }

  /** Where the external API listens; null when it does not. */
  httpAddress(): { readonly host: string; readonly port: number } | null {
    return this.#http?.address() ?? null
  }

  async #externalNew(call: ExternalCall): Promise<LowerAddress> {
    const { address } = await this.#submit(newAccountRequest(call.caller, call.callerGone, this.#maker()))
    return address
  }

  async #externalList(call: ExternalCall): Promise<readonly LowerAddress[]> {
    await this.#folder.refresh()
    const offered = this.#folder.content().keys.map((key) => key.address)
    return this.#submit(listingRequest(call.caller, call.callerGone, offered))
  }

  /** Order of the steps: signer.md 2.4. */
  async #externalSign(call: ExternalCall): Promise<unknown> {
    const { chainId, london, strict } = this.#options
    const transaction = mergeInput(parseSignTransaction(call.params))
    const findings = checkTransaction(transaction, { london, strict })
    if (strict) await this.#refuse(call, findings)
    const from = requireSender(transaction)
    checkChainId(transaction, BigInt(chainId))
    const signable = { transaction, from, findings, raw: call.rawParams }
    const deps = { folder: this.#folder, keys: this.#keys, chainId: BigInt(chainId) }
    return this.#submit(signTransactionRequest(call.caller, call.callerGone, signable, deps))
  }

  /** @throws SignerError SIGNER_VALIDATION_FAILED when there is anything but Info */
  async #refuse(call: ExternalCall, findings: readonly Finding[]): Promise<void> {
    const texts = refusals(findings)
    if (texts.length === 0) return
    const error = new SignerError('SIGNER_VALIDATION_FAILED', { findings: texts })
    await this.#record({ type: 'refused', method: call.method, caller: call.caller, error: error.message })
    this.#metrics.refused.inc(1, { reason: 'checks' })
    this.events.emit('requestRefused', { caller: call.caller, findings })
    throw error
  }

  async #submit<R>(request: NewRequest<R>): Promise<R> {
    return this.#queue.submit(request).result
  }

  #maker(): AccountMaker {
    return { folder: this.#folder, keys: this.#keys, strength: this.#options.lightKdf ? 'light' : 'standard' }
  }

  async #record(entry: AuditEntry): Promise<void> {
    await this.#audit?.append(entry)
  }

  async #openAudit(): Promise<void> {
    const { auditLog } = this.#options
    if (auditLog === null || this.#audit === null) return
    await mkdir(dirname(auditLog), { recursive: true, mode: 0o700 })
    await this.#audit.open()
  }

  #listen(): void {
    this.#held.add(this.#queue.events.on('changed', (requests) => this.events.emit('requestsChanged', requests)))
    this.#held.add(
      this.#queue.events.on('settled', (request) => {
        this.#metrics.settled.inc(1, { kind: request.kind, state: request.state })
        this.events.emit('requestSettled', request)
      }),
    )
    this.#held.add(
      this.#queue.events.on('overflowed', (caller) => {
        this.#metrics.refused.inc(1, { reason: 'queue' })
        this.events.emit('queueOverflowed', caller)
      }),
    )
    this.#held.add(this.#folder.events.on('contentChanged', () => this.events.emit('accountsChanged', this.accounts())))
  }
}

function hostAndPort(address: { readonly host: string; readonly port: number } | null): string | null {
  return address === null ? null : `${bracketed(address.host)}:${address.port}`
}
