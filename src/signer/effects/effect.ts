// What a request would do once signed: who may take what from whom, up to which amount and until when, who gains
// control, and what can't be determined. Severity, strict mode, policies and the window all depend on these.
import type { LowerAddress } from '../../base/hex'

/**
 * - `payment`: LAX leaves the account.
 * - `transfer`: units of a token, or one non-fungible token, go from `from` to `to`.
 * - `grant`: `to` may take later, up to `amount`; `revocation`: it no longer may.
 * - `control`: `to` controls `contract`, or its code runs in place of it.
 * - `proceeds`: what it yields goes to `to`: of a swap, a redemption, a deposit, an order.
 * - `vote`: `to` votes for the account.
 * - `order`: whoever fills it takes what it offers.
 * - `creation`: a new contract.
 * - `unknown`: its data doesn't reveal what it does.
 * - `unreadable`: the data is constructed so that part of it can't be read.
 */
type EffectKind =
  | 'payment'
  | 'transfer'
  | 'grant'
  | 'revocation'
  | 'control'
  | 'proceeds'
  | 'vote'
  | 'order'
  | 'creation'
  | 'unknown'
  | 'unreadable'

/** `call`: happens in the transaction; `signature`: whoever has the signature can do it later. */
export type EffectForm = 'call' | 'signature'

export interface Effect {
  readonly kind: EffectKind
  readonly form: EffectForm
  /** The token, or the controlled contract; null when the data doesn't name it. */
  readonly contract: LowerAddress | null
  /** True when `contract` is the one called by the transaction itself. */
  readonly isCallee: boolean
  /** Whose assets; null = the signing account's. */
  readonly from: LowerAddress | null
  /** The recipient; null = anyone, or unknown. */
  readonly to: LowerAddress | null
  /** Smallest units; `all` = every token now and later; `number`: one non-fungible token, identified in `detail`. */
  readonly amount: bigint | 'all' | 'number' | null
  /** Of one non-fungible token that an order offers: which one. Missing for anything else. */
  readonly id?: bigint
  /** True for a transfer in bytes that no decoded call shows. */
  readonly isHidden?: true
  /** UTC seconds; null = no expiry. */
  readonly until: bigint | null
  /** The shipped method or EIP-712 type it was derived from; never a caller's name. */
  readonly source: string
  /** 0 = the request itself, 1 = a call nested in it, and so on. */
  readonly depth: number
  readonly detail: string
}

/** From this amount on it counts as unlimited: 2^95 is 39 billion whole tokens of 18 decimals. */
const UNLIMITED = 1n << 95n

/** Whether an amount is practically unlimited. */
export function isUnlimited(amount: Effect['amount']): boolean {
  return amount === 'all' || (typeof amount === 'bigint' && amount >= UNLIMITED)
}

/** Protocols write it where nobody in particular is meant, or the coin itself and no token. */
export const NOBODY = `0x${'0'.repeat(40)}`

/** What a wallet of the Safe family pays for gas: whoever has it sent sets the price, and may get it. */
export function gasRefund(token: LowerAddress | null, receiver: LowerAddress | null) {
  const detail = 'as a refund of gas, at a price that the request sets'
  const base = { to: receiver === NOBODY ? null : receiver, amount: 'all', detail } as const
  if (token === NOBODY) return { ...base, kind: 'payment', contract: null } as const
  return { ...base, kind: 'grant', contract: token } as const
}

/** Later seconds aren't realistic dates (year 9999). */
export const MAX_DATE_S = 253_402_300_799n
