// Validates a transaction before the pool accepts it, in prlx's order and with its texts.
// Source: prlx core/tx_pool.go (validateTx)
import { toHex } from '../../base/hex'
import { fail, ok, type Result } from '../codec/result'
import type { AccountState } from '../execution/account'
import { intrinsicGas } from '../execution/message'
import { recoverSender, type SignedTransaction } from '../model/sender'
import type { AnyTransaction, Transaction } from '../model/transaction'

const MAX_TRANSACTION_BYTES = 131_072
const SLOT_BYTES = 32_768

export interface PoolTransaction extends SignedTransaction {
  /** Submitted here, not by a peer: exempt from price rules. */
  readonly local: boolean
  /** Increases by one per arrival: at equal price, first come first served. */
  readonly sequence: number
  /** monotonic ms */
  readonly arrivedAt: number
}

interface AdmissionRules {
  readonly chainId: bigint
  /** Gas limit of the head. */
  readonly blockGasLimit: bigint
  /** minimum wei per gas of a remote transaction */
  readonly minimumPrice: bigint
  readonly account: (address: Uint8Array) => AccountState | null
  readonly isKnown: (hashText: string) => boolean
  /** Whether this sender is local. */
  readonly isLocal: (sender: Uint8Array) => boolean
}

/** The signed transaction, or why the pool rejects it. */
export function admit(tx: AnyTransaction, local: boolean, rules: AdmissionRules): Result<SignedTransaction> {
  if (rules.isKnown(toHex(tx.hash))) return fail('already known')
  // prlx checks the signature of type 2 first, which its signer doesn't support.
  if (tx.kind === 'unsupported') return fail(tx.type === 2 ? 'invalid sender' : 'transaction type not supported')
  if (tx.raw.length > MAX_TRANSACTION_BYTES) return fail('oversized data')
  if (tx.gasLimit > rules.blockGasLimit) return fail('exceeds block gas limit')
  const signed = recoverSender(tx, rules.chainId)
  if (!signed.ok) return fail('invalid sender')
  const isFree = local || rules.isLocal(signed.value.sender)
  if (!isFree && tx.gasPrice < rules.minimumPrice) return fail('transaction underpriced')
  const account = rules.account(signed.value.sender)
  if (tx.nonce < (account?.nonce ?? 0n)) return fail('nonce too low')
  if ((account?.balance ?? 0n) < maximumCost(tx)) return fail('insufficient funds for gas * price + value')
  if (tx.gasLimit < intrinsicGas(tx)) return fail('intrinsic gas too low')
  return ok(signed.value)
}

/** Slots that a transaction occupies. */
export function slotsOf(tx: Transaction): number {
  return Math.ceil(tx.raw.length / SLOT_BYTES)
}

/** wei that the sender must have before the transaction runs. */
export function maximumCost(tx: Transaction): bigint {
  return tx.gasLimit * tx.gasPrice + tx.value
}

/** Whether `next` may replace `old` of the same sender and nonce: higher, and by at least `bumpPercent`. */
export function mayReplace(old: Transaction, next: Transaction, bumpPercent: number): boolean {
  return next.gasPrice > old.gasPrice && next.gasPrice >= (old.gasPrice * BigInt(100 + bumpPercent)) / 100n
}
