// Whether a policy covers a question. Pure: the same for a request that waits and for one of the past.
import { z } from 'zod'
import type { Question } from '../ports'
import type { ListingPolicy, Policy, TransactionPolicy } from './policy'

/** What a transaction may take out of its account. */
export interface Use {
  readonly policy: string
  /** UTC ms */
  readonly at: number
  /** Value and highest fee together, wei, decimal. */
  readonly wei: string
  /** Hash of the transaction once it was signed; empty while it is only approved. */
  readonly hash: string
}

export type Match =
  | { readonly covered: true; readonly policy: Policy; readonly wei: bigint }
  /** `reason`: of the policy that came closest, for the dry run. */
  | { readonly covered: false; readonly reason: string }

/** A JSON-RPC quantity as a number. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
const optionalQuantity = quantity.nullish()

const transactionBody = z.object({
  transaction: z.object({
    from: z.string(),
    to: z.string().nullish(),
    gas: quantity,
    gasPrice: optionalQuantity,
    maxFeePerGas: optionalQuantity,
    value: quantity,
    data: z.string().nullish(),
  }),
  call_info: z.array(z.object({ type: z.string() })).nullish(),
})

const listingBody = z.object({ accounts: z.array(z.object({ address: z.string() })) })
const metaBody = z.object({ meta: z.object({ scheme: z.string(), Origin: z.string() }) })

type Transaction = z.infer<typeof transactionBody>['transaction']

/** @param uses what the policies let through so far @param now UTC ms */
export function matchPolicies(
  policies: readonly Policy[],
  question: Question,
  uses: readonly Use[],
  now: number,
): Match {
  let reason = 'no policy is about such a request'
  for (const policy of policies) {
    const fault = faultOf(policy, question, uses, now)
    if (typeof fault === 'bigint') return { covered: true, policy, wei: fault }
    if (fault !== null) reason = `${policy.name}: ${fault}`
  }
  return { covered: false, reason }
}

/** Why the policy does not cover it; null when it is about something else; the wei it costs when it does. */
function faultOf(policy: Policy, question: Question, uses: readonly Use[], now: number): string | bigint | null {
  const isListing = question.method === 'ui_approveListing'
  if (!isListing && question.method !== 'ui_approveTx') return null
  if ((policy.kind === 'listing') !== isListing) return null
  if (!policy.enabled) return 'it is switched off'
  if (policy.expiresAt !== null && now >= policy.expiresAt) return 'it has expired'
  if (!isCaller(policy, question)) return 'it is not about this caller'
  return policy.kind === 'listing' ? listingFault(policy, question) : transactionFault(policy, question, uses, now)
}

function listingFault(policy: ListingPolicy, { body }: Question): string | bigint {
  const parsed = listingBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const foreign = parsed.data.accounts.find(({ address }) => !policy.accounts.includes(address.toLowerCase()))
  return foreign === undefined ? 0n : `${foreign.address} is not among its accounts`
}

function transactionFault(
  policy: TransactionPolicy,
  { body }: Question,
  uses: readonly Use[],
  now: number,
): string | bigint | null {
  const parsed = transactionBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const { transaction: tx, call_info: findings } = parsed.data
  if (tx.from.toLowerCase() !== policy.account) return null
  if (findings?.some(({ type }) => type !== 'Info')) return 'there are warnings'
  if (tx.to === null || tx.to === undefined || tx.to === '') return 'it creates a contract'
  if (policy.recipients !== null && !policy.recipients.includes(tx.to.toLowerCase())) return 'another recipient'
  const method = methodFault(policy, tx)
  if (method !== null) return method
  const price = tx.maxFeePerGas ?? tx.gasPrice ?? 0n
  const fee = price * tx.gas
  if (tx.value > BigInt(policy.valueWei)) return `it sends ${tx.value} wei, more than ${policy.valueWei}`
  if (fee > BigInt(policy.feeWei)) return `its fee may come to ${fee} wei, more than ${policy.feeWei}`
  const cost = tx.value + fee
  return periodFault(policy, cost, uses, now) ?? cost
}

function methodFault({ methods }: TransactionPolicy, { data }: Transaction): string | null {
  const bytes = (data ?? '0x').toLowerCase()
  if (bytes === '0x' || bytes === '') return methods.length === 0 ? null : 'it calls no method'
  const selector = bytes.slice(0, 10)
  return methods.includes(selector) ? null : `the method ${selector} is not among its own`
}

function periodFault(policy: TransactionPolicy, cost: bigint, uses: readonly Use[], now: number): string | null {
  for (const { hours, wei, count } of policy.periods) {
    const since = now - hours * 3_600_000
    const mine = uses.filter((use) => use.policy === policy.id && use.at > since)
    const spent = mine.reduce((sum, use) => sum + BigInt(use.wei), 0n)
    if (count !== null && mine.length >= count) return `${count} in ${hours} h are reached`
    if (wei !== null && spent + cost > BigInt(wei)) {
      return `${spent} of ${wei} wei in ${hours} h are used, ${cost} more are too many`
    }
  }
  return null
}

function isCaller({ callers }: Policy, { body }: Question): boolean {
  if (callers === null) return true
  const parsed = metaBody.safeParse(body)
  if (!parsed.success) return false
  const { Origin } = parsed.data.meta
  // The UI API's word for this application's own requests.
  const scheme = parsed.data.meta.scheme === 'in-proc' ? 'app' : parsed.data.meta.scheme
  return callers.some((caller) => caller.scheme === scheme && (caller.origin === null || caller.origin === Origin))
}
