// Who is paid by a transaction where that is not its destination: the receivers of tokens, which stand in the call data.
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { transactionMeaning } from '../effects/transaction-effects'

/** More receivers than a person would look at one by one; further ones are not told. */
export const MAX_PAYEES = 64

/** What of a transaction names its receivers: addresses and data as 0x hex, the value in decimal. */
export interface PayingTransaction {
  readonly to: string | null
  readonly value: string
  readonly data: string
}

/** Receivers of tokens, lower case, each once; also those of calls inside the call. Empty for plain LAX. */
export function tokenPayees({ to, value, data }: PayingTransaction): readonly LowerAddress[] {
  if (to === null || data.length <= 2) return []
  const { effects } = transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) })
  const receivers = effects.flatMap(({ kind, to: receiver }) =>
    kind === 'transfer' && receiver !== null ? [receiver] : [],
  )
  return [...new Set(receivers)].slice(0, MAX_PAYEES)
}
