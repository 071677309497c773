// The account_* methods: parses parameters, runs checks, and submits the request to those who decide.

import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { type LowerAddress, toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { CallerProcess } from '../../net/process-table'
import { type KnownMarket, marketFindings } from '../checks/fee-rules'
import { currentFindings } from '../checks/transaction-rules'
import type { DescriptorFolder } from '../descriptors/descriptor-folder'
import { inStrictWords, SignerError } from '../errors'
import type { HardwareKeys } from '../hardware/hardware-keys'
import type { AccountMaker } from '../keystore/create-account'
import type { KeptAccounts } from '../keystore/kept-accounts'
import { type Finding, refusals } from '../model/findings'
import { type Caller, sourceKey } from '../model/request'
import type { TransactionRequest } from '../model/transaction'
import type { PasswordStore } from '../ports'
import type { NewRequest } from '../requests/account-key'
import { listingRequest, newAccountRequest, signDataRequest, signTransactionRequest } from '../requests/request-kinds'
import type { SelectorDatabase } from '../selectors/selector-database'
import type { SignedTransactionView } from '../transactions/encode'
import { checkChainId, requireSender } from '../transactions/parse'
import { isBeyondReference } from '../typed-data/reference-limits'
import type { CheckWorker, JobOwner } from './check-worker'
import {
  type CallLine,
  EXAMINED_METHODS,
  type Examination,
  type Examined,
  type ExaminedData,
  type ExaminedMethod,
  type ExaminedTransaction,
  examine,
  NAMES_IN_LOG,
  requestLine,
  responseLine,
} from './examine'
import {
  bodyOfLong,
  type CallHandler,
  type CallOrigin,
  type ExternalCall,
  LONG_TEXT,
  type LongReader,
} from './json-rpc'

/** Semantic version of the external API, as account_version reports it. */
export const EXTERNAL_API_VERSION = '6.1.0'

/** Characters recorded of what could not be read or checked. */
const UNREAD_LENGTH = 1_024

interface AccountCallsOptions {
  readonly london: boolean
  readonly strict: boolean
}

interface AccountCallsDeps {
  readonly maker: AccountMaker
  readonly selectors: SelectorDatabase
  /** Checks long calls on another thread; null: all of them are checked here. */
  readonly checks: Pick<CheckWorker, 'read' | 'examine'> | null
  readonly chainId: () => bigint
  readonly passwords: () => PasswordStore | null
  readonly kept: KeptAccounts
  readonly hardware: Pick<HardwareKeys, 'accounts' | 'find' | 'sign'> | null
  /** Queues a request; resolves with its result. @throws SignerError, also immediately */
  readonly submit: <R>(request: NewRequest<R>, recorded: Promise<void>) => Promise<R>
  readonly showError: (text: string) => void
  readonly recordLine: (line: string) => Promise<void>
  /** Strict mode rejected; resolves when that is in the audit log. */
  readonly refused: (call: ExternalCall, findings: readonly Finding[], error: Error) => Promise<void>
  /** @throws SignerError SIGNER_QUEUE_FULL */
  readonly assertRoom: (caller: Caller) => void
  /** Also null when no user sees it: saves the scan of the process table. */
  readonly processOf: (
    caller: Caller,
    call: { readonly connection: object | undefined; readonly isLong: boolean },
  ) => Promise<CallerProcess | null>
  readonly descriptors: Pick<DescriptorFolder, 'describe' | 'describeDocument'>
  /** Fees to compare with. Never rejects. @param from the sender, 20 bytes; null = not given */
  readonly market: (from: Uint8Array | null) => Promise<KnownMarket>
  readonly now: () => number
  readonly log: Logger
}

export class AccountCalls {
  readonly #processes = new WeakMap<object, Promise<CallerProcess | null>>()
  readonly handle: CallHandler
  /** Reads long bodies elsewhere; missing when nothing is checked elsewhere. */
  readonly readLong: LongReader | undefined

  constructor(
    private readonly options: AccountCallsOptions,
    private readonly deps: AccountCallsDeps,
  ) {
    this.readLong = deps.checks === null ? undefined : (text, origin) => this.#readLong(text, origin)
    const methods = new Map<string, CallHandler>([
      ...EXAMINED_METHODS.map((method) => [method, (call: ExternalCall) => this.#examined(call, method)] as const),
      ['account_new', bare((call) => this.#recorded(call, lineOf('New'), (asked) => this.#newAccount(call, asked)))],
      ['account_list', bare((call) => this.#recorded(call, lineOf('List'), (asked) => this.#list(call, asked)))],
      ['account_version', bare((call) => this.#recordedOnce(call, lineOf('Version'), () => EXTERNAL_API_VERSION))],
      ['rpc_modules', bare(async () => ({ account: '1.0', rpc: '1.0' }))],
      ['account_subscribe', () => Promise.reject(new SignerError('SIGNER_NO_NOTIFICATIONS', undefined))],
    ])
    // Nothing else can be called from outside.
    this.handle = async (call) => {
      const method = methods.get(call.method)
      if (method === undefined) throw new SignerError('SIGNER_METHOD_UNKNOWN', { method: call.method })
      return method(call)
    }
  }

  /** @throws SignerError SIGNER_CHECK_*, once that is recorded */
  async #readLong(text: string, origin: CallOrigin): ReturnType<LongReader> {
    const { checks } = this.deps
    try {
      if (checks === null) throw new SignerError('SIGNER_INTERNAL', undefined)
      return bodyOfLong(await checks.read(text, await this.#owner(origin)))
    } catch (error) {
      const line = { name: 'Unread', fields: { beginning: text.slice(0, UNREAD_LENGTH) } }
      await this.#recordTogether(requestLine(line, origin.caller), responseLine(line, undefined, messageOf(error)))
      throw error
    }
  }

  async #examined(call: ExternalCall, method: ExaminedMethod): Promise<unknown> {
    const { line, outcome } = await this.#examine(call, method)
    const known = (): Examined => {
      if ('error' in outcome) throw outcome.error
      return outcome.examined
    }
    if (method === 'account_ecRecover') {
      return this.#recordedOnce(call, line, () => {
        const found = known()
        return found.kind === 'recovered' ? found.address : null
      })
    }
    return this.#recorded(call, line, async (asked) => {
      const found = known()
      if (found.kind === 'transaction') return this.#signTransaction(call, found, asked)
      return found.kind === 'data' ? this.#signData(call, found, asked) : null
    })
  }

  /** A call that can't be checked is refused: what isn't understood isn't shown as harmless. */
  async #examine(call: ExternalCall, method: ExaminedMethod): Promise<Examination> {
    const { caller, parameters } = call
    const { checks, chainId, now, selectors, descriptors } = this.deps
    const place = { origin: caller.origin, chainId: chainId(), now: now() }
    const { text, values } = parameters
    if (checks === null || (values !== null && text.length <= LONG_TEXT)) {
      const params = values ?? z.array(z.unknown()).parse(JSON.parse(text))
      return examine({ method, params, text }, place, { ...this.options, selectors, descriptors })
    }
    try {
      if (method !== 'account_ecRecover') this.deps.assertRoom(caller)
      return await checks.examine({ method, text }, place, await this.#owner(call))
    } catch (error) {
      const line = { name: NAMES_IN_LOG[method], fields: { beginning: text.slice(0, UNREAD_LENGTH) } }
      return { line, outcome: { error } }
    }
  }

  /** @param run gets what resolves once the call is recorded */
  async #recorded(
    call: ExternalCall,
    line: CallLine,
    run: (asked: Promise<void>) => Promise<unknown>,
  ): Promise<unknown> {
    const { recordLine } = this.deps
    const asked = recordLine(requestLine(line, call.caller))
    asked.catch(() => undefined) // also if nothing waits for it
    try {
      const result = await run(asked)
      await Promise.all([asked, recordLine(responseLine(line, result, null))])
      return result
    } catch (thrown) {
      const error = this.options.strict ? inStrictWords(thrown) : thrown
      await recordLine(responseLine(line, undefined, messageOf(error)))
      throw error
    }
  }

  /** For a call that asks nobody and is answered immediately: its two lines are written together. */
  async #recordedOnce(call: ExternalCall, line: CallLine, run: () => unknown): Promise<unknown> {
    const asked = requestLine(line, call.caller)
    let result: unknown
    try {
      result = run()
    } catch (error) {
      await this.#recordTogether(asked, responseLine(line, undefined, messageOf(error)))
      throw error
    }
    await this.#recordTogether(asked, responseLine(line, result, null))
    return result
  }

  async #recordTogether(...lines: readonly string[]): Promise<void> {
    await Promise.all(lines.map((line) => this.deps.recordLine(line)))
  }

  async #newAccount(call: ExternalCall, asked: Promise<void>): Promise<LowerAddress> {
    const { maker, log, showError, submit } = this.deps
    const caller = await this.#named(call)
    const { address } = await submit(newAccountRequest(caller, call.callerGone, { maker, log, showError }), asked)
    return address
  }

  async #list(call: ExternalCall, asked: Promise<void>): Promise<readonly LowerAddress[]> {
    const { folder } = this.deps.maker
    await folder.refresh()
    const devices = this.deps.hardware?.accounts() ?? []
    const offered = { keys: folder.content().keys, folder: folder.path, devices }
    return this.deps.submit(listingRequest(await this.#named(call), call.callerGone, offered), asked)
  }

  async #signTransaction(
    call: ExternalCall,
    { transaction, check, described }: ExaminedTransaction,
    asked: Promise<void>,
  ): Promise<SignedTransactionView> {
    const { submit, chainId, maker, passwords, kept } = this.deps
    const market = await this.deps.market(transaction.from?.bytes ?? null)
    const findingsOf = (tx: TransactionRequest): readonly Finding[] => [
      ...currentFindings(tx, check.fixed, this.options),
      ...marketFindings(tx, market),
      ...described,
    ]
    const findings = findingsOf(transaction)
    // A learned name is on disk before anyone acts on it.
    await this.deps.selectors.flush()
    await this.#refuse(call, findings)
    const from = requireSender(transaction)
    checkChainId(transaction, chainId())
    const { notUnderstood, named, call: decoded } = check
    const signable = { transaction, from, findings, notUnderstood, named, call: decoded, raw: call.parameters.text }
    const deps = {
      folder: maker.folder,
      keys: maker.keys,
      passwords: passwords(),
      kept,
      hardware: this.deps.hardware,
      chainId: chainId(),
      check: findingsOf,
    }
    return submit(signTransactionRequest(await this.#named(call), call.callerGone, signable, deps), asked)
  }

  async #signData(call: ExternalCall, examined: ExaminedData, asked: Promise<void>): Promise<unknown> {
    const { address, data, document: typed, notUnderstood, use, safe } = examined
    const { strict } = this.options
    if (safe !== null) await this.#refuse(call, safe.about)
    const findings = [...(safe?.about ?? []), ...examined.findings]
    // clef reports no caller with typed data, so strict mode doesn't either where clef would have
    // signed.
    const isReported = typed === null || (safe === null && isBeyondReference(typed.types))
    const namesCaller = !strict || isReported
    const { maker, passwords, kept, hardware, submit } = this.deps
    const deps = { folder: maker.folder, keys: maker.keys, passwords: passwords(), kept, hardware }
    const toSign = {
      address,
      data,
      document: typed,
      findings,
      notUnderstood,
      use,
      raw: call.parameters.text,
      namesCaller,
      strict,
    }
    const signature = await submit(signDataRequest(await this.#named(call), call.callerGone, toSign, deps), asked)
    if (safe === null) return signature
    return { ...safe.given, signature, safeTxHash: toHex(data.hash), sender: address.text }
  }

  /** @throws SignerError SIGNER_VALIDATION_FAILED in strict mode when there is anything above Info */
  async #refuse(call: ExternalCall, findings: readonly Finding[]): Promise<void> {
    const texts = this.options.strict ? refusals(findings) : []
    if (texts.length === 0) return
    const error = new SignerError('SIGNER_VALIDATION_FAILED', { findings: texts })
    await this.deps.refused(call, findings, error)
    throw error
  }

  /** Long calls of one program take turns with those of others, whatever they say of themselves. */
  async #owner(origin: CallOrigin): Promise<JobOwner> {
    return { key: sourceKey(await this.#withProcess(origin, true)), callerGone: origin.callerGone }
  }

  /** A call that can't even be queued costs no lookup. */
  #named(origin: CallOrigin): Promise<Caller> {
    this.deps.assertRoom(origin.caller)
    return this.#withProcess(origin, false)
  }

  async #withProcess({ caller, connection }: CallOrigin, isLong: boolean): Promise<Caller> {
    const known = connection === undefined ? undefined : this.#processes.get(connection)
    const process = known ?? this.deps.processOf(caller, { connection, isLong })
    if (connection !== undefined) this.#processes.set(connection, process)
    return { ...caller, process: await process }
  }
}

function lineOf(name: string): CallLine {
  return { name, fields: {} }
}

/** A method without arguments. */
function bare(run: CallHandler): CallHandler {
  return async (call) => {
    if (call.parameters.count > 0) throw new SignerError('SIGNER_ARGUMENTS_TOO_MANY', { most: 0 })
    return run(call)
  }
}
