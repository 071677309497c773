// What a person may change of a transaction before it is signed.

/** Fields of a transaction that a person may change; decimal texts, null or missing = as it was. */
export interface TransactionEdits {
  readonly gas?: string | null
  readonly nonce?: string | null
  readonly gasPrice?: string | null
  readonly maxFeePerGas?: string | null
  readonly maxPriorityFeePerGas?: string | null
}
