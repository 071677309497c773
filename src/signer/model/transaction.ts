// A transaction as the signer knows it: every number a bigint, bytes as bytes, and the caller's spelling kept for
// display.
import { toHex } from '../../base/hex'

/** With the caller's spelling. */
export interface SpelledAddress {
  /** `0x` (or `0X`) and 40 hex digits, exactly as received; used by the checksum rule. */
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

/** What account_signTransaction requests, after encoding checks. Amounts in wei. */
export interface TransactionRequest {
  /** Null when omitted: rejected without asking the user. */
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
  /** `input`, the newer name of data; both may be given when they are equal. */
  readonly input: Uint8Array | null
  readonly accessList: readonly AccessListEntry[] | null
  readonly chainId: bigint | null
  /** The method signature claimed by the caller, for example `transfer(address,uint256)`. */
  readonly methodSignature: string | null
}

export type TransactionForm = 'legacy' | 'accessList' | 'dynamicFee'

/** Which form is signed. A fee cap takes precedence over an access list (clef's rule). */
export function formOf(tx: Pick<TransactionRequest, 'maxFeePerGas' | 'accessList'>): TransactionForm {
  if (tx.maxFeePerGas !== null) return 'dynamicFee'
  return tx.accessList === null ? 'legacy' : 'accessList'
}

/** Call data or init code; empty when none is given. */
export function payloadOf(tx: Pick<TransactionRequest, 'data' | 'input'>): Uint8Array {
  return tx.data ?? tx.input ?? new Uint8Array(0)
}

/** Its numbers as decimal text, its bytes as `0x` hex: for displays and approvals. */
export function plainMembers(tx: TransactionRequest) {
  return {
    value: tx.value.toString(),
    gas: tx.gas.toString(),
    gasPrice: tx.gasPrice?.toString() ?? null,
    maxFeePerGas: tx.maxFeePerGas?.toString() ?? null,
    maxPriorityFeePerGas: tx.maxPriorityFeePerGas?.toString() ?? null,
    nonce: tx.nonce.toString(),
    data: toHex(payloadOf(tx)),
    accessList: tx.accessList === null ? null : hexAccessList(tx.accessList),
  }
}

/** As callers send it. */
export function hexAccessList(list: readonly AccessListEntry[]) {
  return list.map(({ address, storageKeys }) => ({ address: toHex(address), storageKeys: storageKeys.map(toHex) }))
}

/** Maximum gas cost, wei. */
export function maximumFee(tx: Pick<TransactionRequest, 'gas' | 'gasPrice' | 'maxFeePerGas'>): bigint {
  return tx.gas * (tx.maxFeePerGas ?? tx.gasPrice ?? 0n)
}
