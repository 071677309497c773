// Token amounts in a transaction's call data, displayed beside what the tokens claim about themselves.
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { isUnlimited } from '../effects/effect'
import { transactionMeaning } from '../effects/transaction-effects'
import type { PayingTransaction } from './payees'

/** An amount of one token. */
export interface TokenAmount {
  /** `grant`: may be taken later. */
  readonly kind: 'transfer' | 'grant'
  readonly contract: LowerAddress
  /** Null = not named. */
  readonly to: LowerAddress | null
  /** Smallest units; may also be a token id, which the data doesn't reveal. */
  readonly amount: bigint
}

/** Maximum number displayed; all of them are in the call data. */
const MAX_AMOUNTS = 8

/** Limited amounts of named tokens; unlimited ones are a finding of their own. */
export function tokenAmounts({ to, value, data }: PayingTransaction): readonly TokenAmount[] {
  if (to === null || data.length <= 2) return []
  const { effects } = transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) })
  const found = effects.flatMap(({ kind, contract, to: receiver, amount }): readonly TokenAmount[] => {
    if ((kind !== 'transfer' && kind !== 'grant') || contract === null || typeof amount !== 'bigint') return []
    return isUnlimited(amount) ? [] : [{ kind, contract, to: receiver, amount }]
  })
  return found.slice(0, MAX_AMOUNTS)
}
