// Who is paid by a transaction besides its destination, and the amounts in its call data, displayed beside what the
// tokens claim about themselves.
import { bytesOfHex, type LowerAddress } from '../../base/hex'
import { transactionMeaning } from '../effects/call-effects'
import { type Effect, isUnlimited } from '../effects/effect'
import type { SignatureUse } from './signature-use'

/** More recipients than a user would check one by one; further ones are counted. */
const MAX_PAYEES = 64
/** Maximum number displayed; all of them are in the call data. */
const MAX_AMOUNTS = 8

export interface TokenAmount {
  /** `grant`: may be taken later. */
  readonly kind: 'transfer' | 'grant'
  readonly contract: LowerAddress
  readonly to: LowerAddress | null
  /** Smallest units; may also be a token id, which the data doesn't reveal. */
  readonly amount: bigint
}

/** The parts of a transaction that name recipients: addresses and data as 0x hex, the value in decimal. */
interface PayingTransaction {
  readonly to: string | null
  readonly value: string
  readonly data: string
}

/** What a transaction names besides its destination; kept with its request, since deriving it may take long. */
export interface NamedParties {
  /** Everyone who gains something, lower case, the destination first. */
  readonly parties: readonly LowerAddress[]
  readonly leftOut: number
  /** Distinct token recipients, lower case; including those of nested calls. */
  readonly payees: readonly LowerAddress[]
  readonly tokens: readonly TokenAmount[]
}

/** What the checks found besides the content: for facts and simulations, never for a decision. */
export interface RequestAside {
  readonly named: NamedParties | null
  /** Of data; null when it isn't known what others would do with its signature. */
  readonly use: SignatureUse | null
}

/** @param to lower case; null = a creation */
export function namedParties(to: LowerAddress | null, effects: readonly Effect[]): NamedParties {
  if (to === null) return { parties: [], leftOut: 0, payees: [], tokens: [] }
  const gaining = effects.flatMap((effect) => (effect.to === null ? [] : [effect.to]))
  const all = [...new Set([to, ...gaining])]
  const parties = all.slice(0, MAX_PAYEES)
  return { parties, leftOut: all.length - parties.length, payees: payeesIn(effects), tokens: amountsIn(effects) }
}

/** Distinct token recipients, lower case; including those of nested calls. Empty for plain LAX. */
export function tokenPayees({ to, value, data }: PayingTransaction): readonly LowerAddress[] {
  if (to === null || data.length <= 2) return []
  return payeesIn(transactionMeaning({ to: to.toLowerCase(), value: BigInt(value), data: bytesOfHex(data) }).effects)
}

function payeesIn(effects: readonly Effect[]): readonly LowerAddress[] {
  const receivers = effects.flatMap(({ kind, to }) => (kind === 'transfer' && to !== null ? [to] : []))
  return [...new Set(receivers)].slice(0, MAX_PAYEES)
}

/** Limited amounts of named tokens; unlimited ones are a finding of their own. */
function amountsIn(effects: readonly Effect[]): readonly TokenAmount[] {
  const found = effects.flatMap(({ kind, contract, to, amount }): readonly TokenAmount[] => {
    if ((kind !== 'transfer' && kind !== 'grant') || contract === null || typeof amount !== 'bigint') return []
    return isUnlimited(amount) ? [] : [{ kind, contract, to, amount }]
  })
  return found.slice(0, MAX_AMOUNTS)
}
