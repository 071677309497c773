// The effects of a transaction: what it pays, and what its call does.
import { matchCall } from '../abi/call'
import type { LowerAddress } from '../address'
import { blank, EffectReader, knownMethod } from './call-effects'
import type { Effect } from './effect'

interface TransactionMeaningInput {
  /** Null for a creation. */
  readonly to: LowerAddress | null
  readonly value: bigint
  readonly data: Uint8Array
}

export interface TransactionMeaning {
  readonly effects: readonly Effect[]
  /**
   * Whether these are all its effects: plain LAX, or one known method in its canonical encoding that makes no further
   * calls. Anything else may do more than its data reveals.
   */
  readonly isComplete: boolean
  /** Which parts of it aren't understood, in plain words; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
}

export function transactionMeaning({ to, value, data }: TransactionMeaningInput): TransactionMeaning {
  const payment: Effect = { ...blank('call', 0), kind: 'payment', to, amount: value }
  const paid = value > 0n ? [payment] : []
  if (to === null) {
    const effects: readonly Effect[] = [...paid, { ...blank('call', 0), kind: 'creation' }]
    return { effects, isComplete: false, notUnderstood: ['what the code of the new contract does'] }
  }
  if (data.length === 0) return { effects: paid, isComplete: true, notUnderstood: [] }
  const reader = new EffectReader('call')
  reader.readCall(data, { contract: to, sender: null, depth: 0 })
  const signature = knownMethod(data)
  const found = reader.effects
  if (signature === null) {
    const unknown: Effect = { ...blank('call', 0), contract: to }
    return { effects: [...paid, ...found, unknown], isComplete: false, notUnderstood: reader.notUnderstood }
  }
  const isExact = matchCall(signature, data).kind === 'match'
  return {
    effects: [...paid, ...found],
    isComplete: isExact && reader.notUnderstood.length === 0 && found.length > 0 && found.every(isOwnDeed),
    notUnderstood: isExact
      ? reader.notUnderstood
      : [...reader.notUnderstood, `data that doesn't belong to the method ${signature}`],
  }
}

/** Done by the called contract itself rather than by a nested call. */
function isOwnDeed({ depth, kind }: Effect): boolean {
  return depth === 0 && kind !== 'unknown'
}
