// The three transaction forms as bytes: what is hashed for the signature, and the signed result.
// Sources: EIP-155 (legacy), EIP-2930 (type 1), EIP-1559 (type 2); vectors/signer/tx-sign.json.
import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigintFromBytes, concatBytes, minimalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import type { ToSign } from '../model/signed-content'
import { formOf, hexAccessList, payloadOf, type TransactionForm, type TransactionRequest } from '../model/transaction'

type Item = Uint8Array | readonly Item[]

const TYPE_BYTE: Readonly<Record<Exclude<TransactionForm, 'legacy'>, number>> = { accessList: 1, dynamicFee: 2 }

/** The signed content, before hashing. @param chainId the configured one; bound into every form */
export function signingPayload(tx: TransactionRequest, chainId: bigint): Uint8Array {
  const form = formOf(tx)
  const replayGuard = form === 'legacy' ? [minimalBytes(chainId), minimalBytes(0n), minimalBytes(0n)] : []
  return envelope(form, [...unsignedFields(tx, chainId), ...replayGuard])
}

/** What the key worker is given. @param chainId as in `signingPayload` */
export function transactionToSign(tx: TransactionRequest, chainId: bigint): ToSign {
  const fee = (name: string, value: bigint | null) => (value === null ? {} : { [name]: toQuantity(value) })
  const transaction = {
    ...(tx.to === null ? {} : { to: toHex(tx.to.bytes) }),
    gas: toQuantity(tx.gas),
    ...fee('gasPrice', tx.gasPrice),
    ...fee('maxFeePerGas', tx.maxFeePerGas),
    ...fee('maxPriorityFeePerGas', tx.maxPriorityFeePerGas),
    value: toQuantity(tx.value),
    nonce: toQuantity(tx.nonce),
    data: toHex(payloadOf(tx)),
    ...(tx.accessList === null ? {} : { accessList: hexAccessList(tx.accessList) }),
  }
  return {
    content: { kind: 'transaction', chainId: chainId.toString(), transaction },
    digest: keccak_256(signingPayload(tx, chainId)),
  }
}

interface SignedTransaction {
  readonly raw: Uint8Array
  /** keccak256 of `raw`, 32 bytes */
  readonly hash: Uint8Array
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

/** @param signature 65 bytes: r, s, parity */
export function assembleSigned(tx: TransactionRequest, chainId: bigint, signature: Uint8Array): SignedTransaction {
  const form = formOf(tx)
  const parity = BigInt(signature[64] ?? 0)
  const r = bigintFromBytes(signature.subarray(0, 32))
  const s = bigintFromBytes(signature.subarray(32, 64))
  const v = form === 'legacy' ? 35n + 2n * chainId + parity : parity
  const raw = envelope(form, [...unsignedFields(tx, chainId), minimalBytes(v), minimalBytes(r), minimalBytes(s)])
  return { raw, hash: keccak_256(raw), v, r, s }
}

/** The object that callers of account_signTransaction get: exact members, lower-case addresses, minimal numbers. */
export interface SignedTransactionView {
  readonly raw: string
  readonly tx: Readonly<Record<string, unknown>>
}

/** Unused prices are null, the legacy form has neither chainId nor accessList. */
export function describeSigned(
  tx: TransactionRequest,
  chainId: bigint,
  signed: SignedTransaction,
): SignedTransactionView {
  const form = formOf(tx)
  const dynamic = form === 'dynamicFee'
  const typed =
    form === 'legacy' ? {} : { chainId: toQuantity(chainId), accessList: hexAccessList(tx.accessList ?? []) }
  return {
    raw: toHex(signed.raw),
    tx: {
      type: toQuantity(form === 'legacy' ? 0 : TYPE_BYTE[form]),
      nonce: toQuantity(tx.nonce),
      gasPrice: dynamic ? null : toQuantity(tx.gasPrice ?? 0n),
      maxPriorityFeePerGas: dynamic ? toQuantity(tx.maxPriorityFeePerGas ?? 0n) : null,
      maxFeePerGas: dynamic ? toQuantity(tx.maxFeePerGas ?? 0n) : null,
      gas: toQuantity(tx.gas),
      value: toQuantity(tx.value),
      input: toHex(payloadOf(tx)),
      v: toQuantity(signed.v),
      r: toQuantity(signed.r),
      s: toQuantity(signed.s),
      to: tx.to === null ? null : toHex(tx.to.bytes),
      ...typed,
      hash: toHex(signed.hash),
    },
  }
}

function unsignedFields(tx: TransactionRequest, chainId: bigint): readonly Item[] {
  const form = formOf(tx)
  const tail = [
    minimalBytes(tx.gas),
    tx.to === null ? new Uint8Array(0) : tx.to.bytes,
    minimalBytes(tx.value),
    payloadOf(tx),
  ]
  if (form === 'legacy') return [minimalBytes(tx.nonce), minimalBytes(tx.gasPrice ?? 0n), ...tail]
  const list = (tx.accessList ?? []).map((entry) => [entry.address, entry.storageKeys])
  const head = [minimalBytes(chainId), minimalBytes(tx.nonce)]
  if (form === 'accessList') return [...head, minimalBytes(tx.gasPrice ?? 0n), ...tail, list]
  const fees = [minimalBytes(tx.maxPriorityFeePerGas ?? 0n), minimalBytes(tx.maxFeePerGas ?? 0n)]
  return [...head, ...fees, ...tail, list]
}

function envelope(form: TransactionForm, fields: readonly Item[]): Uint8Array {
  const body = RLP.encode(mutable(fields))
  return form === 'legacy' ? body : concatBytes(Uint8Array.of(TYPE_BYTE[form]), body)
}

type MutableItem = Uint8Array | MutableItem[]

/** The RLP package's type requires mutable arrays. */
function mutable(items: readonly Item[]): MutableItem[] {
  return items.map((item) => (item instanceof Uint8Array ? item : mutable(item)))
}
