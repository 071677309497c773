// Amounts of tokens that a transaction names in its call data, for display beside what its tokens claim of themselves.
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { isUnlimited } from '../effects/effect'
import { transactionMeaning } from '../effects/transaction-effects'
import type { PayingTransaction } from './payees'

export interface TokenAmount {
  /** `grant`: may be taken later. */
  readonly kind: 'transfer' | 'grant'
  readonly contract: LowerAddress
  /** Null = not named. */
  readonly to: LowerAddress | null
  /** Smallest units; may also be the number of a token, which the data does not tell. */
  readonly amount: bigint
}

/** As many as are shown; every one of them stands in the call data. */
const MAX_AMOUNTS = 8

/** Bounded amounts of named tokens; what is unlimited is a finding of its own. */
export function tokenAmounts({ to, value, data }: PayingTransaction): readonly TokenAmount[] {
  if (to === null || data.length <= 2) return []
  const { effects } = transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) })
  const found = effects.flatMap(({ kind, contract, to: receiver, amount }): readonly TokenAmount[] => {
    if ((kind !== 'transfer' && kind !== 'grant') || contract === null || typeof amount !== 'bigint') return []
    return isUnlimited(amount) ? [] : [{ kind, contract, to: receiver, amount }]
  })
  return found.slice(0, MAX_AMOUNTS)
}
