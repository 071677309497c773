// What a call asks for: parsed, checked, and in words for the log. Runs on the signer's own thread for short calls, in
// the check worker for long ones; only what is left of it depends on the moment: fees, accounts, and who is asked.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type LowerAddress, toHex } from '../../base/hex'
import { checkData } from '../checks/data-rules'
import { type SignatureUse, signatureUse } from '../checks/signature-use'
import {
  checkTransaction,
  type MethodNames,
  recipientFindings,
  type TransactionCheck,
} from '../checks/transaction-rules'
import { hashedText, parseSignData } from '../data/sign-data'
import type { DescriptorFolder } from '../descriptors/descriptor-folder'
import { SignerError } from '../errors'
import { recoverAddress } from '../keystore/secret-key'
import { argumentsBetween, requiredBytes } from '../model/arguments'
import type { Finding } from '../model/findings'
import type { Caller } from '../model/request'
import type { SignableData } from '../model/signable'
import type { SpelledAddress, TransactionRequest } from '../model/transaction'
import { mergeInput, parseSignTransaction } from '../transactions/parse'
import { parseSignTypedData, type TypedDocument } from '../typed-data/document'
import { parseSafeTransaction } from '../typed-data/safe-transaction'

/** Longest field; a call may have 5 MiB. */
const LONGEST = 1_024

/** A call and its answer as clef's log has them, for users who search the log for its words. */
export interface CallLine {
  readonly name: string
  /** In writing order; a null value is `<nil>`. */
  readonly fields: Readonly<Record<string, string | null>>
}

export function requestLine({ name, fields }: CallLine, caller: Caller): string {
  const { remote, local, transport, userAgent, origin } = caller
  const metadata = JSON.stringify({ remote, local, scheme: transport, 'User-Agent': userAgent, Origin: origin })
  return line(name, 'request', { metadata, ...fields })
}

export function responseLine({ name }: CallLine, data: unknown, error: string | null): string {
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

/** The same with fields no longer than what is written of them. */
function cutLine({ name, fields }: CallLine): CallLine {
  const cut = (value: string | null): string | null => value?.slice(0, LONGEST + 1) ?? null
  return { name, fields: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, cut(value)])) }
}

const SIGNATURE_BYTES = 65
const PARITY_OFFSET = 27

/** @param params text bytes, signature with v 27 or 28 @throws SignerError SIGNER_ARGUMENT_*, SIGNER_SIGNATURE_INVALID */
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

export const EXAMINED_METHODS = [
  'account_signTransaction',
  'account_signData',
  'account_signTypedData',
  'account_signGnosisSafeTx',
  'account_ecRecover',
] as const
export type ExaminedMethod = (typeof EXAMINED_METHODS)[number]

/** What checks depend on besides the parameters. */
export interface CallPlace {
  readonly origin: string
  readonly chainId: bigint
  readonly now: number
}

export interface CheckSources {
  readonly strict: boolean
  readonly london: boolean
  readonly selectors: MethodNames
  readonly descriptors: Pick<DescriptorFolder, 'describe' | 'describeDocument'>
}

/** A transaction, and what is known of it whatever its fee. */
export interface ExaminedTransaction {
  readonly kind: 'transaction'
  readonly transaction: TransactionRequest
  readonly check: TransactionCheck
  readonly described: readonly Finding[]
}

/** A text, a document, or other data. */
export interface ExaminedData {
  readonly kind: 'data'
  readonly address: SpelledAddress
  readonly data: SignableData
  /** Null for anything but typed data. */
  readonly document: TypedDocument | null
  readonly findings: readonly Finding[]
  readonly notUnderstood: readonly string[]
  /** Null when it isn't known what others would do with the signature. */
  readonly use: SignatureUse | null
  /** Of a Safe transaction: the caller's object, and what is said about its recipient. */
  readonly safe: { readonly given: Readonly<Record<string, unknown>>; readonly about: readonly Finding[] } | null
}

interface Recovered {
  readonly kind: 'recovered'
  readonly address: LowerAddress
}

export type Examined = ExaminedTransaction | ExaminedData | Recovered

/** The call's line for the log, and what was found out; or why it is refused. */
export interface Examination {
  readonly line: CallLine
  readonly outcome: { readonly examined: Examined } | { readonly error: unknown }
}

interface CallToExamine {
  readonly method: ExaminedMethod
  readonly params: readonly unknown[]
  readonly text: string
}

/** Never throws: an error is an outcome. */
export function examine(call: CallToExamine, place: CallPlace, sources: CheckSources): Examination {
  const line = cutLine(lineOf(call))
  try {
    return { line, outcome: { examined: examined(call, place, sources) } }
  } catch (error) {
    return { line, outcome: { error } }
  }
}

export const NAMES_IN_LOG: Readonly<Record<ExaminedMethod, string>> = {
  account_signTransaction: 'SignTransaction',
  account_signData: 'SignData',
  account_signTypedData: 'SignTypedData',
  account_signGnosisSafeTx: 'SignGnosisSafeTx',
  account_ecRecover: 'EcRecover',
}

function lineOf({ method, params, text }: CallToExamine): CallLine {
  const name = NAMES_IN_LOG[method]
  switch (method) {
    case 'account_signTransaction': {
      const signature = params[1]
      const methodSelector = typeof signature === 'string' ? signature : null
      return { name, fields: { tx: jsonText(params[0]), methodSelector } }
    }
    case 'account_signData': {
      const fields = { addr: plainText(params[1]), data: jsonText(params[2]), 'content-type': plainText(params[0]) }
      return { name, fields }
    }
    case 'account_ecRecover':
      return { name, fields: { parameters: text } }
    default:
      return { name, fields: { addr: plainText(params[0]), data: jsonText(params[1]) } }
  }
}

function examined({ method, params }: CallToExamine, place: CallPlace, sources: CheckSources): Examined {
  switch (method) {
    case 'account_signTransaction': {
      const transaction = mergeInput(parseSignTransaction(params))
      const check = checkTransaction(transaction, sources)
      const described = sources.strict ? [] : sources.descriptors.describe(transaction, place.chainId)
      return { kind: 'transaction', transaction, check, described }
    }
    case 'account_signData':
      return examinedData({ ...parseSignData(params), document: null }, place, sources)
    case 'account_signTypedData':
      return examinedData(parseSignTypedData(params, sources.strict), place, sources)
    case 'account_signGnosisSafeTx': {
      const { given, ...request } = parseSafeTransaction(params)
      // As for the transaction that the wallet will make of it.
      const to = String(request.document.message.to)
      const about = recipientFindings(/^0x/i.test(to) ? to : `0x${to}`)
      return { ...examinedData(request, place, sources), safe: { given, about } }
    }
    case 'account_ecRecover':
      return { kind: 'recovered', address: ecRecover(params) }
  }
}

function examinedData(
  { address, data, document }: Pick<ExaminedData, 'address' | 'data' | 'document'>,
  place: CallPlace,
  { strict, descriptors }: CheckSources,
): ExaminedData {
  const account = toHex(address.bytes)
  const { findings, notUnderstood } = checkData(data, document, { ...place, address: account, strict })
  const described = strict || document === null ? [] : descriptors.describeDocument(document, data)
  const use = document === null ? null : signatureUse(document, data.hash, account)
  return {
    kind: 'data',
    address,
    data,
    document,
    findings: [...findings, ...described],
    notUnderstood,
    use,
    safe: null,
  }
}

function jsonText(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value) ?? null)
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' ? value : jsonText(value)
}
