// Who is paid by a transaction besides its destination: the token recipients in the call data.
import { bytesOfHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { transactionMeaning } from '../effects/transaction-effects'

/** More recipients than a user would check one by one; further ones aren't reported. */
const MAX_PAYEES = 64

/** The parts of a transaction that name recipients: addresses and data as 0x hex, the value in decimal. */
export interface PayingTransaction {
  readonly to: string | null
  readonly value: string
  readonly data: string
}

/** Every address that a transaction names as gaining something, lower case, the destination first. */
export function partiesOf({ to, value, data }: PayingTransaction): readonly LowerAddress[] {
  if (to === null) return []
  const { effects } = transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) })
  const gaining = effects.flatMap((effect) => (effect.to === null ? [] : [effect.to]))
  return [...new Set([to.toLowerCase(), ...gaining])].slice(0, MAX_PAYEES)
}

/** Distinct token recipients, lower case; including those of nested calls. Empty for plain LAX. */
export function tokenPayees({ to, value, data }: PayingTransaction): readonly LowerAddress[] {
  if (to === null || data.length <= 2) return []
  const { effects } = transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) })
  const receivers = effects.flatMap(({ kind, to: receiver }) =>
    kind === 'transfer' && receiver !== null ? [receiver] : [],
  )
  return [...new Set(receivers)].slice(0, MAX_PAYEES)
}
