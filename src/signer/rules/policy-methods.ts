// Token methods that a policy can name. What each does follows from its data with certainty, independent of other
// contracts: a swap, for example, may pay out in a worthless token.
import type { Effect } from '../effects/effect'

/** By the policy's name for it: the exact signature. */
const METHODS = {
  transfer: 'transfer(address,uint256)',
  transferFrom: 'transferFrom(address,address,uint256)',
  approve: 'approve(address,uint256)',
  increaseAllowance: 'increaseAllowance(address,uint256)',
  decreaseAllowance: 'decreaseAllowance(address,uint256)',
} as const

export type PolicyMethod = keyof typeof METHODS
export const policyMethods = Object.keys(METHODS) as [PolicyMethod, ...PolicyMethod[]]

/** Those that let someone else take units later. */
export const grantingMethods: readonly PolicyMethod[] = ['approve', 'increaseAllowance']

/**
 * The method with this effect on the account's units.
 * @param account lower case
 * @returns null when it is none of these, or affects someone else's units
 */
export function policyMethodOf({ kind, from, source }: Effect, account: string): PolicyMethod | null {
  const name = policyMethods.find((each) => METHODS[each] === source) ?? null
  const isOwn = from === null || from === account
  return isOwn && ['transfer', 'grant', 'revocation'].includes(kind) ? name : null
}
