// Rules for a transaction request, in the reference's order and wording (recorded in vectors/signer/tx-refuse.json).

import { checksumAddress } from '../../base/checksum-address'
import { toBareHex, toHex } from '../../base/hex'
import { callText, type DecodedCall, matchCall } from '../abi/call'
import { knownMethod } from '../effects/call-effects'
import { effectFindings, understandingFindings } from '../effects/effect-findings'
import { transactionMeaning } from '../effects/transaction-effects'
import { SignerError } from '../errors'
import type { Finding } from '../model/findings'
import type { DecodedCallDetails } from '../model/request'
import { formOf, payloadOf, type TransactionRequest } from '../model/transaction'
import type { SelectorDatabase } from '../selectors/selector-database'

/** The result of the checks. */
export interface TransactionCheck {
  /** In the order of the rules. */
  readonly findings: readonly Finding[]
  /** Null when the data doesn't match any signature. */
  readonly call: DecodedCallDetails | null
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
}

/** What is known of the data by the names of methods alone. */
type NamedCall = Pick<TransactionCheck, 'findings' | 'call'>

/** What the rules need to know. */
interface TransactionRuleOptions {
  readonly selectors: SelectorDatabase
  /** Whether the network knows dynamic-fee transactions. */
  readonly london: boolean
  /** Strict mode rejects on findings: it gets the reference's and those about a danger, and none that only inform. */
  readonly strict: boolean
}

/** The reference's text. */
export const CHECKSUM_FINDING = 'Invalid checksum on recipient address'
/** Shorter creation code than this is suspicious; the reference's bound. */
const SMALL_CODE_BYTES = 40

/**
 * All findings about a transaction whose `input` has been merged into `data`.
 * @throws SignerError SIGNER_VALUE_WITHOUT_CODE, in any mode
 */
export function checkTransaction(tx: TransactionRequest, options: TransactionRuleOptions): TransactionCheck {
  const { findings, call } =
    tx.to === null ? { findings: creationFindings(tx), call: null } : checkCall(tx, tx.to.text, options.selectors)
  const to = tx.to === null ? null : toHex(tx.to.bytes)
  const account = tx.from === null ? null : toHex(tx.from.bytes)
  const { effects, notUnderstood } = transactionMeaning({ to, value: tx.value, data: payloadOf(tx) })
  const dangers = effectFindings(effects, account)
  const isPartly = dangers.length > 0 || effects.some(({ kind }) => kind === 'payment' || kind === 'transfer')
  const own = options.strict ? [] : [...understandingFindings(notUnderstood, isPartly), ...informing(tx, call, options)]
  return { findings: [...findings, ...dangers, ...own], call, notUnderstood }
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
    findings.push(
      warning(
        'Transaction will create a contract, but method selector supplied, indicating an intent to call a method',
      ),
    )
  }
  return findings
}

function checkCall(tx: TransactionRequest, to: string, selectors: SelectorDatabase): NamedCall {
  const { findings, call } = checkData(tx, selectors)
  return { findings: [...recipientFindings(to), ...feeFindings(tx), ...findings], call }
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

function checkData(tx: TransactionRequest, selectors: SelectorDatabase): NamedCall {
  const data = payloadOf(tx)
  if (data.length === 0) return { findings: [], call: null }
  if (data.length < 4) {
    const finding = warning('Transaction data is not valid ABI (missing the 4 byte call prefix)')
    return { findings: [finding], call: null }
  }
  const findings: Finding[] = []
  const argumentBytes = data.length - 4
  if (argumentBytes % 32 !== 0) {
    findings.push(
      warning(`Transaction data is not valid ABI (length should be a multiple of 32 (was ${argumentBytes}))`),
    )
  }
  const { finding, call } = selectorCheck(tx, data, selectors)
  return { findings: [...findings, finding], call }
}

/** Findings about the selector and its arguments, and the call when both are known. */
function selectorCheck(
  tx: TransactionRequest,
  data: Uint8Array,
  selectors: SelectorDatabase,
): { readonly finding: Finding; readonly call: DecodedCallDetails | null } {
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
function claimedCheck(
  claimed: string,
  data: Uint8Array,
  selectors: SelectorDatabase,
): { readonly finding: Finding; readonly call: DecodedCallDetails | null } {
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

function invoking(
  call: DecodedCall,
  namedBy: DecodedCallDetails['namedBy'],
): { readonly finding: Finding; readonly call: DecodedCallDetails } {
  const message = `Transaction invokes the following method: ${JSON.stringify(callText(call))}`
  return { finding: { severity: 'Info', message }, call: { ...call, namedBy } }
}

/** The call with the shipped signature of its method; null when none is shipped or the data doesn't match it. */
function shippedCall(data: Uint8Array, selectors: SelectorDatabase): DecodedCallDetails | null {
  const known = selectors.find(data)
  const matches = known === null || known.isLearned ? [] : known.signatures.map((text) => matchCall(text, data))
  const [call] = matches.flatMap((match) => (match.kind === 'match' ? [match.call] : []))
  return call === undefined ? null : { ...call, namedBy: 'database' }
}

/**
 * The shipped signature, when the caller's differs: names with colliding selectors are cheap to find. Null when both
 * agree, or none is shipped.
 */
function otherName(data: Uint8Array, call: DecodedCallDetails, selectors: SelectorDatabase): string | null {
  if (call.namedBy === 'database') return null
  const known = selectors.find(data)
  const shipped = known === null || known.isLearned ? knownMethod(data) : (known.signatures[0] ?? null)
  return shipped === call.signature ? null : shipped
}

/** Findings that the reference lacks, besides those about a danger. */
function informing(
  tx: TransactionRequest,
  call: DecodedCallDetails | null,
  { selectors, london }: TransactionRuleOptions,
): readonly Finding[] {
  const findings: Finding[] = []
  const shipped = call === null ? null : otherName(payloadOf(tx), call, selectors)
  if (call !== null && shipped !== null) {
    findings.push(warning(`The caller calls the method ${call.name}; it is known as ${shipped}`))
  }
  if (call?.namedBy === 'learned') {
    findings.push(info('The name of the method was given by an earlier caller; another name may fit the same data'))
  }
  if (!london && formOf(tx) === 'dynamicFee' && tx.gasPrice === null) {
    findings.push(info('This network does not accept dynamic fee transactions; use gasPrice instead of maxFeePerGas'))
  }
  return findings
}

function info(message: string): Finding {
  return { severity: 'Info', message }
}

function critical(message: string): Finding {
  return { severity: 'CRITICAL', message }
}

function warning(message: string): Finding {
  return { severity: 'WARNING', message }
}
