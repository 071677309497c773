// Whether a policy covers a question. Pure: the same for pending and past requests.
import { z } from 'zod'
import { fromHex } from '../../base/hex'
import { formatDecimal } from '../../base/units'
import { CHECKSUM_FINDING } from '../checks/transaction-rules'
import type { Effect } from '../effects/effect'
import { effectFindings } from '../effects/effect-findings'
import { type TransactionMeaning, transactionMeaning } from '../effects/transaction-effects'
import type { Question } from '../ports'
import type { ListingPolicy, Policy, TransactionPolicy } from './policy'
import { policyMethodOf } from './policy-methods'

/** What a transaction takes from its account. */
export interface Use {
  readonly policy: string
  /** UTC ms */
  readonly at: number
  /** Value plus maximum fee, wei, decimal. */
  readonly wei: string
  /** Id of the request. */
  readonly request: string
  /** Hash of the transaction once signed; empty while only approved. */
  readonly hash: string
  /** Token units moved or granted, smallest units, decimal; null when none. */
  readonly token: { readonly contract: string; readonly amount: string } | null
}

/** What a transaction takes from its policy's limits. */
export interface Cost {
  readonly wei: bigint
  readonly token: { readonly contract: string; readonly amount: bigint } | null
}

/** The result of matching. */
export type Match =
  | { readonly covered: true; readonly policy: Policy; readonly cost: Cost }
  /** `reason`: of the closest policy, for the dry run. */
  | { readonly covered: false; readonly reason: string }

/** The use to store. */
export function asUse(
  { policy, cost }: Extract<Match, { readonly covered: true }>,
  { request, at, hash }: Pick<Use, 'request' | 'at' | 'hash'>,
): Use {
  const token = cost.token === null ? null : { ...cost.token, amount: cost.token.amount.toString() }
  return { policy: policy.id, at, wei: cost.wei.toString(), request, hash, token }
}

/** A JSON-RPC quantity as a number. */
const quantity = z
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
  call_info: z.array(z.object({ type: z.string(), message: z.string().nullish() })).nullish(),
})

const listingBody = z.object({ accounts: z.array(z.object({ address: z.string() })) })
const metaBody = z.object({ meta: z.object({ scheme: z.string(), Origin: z.string() }) })

/** @param uses earlier uses of the policies @param now UTC ms */
export function matchPolicies(
  policies: readonly Policy[],
  question: Question,
  uses: readonly Use[],
  now: number,
): Match {
  let reason = 'no policy is about such a request'
  for (const policy of policies) {
    const fault = faultOf(policy, question, uses, now)
    if (typeof fault === 'object' && fault !== null) return { covered: true, policy, cost: fault }
    if (fault !== null) reason = `${policy.name}: ${fault}`
  }
  return { covered: false, reason }
}

/** Why the policy doesn't cover it; null when it doesn't apply; its cost when it does. */
function faultOf(policy: Policy, question: Question, uses: readonly Use[], now: number): string | Cost | null {
  const isListing = question.method === 'ui_approveListing'
  if (!isListing && question.method !== 'ui_approveTx') return null
  if ((policy.kind === 'listing') !== isListing) return null
  if (!policy.enabled) return 'it is switched off'
  if (policy.expiresAt !== null && now >= policy.expiresAt) return 'it has expired'
  if (!isCaller(policy, question)) return 'it is not about this caller'
  return policy.kind === 'listing' ? listingFault(policy, question) : transactionFault(policy, question, uses, now)
}

const NOTHING: Cost = { wei: 0n, token: null }

function listingFault(policy: ListingPolicy, { body }: Question): string | Cost {
  const parsed = listingBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const foreign = parsed.data.accounts.find(({ address }) => !policy.accounts.includes(address.toLowerCase()))
  return foreign === undefined ? NOTHING : `${foreign.address} is not among its accounts`
}

function transactionFault(
  policy: TransactionPolicy,
  { body }: Question,
  uses: readonly Use[],
  now: number,
): string | Cost | null {
  const parsed = transactionBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const { transaction: tx, call_info: findings } = parsed.data
  if (tx.from.toLowerCase() !== policy.account) return null
  if (policy.methods.length > 0) return 'it names methods, as earlier versions did: make it again'
  const data = fromHex(tx.data ?? '0x')
  if (data === null) return 'it cannot be read'
  const meaning = transactionMeaning({ to: tx.to?.toLowerCase() || null, value: tx.value, data })
  if (findings?.some((finding) => isObstacle(finding, tx.to ?? '', meaning))) return 'there are warnings'
  if (tx.to === null || tx.to === undefined || tx.to === '') return 'it creates a contract'
  const moved = movedBy(policy, meaning)
  if (typeof moved === 'string') return moved
  const fee = (tx.maxFeePerGas ?? tx.gasPrice ?? 0n) * tx.gas
  if (tx.value > BigInt(policy.valueWei)) return `it sends ${lax(tx.value)} LAX, more than ${lax(policy.valueWei)}`
  if (fee > BigInt(policy.feeWei)) return `its fee may come to ${lax(fee)} LAX, more than ${lax(policy.feeWei)}`
  const cost = { wei: tx.value + fee, token: moved }
  return periodFault(policy, cost.wei, uses, now) ?? tokenFault(policy, cost, uses, now) ?? cost
}

/** Findings that the policy judges itself are ignored; and an address in a single case claims no checksum. */
function isObstacle(
  { type, message }: { readonly type: string; readonly message?: string | null | undefined },
  to: string,
  { effects }: TransactionMeaning,
): boolean {
  if (type === 'Info') return false
  if (type !== 'WARNING') return true
  if (effectFindings(effects).some((own) => own.severity === type && own.message === message)) return false
  const digits = to.slice(2)
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return !(isPlain && message === CHECKSUM_FINDING)
}

/** The token units a transaction moves, null for none; or why the policy doesn't cover it. */
function movedBy(policy: TransactionPolicy, { effects, isComplete }: TransactionMeaning): Cost['token'] | string {
  if (!isComplete) return 'what it does cannot be told for certain from its data'
  let moved: Cost['token'] = null
  for (const effect of effects) {
    const { kind, to, contract } = effect
    if (kind !== 'payment' && !isNamed(policy, effect)) return `it does something else (${effect.source || kind})`
    const gains = kind !== 'revocation'
    if (gains && policy.recipients !== null && !policy.recipients.includes(to ?? '')) return 'another recipient'
    if (kind === 'payment') continue
    const amount = gains ? effect.amount : 0n
    if (moved !== null || contract === null || typeof amount !== 'bigint') return 'it moves several tokens'
    moved = { contract, amount }
  }
  return moved
}

/**
 * A method that the policy names for this token; for an unlisted token `transfer`, so that the reason names the token.
 */
function isNamed({ account, tokens }: TransactionPolicy, effect: Effect): boolean {
  const name = policyMethodOf(effect, account)
  const names = tokens.find(({ contract }) => contract === effect.contract)?.methods ?? ['transfer']
  return name !== null && names.includes(name)
}

function tokenFault(policy: TransactionPolicy, { token }: Cost, uses: readonly Use[], now: number): string | null {
  if (token === null) return null
  const limit = policy.tokens.find(({ contract }) => contract === token.contract)
  if (limit === undefined) return `the token ${token.contract} is not among its own`
  if (token.amount > BigInt(limit.amount)) return `it moves ${token.amount} units, more than ${limit.amount}`
  for (const { hours, amount } of limit.periods) {
    const moved = usesSince(policy, uses, now - hours * HOUR_MS)
      .filter((use) => use.token?.contract === token.contract)
      .reduce((sum, use) => sum + BigInt(use.token?.amount ?? 0), 0n)
    if (moved + token.amount > BigInt(amount)) {
      return `${moved} of ${amount} units in ${hours} h are used, ${token.amount} more are too many`
    }
  }
  return null
}

const HOUR_MS = 3_600_000

/** Wei as an exact amount of LAX: texts for people contain no wei. */
const lax = (wei: bigint | string): string => formatDecimal(BigInt(wei))

function usesSince({ id }: TransactionPolicy, uses: readonly Use[], since: number): readonly Use[] {
  return uses.filter((use) => use.policy === id && use.at > since)
}

function periodFault(policy: TransactionPolicy, cost: bigint, uses: readonly Use[], now: number): string | null {
  for (const { hours, wei, count } of policy.periods) {
    const mine = usesSince(policy, uses, now - hours * HOUR_MS)
    const spent = mine.reduce((sum, use) => sum + BigInt(use.wei), 0n)
    if (count !== null && mine.length >= count) return `${count} in ${hours} h are reached`
    if (wei !== null && spent + cost > BigInt(wei)) {
      return `${lax(spent)} of ${lax(wei)} LAX in ${hours} h are used, ${lax(cost)} more are too many`
    }
  }
  return null
}

function isCaller({ callers }: Policy, { body }: Question): boolean {
  if (callers === null) return true
  const parsed = metaBody.safeParse(body)
  if (!parsed.success) return false
  const { Origin } = parsed.data.meta
  // The UI API's name for this application's own requests.
  const scheme = parsed.data.meta.scheme === 'in-proc' ? 'app' : parsed.data.meta.scheme
  return callers.some((caller) => caller.scheme === scheme && (caller.origin === null || caller.origin === Origin))
}
