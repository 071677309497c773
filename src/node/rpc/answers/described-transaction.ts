// A transaction in prlx's answer to its filling and signing methods: its bytes and its fields.
import { bigintFromBytes, concatBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { keccak256 } from '../../codec/keccak'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../../codec/rlp'
import type { UnsignedTransaction } from '../../ports/accounts-port'
import type { TransactionInfo } from '../../worker/wire/shapes'

type Payment = Pick<TransactionInfo, 'nonce' | 'gasPrice' | 'gasLimit' | 'to' | 'value' | 'input' | 'chainId'>

/** For type 2, the two other fees apply instead of the gas price. */
interface TransactionFields extends Payment, Pick<TransactionInfo, 'accessList' | 'v' | 'r' | 's'> {
  readonly type: 0 | 1 | 2
  readonly maxPriorityFeePerGas?: bigint
  readonly maxFeePerGas?: bigint
}

/** The RLP list, or type byte and list. Sources: EIP-2718, EIP-2930, EIP-1559 */
export function transactionBytes(tx: TransactionFields): Uint8Array {
  const prices: RlpItem[] =
    tx.type === 2
      ? [rlpInteger(tx.maxPriorityFeePerGas ?? 0n), rlpInteger(tx.maxFeePerGas ?? 0n)]
      : [rlpInteger(tx.gasPrice)]
  const payment: RlpItem[] = [
    rlpInteger(tx.nonce),
    ...prices,
    rlpInteger(tx.gasLimit),
    tx.to ?? new Uint8Array(0),
    rlpInteger(tx.value),
    tx.input,
  ]
  const signature = [rlpInteger(tx.v), rlpInteger(tx.r), rlpInteger(tx.s)]
  if (tx.type === 0) return encodeRlp([...payment, ...signature])
  const list = tx.accessList.map((entry) => [entry.address, entry.storageKeys])
  return concatBytes(Uint8Array.of(tx.type), encodeRlp([rlpInteger(tx.chainId ?? 0n), ...payment, list, ...signature]))
}

const NO_SIGNATURE = { v: 0n, r: 0n, s: 0n }

/** The type implied by its fees and access list. */
export function typeOf(tx: Pick<UnsignedTransaction, 'gasPrice' | 'accessList'>): 0 | 1 | 2 {
  if (tx.gasPrice === null) return 2
  return tx.accessList === null ? 0 : 1
}

/** With zeros in place of the signature. */
export function describeUnsigned(tx: UnsignedTransaction) {
  const raw = transactionBytes({
    type: typeOf(tx),
    chainId: tx.chainId,
    nonce: tx.nonce,
    gasPrice: tx.gasPrice ?? 0n,
    gasLimit: tx.gas,
    to: tx.to,
    value: tx.value,
    input: tx.data,
    accessList: (tx.accessList ?? []).map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })),
    ...NO_SIGNATURE,
    maxFeePerGas: tx.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: tx.maxPriorityFeePerGas ?? 0n,
  })
  return describe(tx, raw, NO_SIGNATURE)
}

/** @param raw `tx` with its signature, which comes last */
export function describeSigned(tx: UnsignedTransaction, raw: Uint8Array) {
  const decoded = decodeRlp(typeOf(tx) === 0 ? raw : raw.subarray(1))
  const fields = decoded.ok && !(decoded.value instanceof Uint8Array) ? decoded.value : []
  const numberIn = (field: RlpItem) => (field instanceof Uint8Array ? bigintFromBytes(field) : 0n)
  const [v = 0n, r = 0n, s = 0n] = fields.slice(-3).map(numberIn)
  return describe(tx, raw, { v, r, s })
}

function describe(tx: UnsignedTransaction, raw: Uint8Array, { v, r, s }: typeof NO_SIGNATURE) {
  const type = typeOf(tx)
  const orNull = (value: bigint | null) => (value === null ? null : toQuantity(value))
  const accessList = (tx.accessList ?? []).map((entry) => ({
    address: toHex(entry.address),
    storageKeys: entry.storageKeys.map(toHex),
  }))
  return {
    raw: toHex(raw),
    tx: {
      type: toQuantity(type),
      nonce: toQuantity(tx.nonce),
      gasPrice: orNull(tx.gasPrice),
      maxPriorityFeePerGas: orNull(tx.maxPriorityFeePerGas),
      maxFeePerGas: orNull(tx.maxFeePerGas),
      gas: toQuantity(tx.gas),
      value: toQuantity(tx.value),
      input: toHex(tx.data),
      v: toQuantity(v),
      r: toQuantity(r),
      s: toQuantity(s),
      to: tx.to === null ? null : toHex(tx.to),
      ...(type === 0 ? {} : { chainId: toQuantity(tx.chainId), accessList }),
      hash: toHex(keccak256(raw)),
    },
  }
}
