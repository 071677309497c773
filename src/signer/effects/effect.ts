// What a request would do once it is signed: who may take what from whom, up to which amount and until when, who gains
// control, and what nobody here can tell. Severity, strict mode, policies and the window all follow from these.
import type { LowerAddress } from '../address'

/**
 * - `payment`: LAX leaves the account.
 * - `transfer`: units of a token, or one numbered token, go from `from` to `to`.
 * - `grant`: `to` may take later, up to `amount`; `revocation`: it no longer may.
 * - `control`: `to` decides over `contract`, or its code runs in the place of it.
 * - `vote`: `to` votes for the account.
 * - `order`: whoever fills it takes what it offers.
 * - `creation`: a new contract.
 * - `unknown`: what it does cannot be told from its data.
 * - `unreadable`: the data is made so that not all of it can be read.
 */
export type EffectKind =
  | 'payment'
  | 'transfer'
  | 'grant'
  | 'revocation'
  | 'control'
  | 'vote'
  | 'order'
  | 'creation'
  | 'unknown'
  | 'unreadable'

/** `call`: a transaction does it; `signature`: whoever has the signature can do it later. */
export type EffectForm = 'call' | 'signature'

export interface Effect {
  readonly kind: EffectKind
  readonly form: EffectForm
  /** The token, or the contract that is controlled; null where the data does not name it. */
  readonly contract: LowerAddress | null
  /** True where `contract` is the one that the transaction itself calls. */
  readonly isCallee: boolean
  /** Whose assets; null = the account's that signs. */
  readonly from: LowerAddress | null
  /** Who receives or gains; null = anybody, or nobody that is named. */
  readonly to: LowerAddress | null
  /** Smallest units; `all` = every token there is now and later; `number`: one numbered token, told by `detail`. */
  readonly amount: bigint | 'all' | 'number' | null
  /** UTC seconds; null = without an end. */
  readonly until: bigint | null
  /** The shipped method or EIP-712 type that says so; never a caller's name. */
  readonly source: string
  /** 0 = the request itself, 1 = a call inside it, and so on. */
  readonly depth: number
  /** More in plain words; empty when there is nothing more. */
  readonly detail: string
}

/** From here on an amount is as good as unlimited: 2^95 is 39 billion whole tokens of 18 decimals. */
export const UNLIMITED = 1n << 95n

export function isUnlimited(amount: Effect['amount']): boolean {
  return amount === 'all' || (typeof amount === 'bigint' && amount >= UNLIMITED)
}

/** Seconds from here on aren't a date that anybody will see (year 9999). */
export const MAX_DATE_S = 253_402_300_799n
