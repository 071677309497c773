// What a transaction costs before it runs; shared by the pool and every engine.
import type { Transaction } from '../model/transaction'

/** Gas that a transaction costs before its first instruction: EIP-2, 2028, 2930. */
export function intrinsicGas(tx: Pick<Transaction, 'to' | 'data' | 'accessList'>): bigint {
  let zeros = 0
  for (const byte of tx.data) if (byte === 0) zeros++
  let gas = (tx.to === null ? 53_000n : 21_000n) + BigInt(4 * zeros + 16 * (tx.data.length - zeros))
  for (const entry of tx.accessList) gas += 2400n + 1900n * BigInt(entry.storageKeys.length)
  return gas
}
