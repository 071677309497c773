// What a person may change of a transaction before it is signed.
import type { Finding } from './findings'

/** Fields of a transaction that a person may change; decimal texts, null or missing = as it was. */
export interface TransactionEdits {
  readonly gas?: string | null
  readonly nonce?: string | null
  readonly gasPrice?: string | null
  readonly maxFeePerGas?: string | null
  readonly maxPriorityFeePerGas?: string | null
}

export interface EditReview {
  /** Why the edited transaction could not be approved; empty when it could. */
  readonly objection: string
  /** About the edited transaction, worst first; about the one that was asked for where the edits are refused. */
  readonly findings: readonly Finding[]
}
