// account_signTransaction after parsing: what the user sees, what may be edited, and the signature after an approval.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { messageOf } from '../../base/errors'
import type { NamedParties } from '../checks/payees'
import { SignerError } from '../errors'
import { bySeverity, type Finding, isCritical, refusals } from '../model/findings'
import type { Caller, DecodedCallDetails, TransactionDetails } from '../model/request'
import { formOf, maximumFee, plainMembers, type SpelledAddress, type TransactionRequest } from '../model/transaction'
import type { TransactionEdits } from '../model/transaction-edits'
import {
  assembleSigned,
  describeSigned,
  type SignedTransactionView,
  signingPayload,
  transactionToSign,
} from '../transactions/encode'
import { parseAnswered } from '../transactions/parse'
import { type SigningDeps, signWithAccount } from './account-key'
import type { Approval, NewRequest, Performed } from './approval'
import { deviceNotice, mustSignBlind, transactionOnDevice } from './device-notice'
import { transactionQuestion } from './questions'

interface TransactionSigningDeps extends SigningDeps {
  /** Bound into every signature. */
  readonly chainId: bigint
  /** This run's checks, for an edited transaction. @throws SignerError SIGNER_VALUE_WITHOUT_CODE */
  readonly check: (tx: TransactionRequest) => readonly Finding[]
}

interface SignableTransaction {
  readonly transaction: TransactionRequest
  readonly from: SpelledAddress
  readonly findings: readonly Finding[]
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
  readonly named: NamedParties
  readonly call: DecodedCallDetails | null
  readonly raw: string
}

const PASSWORD_QUESTION = {
  title: 'Account password',
  prompt: (address: string) => `Please enter the password for account ${address}`,
}

export function signTransactionRequest(
  caller: Caller,
  callerGone: AbortSignal,
  signable: SignableTransaction,
  deps: TransactionSigningDeps,
): NewRequest<SignedTransactionView> {
  const device = deviceNotice(deps.hardware, signable.from.bytes, mustSignBlind(signable.transaction))
  const aboutDevice = device === null ? [] : [transactionOnDevice(device, signable.transaction, deps.chainId)]
  const findings = bySeverity([...signable.findings, ...aboutDevice])
  return {
    content: {
      kind: 'signTransaction',
      caller,
      transaction: details(signable, deps.chainId),
      data: null,
      accounts: null,
      findings,
      notUnderstood: signable.notUnderstood,
      ...(device === null ? {} : { device }),
    },
    aside: { named: signable.named, use: null },
    question: {
      ...transactionQuestion(signable.transaction, [...signable.findings, ...aboutDevice], caller),
      chainId: deps.chainId,
      notUnderstood: signable.notUnderstood,
    },
    doneState: 'signed',
    callerGone,
    objection: (approval) => objectionTo(signable, approval, deps),
    recheck: (edits) => bySeverity([...deps.check(applyEdits(signable.transaction, edits)), ...aboutDevice]),
    perform: (approval, signal) => sign(signable, approval, deps, signal),
    summary: ({ tx }) => ({ hash: String(tx.hash) }),
  }
}

/** An edit must be well-formed, and must not add a finding that wasn't displayed. */
function objectionTo(
  { transaction, findings }: SignableTransaction,
  approval: Approval,
  { check }: TransactionSigningDeps,
): string | null {
  if (approval.edits === null) return null
  try {
    const known = new Set(refusals(findings))
    const news = refusals(check(applyEdits(transaction, approval.edits))).filter((text) => !known.has(text))
    return news[0] ?? null
  } catch (error) {
    return messageOf(error)
  }
}

function sign(
  signable: SignableTransaction,
  approval: Approval,
  deps: TransactionSigningDeps,
  signal: AbortSignal,
): Promise<Performed<SignedTransactionView>> {
  const { chainId } = deps
  const { transaction, from } = decided(signable, approval)
  return signWithAccount(
    {
      address: from.bytes,
      question: PASSWORD_QUESTION,
      needsPassword: isCritical(signable.findings) || signable.notUnderstood.length > 0,
      toSign: () => {
        assertChainId(transaction, chainId)
        return transactionToSign(transaction, chainId)
      },
      device: () => {
        assertChainId(transaction, chainId)
        const payload = signingPayload(transaction, chainId)
        return { kind: 'transaction', payload, chainId, digest: keccak_256(payload) }
      },
      result: (signature) => describeSigned(transaction, chainId, assembleSigned(transaction, chainId, signature)),
    },
    approval,
    deps,
    signal,
  )
}

/** @throws SignerError SIGNER_INVALID_CHAIN_ID */
function assertChainId(transaction: TransactionRequest, chainId: bigint): void {
  // Only an answer of the line-based UI can contain another id; the legacy form signs the configured one.
  if (formOf(transaction) !== 'legacy' && (transaction.chainId ?? chainId) !== chainId) {
    throw new SignerError('SIGNER_INVALID_CHAIN_ID', undefined)
  }
}

const NOBODY: SpelledAddress = { text: '', bytes: new Uint8Array(20) }

/** What is finally signed: as requested, with the user's edits, or the line-based UI's whole answer. */
function decided(
  { transaction, from }: SignableTransaction,
  { edits, answered }: Approval,
): { readonly transaction: TransactionRequest; readonly from: SpelledAddress } {
  if (answered !== null) {
    const replacement = parseAnswered(answered.transaction)
    return { transaction: replacement, from: replacement.from ?? NOBODY }
  }
  return { transaction: edits === null ? transaction : applyEdits(transaction, edits), from }
}

function details({ transaction: tx, from, call, raw }: SignableTransaction, chainId: bigint): TransactionDetails {
  const fee = maximumFee(tx)
  return {
    from: from.text,
    to: tx.to?.text ?? null,
    ...plainMembers(tx),
    chainId: Number(chainId),
    form: formOf(tx),
    maximumFee: fee.toString(),
    maximumTotal: (tx.value + fee).toString(),
    call,
    raw,
  }
}

/**
 * Limits, prices and the nonce. Sender, recipient, value and data can't be edited: reject the request and make a new one.
 * @throws SignerError SIGNER_ARGUMENT_INVALID for an invalid or too large number
 */
function applyEdits(tx: TransactionRequest, edits: TransactionEdits): TransactionRequest {
  const dynamic = tx.maxFeePerGas !== null || tx.maxPriorityFeePerGas !== null
  if (dynamic && (edits.gasPrice ?? null) !== null && tx.gasPrice === null) throw fault('gasPrice', 'not of this form')
  if (!dynamic && ((edits.maxFeePerGas ?? null) !== null || (edits.maxPriorityFeePerGas ?? null) !== null)) {
    throw fault('maxFeePerGas', 'not of this form')
  }
  return {
    ...tx,
    gas: edited('gas', edits.gas, 64) ?? tx.gas,
    nonce: edited('nonce', edits.nonce, 64) ?? tx.nonce,
    gasPrice: edited('gasPrice', edits.gasPrice, 256) ?? tx.gasPrice,
    maxFeePerGas: edited('maxFeePerGas', edits.maxFeePerGas, 256) ?? tx.maxFeePerGas,
    maxPriorityFeePerGas: edited('maxPriorityFeePerGas', edits.maxPriorityFeePerGas, 256) ?? tx.maxPriorityFeePerGas,
  }
}

function edited(name: string, text: string | null | undefined, bits: number): bigint | null {
  if (text === null || text === undefined) return null
  if (!/^\d{1,78}$/.test(text)) throw fault(name, 'not a decimal number')
  const value = BigInt(text)
  if (value >= 1n << BigInt(bits)) throw fault(name, `more than ${bits} bits`)
  return value
}

function fault(name: string, reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: 0, reason: `${name}: ${reason}` })
}
