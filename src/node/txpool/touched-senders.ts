// Who sent the transactions of new blocks, so that the pool looks again at those accounts only.
import { toHex } from '../../base/hex'
import { recoverSender } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'

/** Recovering a sender costs about as much as so many reads of an account. */
const READS_PER_RECOVERY = 8

export interface SenderQuestion {
  readonly chainId: bigint
  /** How many accounts there are to look at otherwise. */
  readonly most: number
  /** The sender of a transaction that the pool holds. */
  readonly known: (hash: Uint8Array) => Uint8Array | null
}

/** Hex of the senders; null when looking at all accounts is cheaper than finding them. */
export function sendersOf(transactions: readonly AnyTransaction[], question: SenderQuestion): readonly string[] | null {
  const unknown = transactions.filter((tx) => question.known(tx.hash) === null)
  if (unknown.length > 0 && unknown.length * READS_PER_RECOVERY >= question.most) return null
  const names = new Set<string>()
  for (const tx of transactions) {
    const sender = question.known(tx.hash)
    const signed = sender === null ? recoverSender(tx, question.chainId) : null
    if (sender !== null) names.add(toHex(sender))
    else if (signed?.ok === true) names.add(toHex(signed.value.sender))
  }
  return [...names]
}
