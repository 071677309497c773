// The account_* methods: parses parameters, runs checks, and submits the request to those who decide.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { CallerProcess } from '../../net/process-table'
import type { LowerAddress } from '../address'
import { checkData, type DataCheck } from '../checks/data-rules'
import { type KnownMarket, marketFindings } from '../checks/fee-rules'
import { checkTransaction, recipientFindings, type TransactionCheck } from '../checks/transaction-rules'
import { hashedText, parseSignData } from '../data/sign-data'
import type { DescriptorFolder } from '../descriptors/descriptor-folder'
import { inStrictWords } from '../error-map'
import { SignerError } from '../errors'
import type { HardwareKeys } from '../hardware/hardware-keys'
import type { AccountMaker } from '../keystore/create-account'
import type { KeptAccounts } from '../keystore/kept-accounts'
import { recoverAddress } from '../keystore/secret-key'
import { argumentsBetween, requiredBytes } from '../model/arguments'
import { type Finding, refusals } from '../model/findings'
import type { Caller } from '../model/request'
import type { TransactionRequest } from '../model/transaction'
import type { PasswordStore } from '../ports'
import type { NewRequest } from '../requests/approval'
import { listingRequest } from '../requests/listing'
import { newAccountRequest } from '../requests/new-account'
import { type DataToSign, signDataRequest } from '../requests/sign-data'
import { signTransactionRequest } from '../requests/sign-transaction'
import type { SelectorDatabase } from '../selectors/selector-database'
import type { SignedTransactionView } from '../transactions/encode'
import { checkChainId, mergeInput, parseSignTransaction, requireSender } from '../transactions/parse'
import { parseSignTypedData, type TypedDocument } from '../typed-data/document'
import { isBeyondReference } from '../typed-data/reference-limits'
import { parseSafeTransaction } from '../typed-data/safe-transaction'
import type { CallHandler, ExternalCall } from './json-rpc'
import { EXTERNAL_API_VERSION, externalMethods } from './methods'

// Calls and responses as the reference's log lines, for users who search the audit log for its words. Calls never
// contain passwords.

/** Longest field; a call may have 5 MiB. */
const LONGEST = 1_024

/** A call's name and fields. */
interface CallLine {
  /** `SignTransaction` */
  readonly name: string
  /** In writing order; a null value is `<nil>`. */
  readonly fields: Readonly<Record<string, string | null>>
}

/** The line for a call. */
function requestLine({ name, fields }: CallLine, caller: Caller): string {
  const { remote, local, transport, userAgent, origin } = caller
  const metadata = JSON.stringify({ remote, local, scheme: transport, 'User-Agent': userAgent, Origin: origin })
  return line(name, 'request', { metadata, ...fields })
}

/** The line for its response. */
function responseLine({ name }: CallLine, data: unknown, error: string | null): string {
  return line(name, 'response', { data: data === undefined ? null : (JSON.stringify(data) ?? null), error })
}

function line(name: string, type: string, fields: Readonly<Record<string, string | null>>): string {
  const texts = Object.entries(fields).map(([key, value]) => `${key}=${fieldText(value)}`)
  return [`lvl=info msg=${name} api=signer type=${type}`, ...texts].join(' ')
}

function fieldText(value: string | null): string {
  if (value === null) return '<nil>'
  const text = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text)
}

// account_ecRecover: which key signed a text. Asks nobody and signs nothing.

const SIGNATURE_BYTES = 65
const PARITY_OFFSET = 27

/**
 * @param params text bytes, signature with v 27 or 28
 * @throws SignerError SIGNER_ARGUMENT_*, SIGNER_SIGNATURE_INVALID
 */
function ecRecover(params: readonly unknown[]): LowerAddress {
  argumentsBetween(params, 2, 2)
  const text = requiredBytes(params, 0)
  const signature = requiredBytes(params, 1)
  if (signature.length !== SIGNATURE_BYTES) throw fault('signature must be 65 bytes long')
  const parity = (signature[SIGNATURE_BYTES - 1] ?? 0) - PARITY_OFFSET
  if (parity !== 0 && parity !== 1) throw fault('invalid Parallax signature (V is not 27 or 28)')
  const bare = Uint8Array.from(signature)
  bare[SIGNATURE_BYTES - 1] = parity
  const address = recoverAddress(keccak_256(hashedText(text)), bare)
  if (address === null) throw fault('recovery failed')
  return address
}

function fault(reason: string): Error {
  return new SignerError('SIGNER_SIGNATURE_INVALID', { reason })
}

/** What the methods need to know. */
interface AccountCallsOptions {
  readonly london: boolean
  readonly strict: boolean
}

/** What the methods use. */
interface AccountCallsDeps {
  readonly maker: AccountMaker
  readonly selectors: SelectorDatabase
  readonly chainId: () => bigint
  readonly passwords: () => PasswordStore | null
  readonly kept: KeptAccounts
  /** Accounts in devices; null when disabled. */
  readonly hardware: Pick<HardwareKeys, 'accounts' | 'find' | 'sign'> | null
  /** Queues a request; resolves with its result. @throws SignerError, also immediately */
  readonly submit: <R>(request: NewRequest<R>) => Promise<R>
  readonly showError: (text: string) => void
  /** Adds a line to the audit log; resolves when it is written. */
  readonly recordLine: (line: string) => Promise<void>
  /** Strict mode rejected; resolves when that is in the audit log. */
  readonly refused: (call: ExternalCall, findings: readonly Finding[], error: Error) => Promise<void>
  /** @throws SignerError SIGNER_QUEUE_FULL */
  readonly assertRoom: (caller: Caller) => void
  /** Also null when no user sees it: saves the scan of the process table. */
  readonly processOf: (caller: Caller, connection?: object) => Promise<CallerProcess | null>
  /** Descriptions of calls to a contract, and of documents for it. */
  readonly descriptors: Pick<DescriptorFolder, 'describe' | 'describeDocument'>
  /** Fees to compare with. Never rejects. @param from the sender, 20 bytes; null = not given */
  readonly market: (from: Uint8Array | null) => Promise<KnownMarket>
  /** UTC ms */
  readonly now: () => number
  readonly log: Logger
}

/** Implements the account_* methods. */
export class AccountCalls {
  readonly #options: AccountCallsOptions
  readonly #deps: AccountCallsDeps
  readonly #processes = new WeakMap<object, Promise<CallerProcess | null>>()
  /** Executes any call of the external API. */
  readonly handle: CallHandler

  constructor(options: AccountCallsOptions, deps: AccountCallsDeps) {
    this.#options = options
    this.#deps = deps
    this.handle = externalMethods({
      newAccount: (call) => this.#recorded(call, { name: 'New', fields: {} }, () => this.#newAccount(call)),
      list: (call) => this.#recorded(call, { name: 'List', fields: {} }, () => this.#list(call)),
      signTransaction: (call) => this.#recorded(call, transactionLine(call), () => this.#signTransaction(call)),
      signData: (call) => this.#recorded(call, dataLine(call), () => this.#signData(call)),
      signTypedData: (call) => this.#recorded(call, typedLine('SignTypedData', call), () => this.#signTypedData(call)),
      signSafeTransaction: (call) =>
        this.#recorded(call, typedLine('SignGnosisSafeTx', call), () => this.#signSafeTransaction(call)),
      ecRecover: (call) =>
        this.#recordedOnce(call, { name: 'EcRecover', fields: { parameters: call.rawParams } }, () =>
          ecRecover(call.params),
        ),
      version: (call) => this.#recordedOnce(call, { name: 'Version', fields: {} }, () => EXTERNAL_API_VERSION),
    })
  }

  async #recorded(call: ExternalCall, line: CallLine, run: () => Promise<unknown>): Promise<unknown> {
    const { recordLine } = this.#deps
    await recordLine(requestLine(line, call.caller))
    try {
      const result = await run()
      await recordLine(responseLine(line, result, null))
      return result
    } catch (thrown) {
      const error = this.#options.strict ? inStrictWords(thrown) : thrown
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
    await Promise.all(lines.map((line) => this.#deps.recordLine(line)))
  }

  async #newAccount(call: ExternalCall): Promise<LowerAddress> {
    const { maker, log, showError, submit } = this.#deps
    const caller = await this.#named(call)
    const { address } = await submit(newAccountRequest(caller, call.callerGone, { maker, log, showError }))
    return address
  }

  async #list(call: ExternalCall): Promise<readonly LowerAddress[]> {
    const { folder } = this.#deps.maker
    await folder.refresh()
    const devices = this.#deps.hardware?.accounts() ?? []
    const offered = { keys: folder.content().keys, folder: folder.path, devices }
    return this.#deps.submit(listingRequest(await this.#named(call), call.callerGone, offered))
  }

  async #signTransaction(call: ExternalCall): Promise<SignedTransactionView> {
    const { submit, chainId, maker, passwords, kept } = this.#deps
    const transaction = mergeInput(parseSignTransaction(call.params))
    const market = await this.#deps.market(transaction.from?.bytes ?? null)
    const { findings, notUnderstood, call: decoded } = this.#check(transaction, market)
    // A learned name is on disk before anyone acts on it.
    await this.#deps.selectors.flush()
    await this.#refuse(call, findings)
    const from = requireSender(transaction)
    checkChainId(transaction, chainId())
    const signable = { transaction, from, findings, notUnderstood, call: decoded, raw: call.rawParams }
    const deps = {
      folder: maker.folder,
      keys: maker.keys,
      passwords: passwords(),
      kept,
      hardware: this.#deps.hardware,
      chainId: chainId(),
      check: (tx: TransactionRequest) => this.#check(tx, market).findings,
    }
    return submit(signTransactionRequest(await this.#named(call), call.callerGone, signable, deps))
  }

  async #signData(call: ExternalCall): Promise<string> {
    const { address, data } = parseSignData(call.params)
    const checked = this.#checkData(call, { address, data }, null)
    return this.#submitData(call, { address, data, document: null, ...checked, raw: call.rawParams, namesCaller: true })
  }

  async #signTypedData(call: ExternalCall): Promise<string> {
    const { address, data, document: typed } = parseSignTypedData(call.params, this.#options.strict)
    const checked = this.#checkData(call, { address, data }, typed)
    // The reference reports no caller with typed data, so strict mode doesn't either where the reference would have
    // signed.
    const namesCaller = !this.#options.strict || isBeyondReference(typed.types)
    return this.#submitData(call, { address, data, document: typed, ...checked, raw: call.rawParams, namesCaller })
  }

  async #signSafeTransaction(call: ExternalCall): Promise<unknown> {
    const { address, data, document: typed, given } = parseSafeTransaction(call.params)
    // As for the transaction that the wallet will make of it.
    const about = recipientFindings(String(typed.message.to))
    await this.#refuse(call, about)
    const { findings: found, notUnderstood } = this.#checkData(call, { address, data }, typed)
    const findings = [...about, ...found]
    const namesCaller = !this.#options.strict
    const toSign = { address, data, document: typed, findings, notUnderstood, raw: call.rawParams, namesCaller }
    const signature = await this.#submitData(call, toSign)
    return { ...given, signature, safeTxHash: toHex(data.hash), sender: address.text }
  }

  async #submitData(call: ExternalCall, data: DataToSign): Promise<string> {
    const { maker, passwords, kept, hardware, submit } = this.#deps
    const deps = { folder: maker.folder, keys: maker.keys, passwords: passwords(), kept, hardware }
    return submit(signDataRequest(await this.#named(call), call.callerGone, data, deps))
  }

  #checkData(
    { caller: { origin } }: ExternalCall,
    { address, data }: Pick<DataToSign, 'address' | 'data'>,
    document: TypedDocument | null,
  ): DataCheck {
    const { chainId, descriptors, now } = this.#deps
    const { strict } = this.#options
    const place = { origin, address: toHex(address.bytes), chainId: chainId(), now: now() }
    const { findings, notUnderstood } = checkData(data, document, { ...place, strict })
    const described = strict || document === null ? [] : descriptors.describeDocument(document, data)
    return { findings: [...findings, ...described], notUnderstood }
  }

  #check(transaction: TransactionRequest, market: KnownMarket): TransactionCheck {
    const { findings, ...checked } = checkTransaction(transaction, {
      ...this.#options,
      selectors: this.#deps.selectors,
    })
    const { descriptors, chainId } = this.#deps
    const described = this.#options.strict ? [] : descriptors.describe(transaction, chainId())
    return { findings: [...findings, ...marketFindings(transaction, market), ...described], ...checked }
  }

  /** @throws SignerError SIGNER_VALIDATION_FAILED in strict mode when there is anything above Info */
  async #refuse(call: ExternalCall, findings: readonly Finding[]): Promise<void> {
    const texts = this.#options.strict ? refusals(findings) : []
    if (texts.length === 0) return
    const error = new SignerError('SIGNER_VALIDATION_FAILED', { findings: texts })
    await this.#deps.refused(call, findings, error)
    throw error
  }

  /** Looked up once per connection; a call that can't even be queued costs no lookup. */
  async #named({ caller, connection }: ExternalCall): Promise<Caller> {
    this.#deps.assertRoom(caller)
    const known = connection === undefined ? undefined : this.#processes.get(connection)
    const process = known ?? this.#deps.processOf(caller, connection)
    if (connection !== undefined) this.#processes.set(connection, process)
    return { ...caller, process: await process }
  }
}

function transactionLine({ params }: ExternalCall): CallLine {
  const signature = params[1]
  return {
    name: 'SignTransaction',
    fields: { tx: jsonText(params[0]), methodSelector: typeof signature === 'string' ? signature : null },
  }
}

function dataLine({ params }: ExternalCall): CallLine {
  const fields = { addr: plainText(params[1]), data: jsonText(params[2]), 'content-type': plainText(params[0]) }
  return { name: 'SignData', fields }
}

function typedLine(name: string, { params }: ExternalCall): CallLine {
  return { name, fields: { addr: plainText(params[0]), data: jsonText(params[1]) } }
}

function jsonText(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value) ?? null)
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' ? value : jsonText(value)
}
