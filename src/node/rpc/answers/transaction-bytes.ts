// A transaction's raw bytes, rebuilt from its fields: each transaction has exactly one encoding.
import { concatBytes } from '../../../base/bytes'
import { encodeRlp, type RlpItem, rlpInteger } from '../../codec/rlp'
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
