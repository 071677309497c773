// Rules for a transaction request, in clef's order and wording (recorded in vectors/signer/tx-refuse.json).

import { checksumAddress } from '../../base/checksum-address'
import { toBareHex, toHex } from '../../base/hex'
import { callText, type DecodedCall, matchCall } from '../abi/call'
import { knownMethod, transactionMeaning } from '../effects/call-effects'
import { effectFindings, understandingFindings } from '../effects/effect-findings'
import { SignerError } from '../errors'
import { critical, type Finding, info, warning } from '../model/findings'
import type { DecodedCallDetails } from '../model/request'
import { formOf, payloadOf, type TransactionRequest } from '../model/transaction'
import type { SelectorDatabase } from '../selectors/selector-database'
import { type NamedParties, namedParties } from './payees'

/** Findings that stay whatever a user may edit, which is the gas, its price and the nonce. */
interface FixedFindings {
  readonly before: readonly Finding[]
  readonly after: readonly Finding[]
}

/** Names of methods: those known, and those that callers teach. */
export type MethodNames = Pick<SelectorDatabase, 'find' | 'learn'>

export interface TransactionCheck {
  /** In the order of the rules, about the transaction as it is. */
  readonly findings: readonly Finding[]
  readonly fixed: FixedFindings
  readonly named: NamedParties
  /** Null when the data doesn't match any signature. */
  readonly call: DecodedCallDetails | null
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
}

interface NamedCall {
  readonly finding: Finding
  /** Null when the method or its arguments aren't known. */
  readonly call: DecodedCallDetails | null
}

interface TransactionRuleOptions {
  readonly selectors: MethodNames
  readonly london: boolean
  /** Strict mode rejects on findings: it gets clef's and those about a danger, and none that only inform. */
  readonly strict: boolean
}

export const CHECKSUM_FINDING = 'Invalid checksum on recipient address'
/** Shorter creation code than this is suspicious; clef's bound. */
const SMALL_CODE_BYTES = 40

/** @param tx `input` has been merged into `data` @throws SignerError SIGNER_VALUE_WITHOUT_CODE, in any mode */
export function checkTransaction(tx: TransactionRequest, options: TransactionRuleOptions): TransactionCheck {
  const before = tx.to === null ? creationFindings(tx) : recipientFindings(tx.to.text)
  const { findings: after, call } = tx.to === null ? NO_CALL : checkData(tx, options.selectors)
  const to = tx.to === null ? null : toHex(tx.to.bytes)
  const account = tx.from === null ? null : toHex(tx.from.bytes)
  const { effects, notUnderstood } = transactionMeaning({ to, value: tx.value, data: payloadOf(tx) })
  const dangers = effectFindings(effects, account)
  const isPartly = dangers.length > 0 || effects.some(({ kind }) => kind === 'payment' || kind === 'transfer')
  const own = options.strict
    ? []
    : [...understandingFindings(notUnderstood, isPartly), ...nameFindings(tx, call, options.selectors)]
  const fixed = { before, after: [...after, ...dangers, ...own] }
  return {
    findings: currentFindings(tx, fixed, options),
    fixed,
    call,
    notUnderstood,
    named: namedParties(to, effects),
  }
}

/** All findings about a transaction that was edited since `checkTransaction` found the fixed ones. */
export function currentFindings(
  tx: TransactionRequest,
  { before, after }: FixedFindings,
  { london, strict }: Pick<TransactionRuleOptions, 'london' | 'strict'>,
): readonly Finding[] {
  const fee = tx.to === null ? [] : feeFindings(tx)
  return [...before, ...fee, ...after, ...(strict ? [] : formFindings(tx, london))]
}

function creationFindings(tx: TransactionRequest): readonly Finding[] {
  const size = payloadOf(tx).length
  const findings: Finding[] = []
  if (size === 0) {
    if (tx.value > 0n) throw new SignerError('SIGNER_VALUE_WITHOUT_CODE', undefined)
    findings.push(critical('Transaction will create a contract with empty code'))
  } else if (size < SMALL_CODE_BYTES) {
    findings.push(warning(`Transaction will create a contract, but the payload is suspiciously small (${size} bytes)`))
  }
  if (tx.methodSignature !== null) {
    const text =
      'Transaction will create a contract, but method selector supplied, indicating an intent to call a method'
    findings.push(warning(text))
  }
  return findings
}

/** @param to an address as it was written */
export function recipientFindings(to: string): readonly Finding[] {
  const findings: Finding[] = []
  if (checksumAddress(to) !== to) findings.push(warning(CHECKSUM_FINDING))
  if (/^0[xX]0{40}$/.test(to)) findings.push(critical('Transaction recipient is the zero address'))
  return findings
}

function feeFindings(tx: TransactionRequest): readonly Finding[] {
  const price = tx.gasPrice !== null
  const cap = tx.maxFeePerGas !== null
  const tip = tx.maxPriorityFeePerGas !== null
  if (!price && !cap) return [critical("Neither 'gasPrice' nor 'maxFeePerGas' specified.")]
  if (!price && !tip) return [critical("Neither 'gasPrice' nor 'maxPriorityFeePerGas' specified.")]
  if (price && cap) return [critical("Both 'gasPrice' and 'maxFeePerGas' specified.")]
  if (price && tip) return [critical("Both 'gasPrice' and 'maxPriorityFeePerGas' specified.")]
  return []
}

const NO_CALL = { findings: [], call: null }

function checkData(
  tx: TransactionRequest,
  selectors: MethodNames,
): { readonly findings: readonly Finding[]; readonly call: DecodedCallDetails | null } {
  const data = payloadOf(tx)
  if (data.length === 0) return NO_CALL
  if (data.length < 4) {
    return { findings: [warning('Transaction data is not valid ABI (missing the 4 byte call prefix)')], call: null }
  }
  const rest = data.length - 4
  const odd = warning(`Transaction data is not valid ABI (length should be a multiple of 32 (was ${rest}))`)
  const { finding, call } = selectorCheck(tx, data, selectors)
  return { findings: rest % 32 === 0 ? [finding] : [odd, finding], call }
}

function selectorCheck(tx: TransactionRequest, data: Uint8Array, selectors: MethodNames): NamedCall {
  if (tx.methodSignature !== null) return claimedCheck(tx.methodSignature, data, selectors)
  const known = selectors.find(data)
  if (known === null) {
    const selector = toBareHex(data.subarray(0, 4))
    const text = `the ABI signature could not be found: signature ${selector} not found`
    return { finding: warning(`Transaction contains data, but ${text}`), call: null }
  }
  const matches = known.signatures.map((signature) => matchCall(signature, data))
  const found = matches.find((match) => match.kind === 'match')
  if (found !== undefined) return invoking(found.call, known.isLearned ? 'learned' : 'database')
  const reason = matches.map((match) => (match.kind === 'mismatch' ? match.reason : ''))[0] ?? ''
  const text = `Transaction contains data, but provided ABI signature could not be verified: ${reason}`
  return { finding: warning(text), call: null }
}

/** A signature supplied by the caller that matches is remembered for later calls. */
function claimedCheck(claimed: string, data: Uint8Array, selectors: MethodNames): NamedCall {
  const match = matchCall(claimed, data)
  if (match.kind === 'mismatch') {
    const text = `Transaction contains data, but provided ABI signature could not be matched: ${match.reason}`
    return { finding: warning(text), call: shippedCall(data, selectors) }
  }
  const known = selectors.find(data)
  const isOurs = known !== null && !known.isLearned && known.signatures.includes(match.call.signature)
  selectors.learn(data, match.call.signature)
  return invoking(match.call, isOurs ? 'database' : 'caller')
}

function invoking(call: DecodedCall, namedBy: DecodedCallDetails['namedBy']): NamedCall {
  const message = `Transaction invokes the following method: ${JSON.stringify(callText(call))}`
  return { finding: info(message), call: { ...call, namedBy } }
}

/** The call with the shipped signature of its method; null when none is shipped or the data doesn't match it. */
function shippedCall(data: Uint8Array, selectors: MethodNames): DecodedCallDetails | null {
  const known = selectors.find(data)
  const matches = known === null || known.isLearned ? [] : known.signatures.map((text) => matchCall(text, data))
  const [call] = matches.flatMap((match) => (match.kind === 'match' ? [match.call] : []))
  return call === undefined ? null : { ...call, namedBy: 'database' }
}

/** The shipped signature, when the caller's differs, whose colliding name is cheap to find; else null. */
function otherName(data: Uint8Array, call: DecodedCallDetails, selectors: MethodNames): string | null {
  if (call.namedBy === 'database') return null
  const known = selectors.find(data)
  const shipped = known === null || known.isLearned ? knownMethod(data) : (known.signatures[0] ?? null)
  return shipped === call.signature ? null : shipped
}

function nameFindings(
  tx: TransactionRequest,
  call: DecodedCallDetails | null,
  selectors: MethodNames,
): readonly Finding[] {
  const findings: Finding[] = []
  const shipped = call === null ? null : otherName(payloadOf(tx), call, selectors)
  if (call !== null && shipped !== null) {
    findings.push(warning(`The caller calls the method ${call.name}; it is known as ${shipped}`))
  }
  if (call?.namedBy === 'learned') {
    findings.push(info('The name of the method was given by an earlier caller; another name may fit the same data'))
  }
  return findings
}

/** About its form, which clef doesn't mention. */
function formFindings(tx: TransactionRequest, london: boolean): readonly Finding[] {
  if (london || formOf(tx) !== 'dynamicFee' || tx.gasPrice !== null) return []
  return [info('This network does not accept dynamic fee transactions; use gasPrice instead of maxFeePerGas')]
}
