// The effects of a transaction: what it pays, and what its call does.
import { matchCall } from '../abi/call'
import type { LowerAddress } from '../address'
import { blank, EffectReader, knownMethod } from './call-effects'
import type { Effect } from './effect'

/** What the effects are derived from. */
export interface TransactionMeaningInput {
  /** Null for a creation. */
  readonly to: LowerAddress | null
  readonly value: bigint
  readonly data: Uint8Array
}

/** A transaction's effects. */
export interface TransactionMeaning {
  readonly effects: readonly Effect[]
  /**
   * Whether these are all its effects: plain LAX, or one known method in its canonical encoding that makes no further
   * calls. Anything else may do more than its data reveals.
   */
  readonly isComplete: boolean
}

/** Derives a transaction's effects. */
export function transactionMeaning({ to, value, data }: TransactionMeaningInput): TransactionMeaning {
  const payment: Effect = { ...blank('call', 0), kind: 'payment', to, amount: value }
  const paid = value > 0n ? [payment] : []
  if (to === null) return { effects: [...paid, { ...blank('call', 0), kind: 'creation' }], isComplete: false }
  if (data.length === 0) return { effects: paid, isComplete: true }
  const reader = new EffectReader('call')
  reader.readCall(data, { contract: to, sender: null, depth: 0 })
  const signature = knownMethod(data)
  const found = reader.effects
  if (signature === null) {
    const unknown: Effect = { ...blank('call', 0), contract: to }
    return { effects: [...paid, ...found, unknown], isComplete: false }
  }
  const isExact = matchCall(signature, data).kind === 'match'
  return { effects: [...paid, ...found], isComplete: isExact && found.length > 0 && found.every(isOwnDeed) }
}

/** Done by the called contract itself rather than by a nested call. */
function isOwnDeed({ depth, kind }: Effect): boolean {
  return depth === 0 && kind !== 'unknown'
}
