// The senders of new blocks' transactions, so that the pool re-examines only those accounts.
import { toHex } from '../../base/hex'
import { recoverSender } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'

/** Recovering a sender costs about as much as this many account reads. */
const READS_PER_RECOVERY = 8

/** The blocks, and what is known about their senders. */
export interface SenderQuestion {
  readonly chainId: bigint
  /** How many accounts would have to be examined otherwise. */
  readonly most: number
  /** The sender of a transaction in the pool. */
  readonly known: (hash: Uint8Array) => Uint8Array | null
}

/** Senders in hex; null when examining all accounts is cheaper than recovering them. */
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
