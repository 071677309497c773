// What the user may edit in a transaction before it is signed.
import type { Finding } from './findings'

/** Editable fields of a transaction; decimal texts, null or missing = unchanged. */
export interface TransactionEdits {
  readonly gas?: string | null
  readonly nonce?: string | null
  readonly gasPrice?: string | null
  readonly maxFeePerGas?: string | null
  readonly maxPriorityFeePerGas?: string | null
}

export interface EditReview {
  /** Why the edited transaction couldn't be approved; empty when it could. */
  readonly objection: string
  /** About the edited transaction, worst first; about the requested one when the edits are rejected. */
  readonly findings: readonly Finding[]
}
