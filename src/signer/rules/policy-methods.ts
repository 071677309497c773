// Methods of a token that a policy can name. What each does can be told for certain from its data, and does not depend on what
// other contracts do: a swap, for one, may pay out in a token that is worth nothing.
import type { Effect } from '../effects/effect'

/** By the name that a policy has: the one signature that is meant. */
const METHODS = {
  transfer: 'transfer(address,uint256)',
  transferFrom: 'transferFrom(address,address,uint256)',
  approve: 'approve(address,uint256)',
  increaseAllowance: 'increaseAllowance(address,uint256)',
  decreaseAllowance: 'decreaseAllowance(address,uint256)',
} as const

export type PolicyMethod = keyof typeof METHODS
export const policyMethods = Object.keys(METHODS) as [PolicyMethod, ...PolicyMethod[]]

/** Those after which another one may take units later. */
export const grantingMethods: readonly PolicyMethod[] = ['approve', 'increaseAllowance']

/**
 * The method that has this effect on units of the account.
 * @param account lower case
 * @returns null where it is none of these, or the units are those of others
 */
export function policyMethodOf({ kind, from, source }: Effect, account: string): PolicyMethod | null {
  const name = policyMethods.find((each) => METHODS[each] === source) ?? null
  const isOwn = from === null || from === account
  return isOwn && ['transfer', 'grant', 'revocation'].includes(kind) ? name : null
}
