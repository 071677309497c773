// A transaction as the signer knows it: every number a bigint, bytes as bytes, and what the caller wrote kept for
// display.

/** An address as the caller spelled it, and its meaning. */
export interface SpelledAddress {
  /** `0x` (or `0X`) and 40 hex digits, exactly as received; the checksum rule looks at it. */
  readonly text: string
  /** 20 bytes */
  readonly bytes: Uint8Array
}

export interface AccessListEntry {
  /** 20 bytes */
  readonly address: Uint8Array
  /** 32 bytes each */
  readonly storageKeys: readonly Uint8Array[]
}

/** What account_signTransaction asks for, after encoding checks. Amounts in wei. */
export interface TransactionRequest {
  /** Null when left out: refused before anybody is asked. */
  readonly from: SpelledAddress | null
  /** Null is a contract creation. */
  readonly to: SpelledAddress | null
  /** At most 64 bits. */
  readonly gas: bigint
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly value: bigint
  /** At most 64 bits. */
  readonly nonce: bigint
  readonly data: Uint8Array | null
  /** `input`, the later name of data; both may be given when they are equal. */
  readonly input: Uint8Array | null
  readonly accessList: readonly AccessListEntry[] | null
  readonly chainId: bigint | null
  /** The method signature that the caller claims, for example `transfer(address,uint256)`. */
  readonly methodSignature: string | null
}

export type TransactionForm = 'legacy' | 'accessList' | 'dynamicFee'

/** Which of the three forms is signed. A fee cap decides before an access list (rule of the reference). */
export function formOf(tx: Pick<TransactionRequest, 'maxFeePerGas' | 'accessList'>): TransactionForm {
  if (tx.maxFeePerGas !== null) return 'dynamicFee'
  return tx.accessList === null ? 'legacy' : 'accessList'
}

/** Call data or creation code; empty when none is given. */
export function payloadOf(tx: Pick<TransactionRequest, 'data' | 'input'>): Uint8Array {
  return tx.data ?? tx.input ?? new Uint8Array(0)
}

/** Most that the gas can cost, wei. */
export function maximumFee(tx: Pick<TransactionRequest, 'gas' | 'gasPrice' | 'maxFeePerGas'>): bigint {
  return tx.gas * (tx.maxFeePerGas ?? tx.gasPrice ?? 0n)
}
