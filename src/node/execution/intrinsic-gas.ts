// What a transaction costs before it runs; the pool and every engine ask the same.
import type { Transaction } from '../chain/transaction'

/** Gas that a transaction costs before its first instruction: EIP-2, 2028, 2930. */
export function intrinsicGas(tx: Pick<Transaction, 'to' | 'data' | 'accessList'>): bigint {
  let gas = tx.to === null ? 53_000n : 21_000n
  for (const byte of tx.data) gas += byte === 0 ? 4n : 16n
  for (const entry of tx.accessList) gas += 2400n + 1900n * BigInt(entry.storageKeys.length)
  return gas
}
