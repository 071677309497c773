// Whether a policy covers a question. Pure: the same for pending and past requests. Closed: what isn't understood, or
// can't be told of this token or this account, is asked.

import { hash } from 'node:crypto'
import { z } from 'zod'
import { schemaFault } from '../../base/errors'
import { fromHex } from '../../base/hex'
import { HOUR_MS } from '../../base/time'
import { formatDecimal } from '../../base/units'
import { auditRecords } from '../audit/audit-check'
import { CHECKSUM_FINDING } from '../checks/transaction-rules'
import { type TransactionMeaning, transactionMeaning } from '../effects/call-effects'
import type { Effect } from '../effects/effect'
import { effectFindings } from '../effects/effect-findings'
import { VaultError } from '../errors'
import type { Question, TokenStandard } from '../ports'
import { UseTotals } from './use-totals'

const METHODS = {
  transfer: 'transfer(address,uint256)',
  transferFrom: 'transferFrom(address,address,uint256)',
  approve: 'approve(address,uint256)',
  increaseAllowance: 'increaseAllowance(address,uint256)',
  decreaseAllowance: 'decreaseAllowance(address,uint256)',
} as const

type PolicyMethod = keyof typeof METHODS
const policyMethods = Object.keys(METHODS) as [PolicyMethod, ...PolicyMethod[]]

/** Those that let someone else take units later. */
const grantingMethods: readonly PolicyMethod[] = ['approve', 'increaseAllowance']

/**
 * The method with this effect on the account's units.
 * @param account lower case
 * @returns null when it is none of these, or affects someone else's units
 */
function policyMethodOf({ kind, from, source }: Effect, account: string): PolicyMethod | null {
  const name = policyMethods.find((each) => METHODS[each] === source) ?? null
  const isOwn = from === null || from === account
  return isOwn && ['transfer', 'grant', 'revocation'].includes(kind) ? name : null
}

/** What a transaction takes from its account. */
export interface Use {
  readonly policy: string
  /** Whose; lower case. */
  readonly account: string
  /** UTC ms */
  readonly at: number
  /** Value plus maximum fee, wei, decimal. */
  readonly wei: string
  /** Token units moved or granted, smallest units, decimal; null when none. */
  readonly token: { readonly contract: string; readonly amount: string } | null
}

/** What a transaction takes from its policy's limits. */
interface Cost {
  /** Lower case; empty for a listing. */
  readonly account: string
  readonly wei: bigint
  readonly token: { readonly contract: string; readonly amount: bigint } | null
}

/** What a decision depends on besides policy and request. */
export interface Circumstances {
  /** By which uses count, UTC ms. */
  readonly now: number
  /** By which policies expire, UTC ms: the later of `now` and the wall clock. */
  readonly today: number
  readonly uses: Pick<UseTotals, 'since'>
  /**
   * Nonces that a transaction of this account may have: `lowest` to `highest`. `unknown`: the node beside the signer
   * didn't say; `unchecked`: in a dry run.
   */
  readonly nonces: (account: string) => NonceRange | 'unknown' | 'unchecked'
  /** The token's standard as its contract answers the own node; null when it can't be told. */
  readonly standardOf: (contract: string) => TokenStandard | null
}

export interface NonceRange {
  readonly lowest: bigint
  readonly highest: bigint
}

type Match =
  | { readonly covered: true; readonly policy: Policy; readonly cost: Cost }
  /** `reason`: of the closest policy, for the dry run. */
  | { readonly covered: false; readonly reason: string }

/** @param at UTC ms */
export function asUse({ policy, cost }: Extract<Match, { readonly covered: true }>, at: number): Use {
  const token = cost.token === null ? null : { ...cost.token, amount: cost.token.amount.toString() }
  return { policy: policy.id, account: cost.account, at, wei: cost.wei.toString(), token }
}

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
    nonce: optionalQuantity,
    data: z.string().nullish(),
    input: z.string().nullish(),
  }),
  call_info: z.array(z.object({ type: z.string(), message: z.string().nullish() })).nullish(),
})

const listingBody = z.object({ accounts: z.array(z.object({ address: z.string() })) })
const metaBody = z.object({ meta: z.object({ scheme: z.string(), Origin: z.string() }) })

/** The account and token that deciding needs facts about; null when no policy can be about the question. */
export function subjectOf({ method, body }: Question): { readonly account: string; readonly to: string } | null {
  const parsed = method === 'ui_approveTx' ? transactionBody.safeParse(body) : null
  if (parsed?.success !== true) return null
  const { from, to } = parsed.data.transaction
  return { account: from.toLowerCase(), to: to?.toLowerCase() ?? '' }
}

/** The first policy that covers the question. */
export function matchPolicies(policies: readonly Policy[], question: Question, circumstances: Circumstances): Match {
  let reason = 'no policy is about such a request'
  for (const policy of policies) {
    const fault = faultOf(policy, question, circumstances)
    if (typeof fault === 'object' && fault !== null) return { covered: true, policy, cost: fault }
    if (fault !== null) reason = `${policy.name}: ${fault}`
  }
  return { covered: false, reason }
}

/** Why the policy doesn't cover it; null when it doesn't apply; its cost when it does. */
function faultOf(policy: Policy, question: Question, circumstances: Circumstances): string | Cost | null {
  const isListing = question.method === 'ui_approveListing'
  if (!isListing && question.method !== 'ui_approveTx') return null
  if ((policy.kind === 'listing') !== isListing) return null
  if (!policy.enabled) return 'it is switched off'
  if (policy.expiresAt !== null && circumstances.today >= policy.expiresAt) return 'it has expired'
  if (!isCaller(policy, question)) return 'it is not about this caller'
  return policy.kind === 'listing' ? listingFault(policy, question) : transactionFault(policy, question, circumstances)
}

const NOTHING: Cost = { account: '', wei: 0n, token: null }

function listingFault(policy: ListingPolicy, { body }: Question): string | Cost {
  const parsed = listingBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const foreign = parsed.data.accounts.find(({ address }) => !policy.accounts.includes(address.toLowerCase()))
  return foreign === undefined ? NOTHING : `${foreign.address} is not among its accounts`
}

/** Characters of call data: the methods of policies take 202. What is longer costs time, and no policy covers it. */
const LONGEST_DATA = 2_048

interface Deed {
  readonly to: string
  readonly value: bigint
  readonly data: Uint8Array
  readonly meaning: TransactionMeaning
}

function transactionFault(
  policy: TransactionPolicy,
  { body }: Question,
  circumstances: Circumstances,
): string | Cost | null {
  const parsed = transactionBody.safeParse(body)
  if (!parsed.success) return 'it cannot be read'
  const { transaction: tx, call_info: findings } = parsed.data
  const account = tx.from.toLowerCase()
  if (account !== policy.account) return null
  if (policy.methods.length > 0) return 'it names methods, as earlier versions did: make it again'
  if (Math.max(tx.data?.length ?? 0, tx.input?.length ?? 0) > LONGEST_DATA) {
    return 'its data is longer than that of any method of policies'
  }
  const data = dataOf(tx)
  if (data === null) return 'it cannot be read'
  const to = tx.to?.toLowerCase() ?? ''
  const meaning = transactionMeaning({ to: to || null, value: tx.value, data })
  if (findings?.some((finding) => isObstacle(finding, tx.to ?? '', meaning))) return 'there are warnings'
  if (to === '') return 'it creates a contract'
  const moved = movedBy(policy, { to, value: tx.value, data, meaning }, circumstances)
  if (typeof moved === 'string') return moved
  const fee = (tx.maxFeePerGas ?? tx.gasPrice ?? 0n) * tx.gas
  if (tx.value > BigInt(policy.valueWei)) return `it sends ${lax(tx.value)} LAX, more than ${lax(policy.valueWei)}`
  if (fee > BigInt(policy.feeWei)) return `its fee may come to ${lax(fee)} LAX, more than ${lax(policy.feeWei)}`
  const far = nonceFault(tx.nonce ?? null, circumstances.nonces(account))
  if (far !== null) return far
  const cost = { account, wei: tx.value + fee, token: moved }
  return periodFault(policy, cost, circumstances) ?? tokenFault(policy, cost, circumstances) ?? cost
}

/** Null when it can't be read, or when `data` and `input` differ. */
function dataOf({
  data,
  input,
}: {
  readonly data?: string | null | undefined
  readonly input?: string | null | undefined
}) {
  const read = fromHex(data ?? input ?? '0x')
  const other = fromHex(input ?? data ?? '0x')
  return read !== null && other !== null && Buffer.compare(read, other) === 0 ? read : null
}

/** Signatures with nonces far ahead could be collected and sent all at once, when the limits no longer count them. */
function nonceFault(nonce: bigint | null, range: ReturnType<Circumstances['nonces']>): string | null {
  if (range === 'unchecked') return null
  if (nonce === null) return 'it names no nonce'
  if (range === 'unknown') return 'the node did not say which nonce is next'
  if (nonce >= range.lowest && nonce <= range.highest) return null
  return `its nonce ${nonce} is far from the next one, want ${range.lowest} to ${range.highest}`
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
function movedBy(policy: TransactionPolicy, deed: Deed, circumstances: Circumstances): Cost['token'] | string {
  const { to, value, data, meaning } = deed
  const { effects, isComplete } = meaning
  if (!isComplete) return 'what it does cannot be told for certain from its data'
  const isTokenCall = data.length > 0 && value === 0n && policy.tokens.some(({ contract }) => contract === to)
  // Also without any effect: a call that pays nothing still reaches the code of its recipient.
  if (!isTokenCall && !isRecipient(policy, to)) return `another recipient (${to})`
  let moved: Cost['token'] = null
  for (const effect of effects) {
    const { kind, to: party, contract } = effect
    if (kind === 'payment' && party === to) continue
    const method = nameOf(policy, effect)
    if (method === null) return `it does something else (${effect.source || kind})`
    // Whatever the amount and direction: on another token the same data may grant what it revokes here.
    if (!isRecipient(policy, party)) return `another recipient (${party ?? 'anybody'})`
    if (moved !== null || contract === null || data.length < WORD_BYTES) return 'it moves several tokens'
    const amount = amountOf(method, data, standardIn(policy, contract, circumstances))
    if (typeof amount === 'string') return amount
    moved = { contract, amount }
  }
  return moved
}

function isRecipient({ recipients }: TransactionPolicy, party: string | null): boolean {
  return recipients === null || (party !== null && recipients.includes(party))
}

const WORD_BYTES = 32

/** What the policy says and the contract answers; `disputed` when they differ. */
function standardIn(policy: TransactionPolicy, contract: string, circumstances: Circumstances) {
  const told = policy.tokens.find((each) => each.contract === contract)?.standard ?? null
  const answered = circumstances.standardOf(contract)
  if (told !== null && answered !== null && told !== answered) return 'disputed'
  return told ?? answered
}

/** What a method takes: units, or one non-fungible token. @returns a text when it can't be told */
function amountOf(
  method: PolicyMethod,
  data: Uint8Array,
  standard: TokenStandard | 'disputed' | null,
): bigint | string {
  if (standard === 'disputed') return 'the contract answers to another token standard than the policy names'
  const word = BigInt(`0x${Buffer.from(data.subarray(-WORD_BYTES)).toString('hex')}`)
  const isShared = method === 'approve' || method === 'transferFrom'
  if (standard === 'erc721') {
    return isShared ? 1n : `it calls ${method}, which tokens with numbers (ERC-721) do not have`
  }
  if (isShared && standard === null) {
    return `whether ${method} counts units or names one token cannot be told: name the token's standard in the policy`
  }
  // Decreases count too: a contract that doesn't check for underflow turns one into an unlimited allowance.
  return word
}

/** The method, if the policy names it for this token; for an unlisted token `transfer`, so that the reason names it. */
function nameOf({ account, tokens }: TransactionPolicy, effect: Effect): PolicyMethod | null {
  const name = policyMethodOf(effect, account)
  const names = tokens.find(({ contract }) => contract === effect.contract)?.methods ?? ['transfer']
  return name !== null && names.includes(name) ? name : null
}

function tokenFault(policy: TransactionPolicy, { account, token }: Cost, { uses, now }: Circumstances): string | null {
  if (token === null) return null
  const { contract } = token
  const limit = policy.tokens.find((each) => each.contract === contract)
  if (limit === undefined) return `the token ${contract} is not among its own`
  if (token.amount > BigInt(limit.amount)) return `it moves ${token.amount} units, more than ${limit.amount}`
  for (const { hours, amount } of limit.periods) {
    const moved = uses.since({ account, contract }, now - hours * HOUR_MS).sum
    if (moved + token.amount > BigInt(amount)) {
      return `${moved} of ${amount} units in ${hours} h are used, ${token.amount} more are too many`
    }
  }
  return null
}

/** Wei as an exact amount of LAX: texts for people contain no wei. */
const lax = (wei: bigint | string): string => formatDecimal(BigInt(wei))

/** The limits are the account's: what another policy has approved counts too. */
function periodFault(policy: TransactionPolicy, cost: Cost, { uses, now }: Circumstances): string | null {
  for (const { hours, wei, count } of policy.periods) {
    const past = uses.since({ account: cost.account, contract: null }, now - hours * HOUR_MS)
    if (count !== null && past.count >= count) return `${count} in ${hours} h are reached`
    if (wei !== null && past.sum + cost.wei > BigInt(wei)) {
      return `${lax(past.sum)} of ${lax(wei)} LAX in ${hours} h are used, ${lax(cost.wei)} more are too many`
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

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const wei = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

const caller = z.strictObject({
  scheme: z.enum(['http', 'ipc', 'app']),
  /** The Origin header, which a caller can forge; empty = without one; null = any. */
  origin: z.string().max(256).nullable(),
})

const period = z
  .strictObject({
    hours: z.number().int().min(1).max(8_760),
    /** Value plus maximum fee of all transactions in the period; null = no limit. */
    wei: wei.nullable(),
    /** Their number; null = no limit. */
    count: z.number().int().min(1).max(1_000_000).nullable(),
  })
  .refine(({ wei, count }) => wei !== null || count !== null, 'want a bound: wei, count or both')

const token = z.strictObject({
  contract: address,
  /** By name; the user is asked about its other methods. */
  methods: z
    .array(
      z.enum(policyMethods, {
        error: ({ input }) =>
          `what a method ${JSON.stringify(input)} does cannot be told for certain, so it is always asked; want one of ${policyMethods.join(', ')}`,
      }),
    )
    .min(1)
    .max(policyMethods.length)
    .default(['transfer']),
  /**
   * What the last argument of `approve` and `transferFrom` means: units (`erc20`), or the number of one token (`erc721`),
   * which counts as 1. Null = as the contract answers the own node; where that can't be told these two are asked.
   */
  standard: z.enum(['erc20', 'erc721']).nullable().default(null),
  /** Maximum units that one transaction may move, or grant. */
  amount: wei,
  /** Of all transactions in a period, smallest units. At least one. */
  periods: z
    .array(z.strictObject({ hours: z.number().int().min(1).max(8_760), amount: wei }))
    .min(1)
    .max(8),
})

const common = {
  /** Chosen by its creator; identifies the policy in the audit log. */
  id: z.string().regex(/^[a-zA-Z0-9-]{1,64}$/),
  name: z.string().min(1).max(100),
  enabled: z.boolean(),
  /** UTC ms; null = never expires. */
  expiresAt: z.number().int().nullable(),
  /** Null = any caller. */
  callers: z.array(caller).min(1).max(32).nullable(),
}

const transactionFields = z.strictObject({
  ...common,
  kind: z.literal('transaction'),
  account: address,
  /**
   * Everybody that a transaction may name: who gets LAX or tokens, who is called, who is allowed to take or no longer is.
   * Null = anyone. Called may also be the tokens below. A contract creation is never covered.
   */
  recipients: z.array(address).min(1).max(256).nullable(),
  /** Tokens whose methods may be called. Empty = none: then only LAX without data is covered. */
  tokens: z.array(token).max(32).default([]),
  /**
   * Selectors, of policies made before policies judged effects. A policy that names any matches nothing until it is
   * remade.
   */
  methods: z
    .array(z.string().regex(/^0x[0-9a-fA-F]{8}$/))
    .max(64)
    .default([]),
  /** Maximum value of a transaction, wei. */
  valueWei: wei,
  /** Maximum fee of a transaction, wei. */
  feeWei: wei,
  /**
   * At least one: without a limit over time a policy could gradually empty the account. Limits are the account's: what
   * other policies approved for it counts too.
   */
  periods: z.array(period).min(1).max(8),
})

const transactionPolicy = transactionFields.refine(
  ({ recipients, tokens }) =>
    recipients !== null || !tokens.some(({ methods }) => methods.some((name) => grantingMethods.includes(name))),
  { path: ['recipients'], message: `want who may be approved: ${grantingMethods.join(' and ')} are not for anybody` },
)

const listingPolicy = z.strictObject({
  ...common,
  kind: z.literal('listing'),
  /** The user is asked when a listing contains other accounts. */
  accounts: z.array(address).min(1).max(256),
})

/** Applies to what a transaction does, not to its data. It only ever approves: anything not covered is asked. */
const policy = z.discriminatedUnion('kind', [transactionPolicy, listingPolicy])

const policyList = z
  .array(policy)
  .max(100)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'want every id only once')

type TransactionPolicy = z.infer<typeof transactionPolicy>
type ListingPolicy = z.infer<typeof listingPolicy>
export type Policy = z.infer<typeof policy>

/** @throws VaultError SIGNER_POLICY_INVALID with the first fault */
export function parsePolicies(value: unknown): readonly Policy[] {
  const parsed = policyList.safeParse(value)
  if (parsed.success) return parsed.data
  throw new VaultError('SIGNER_POLICY_INVALID', { reason: schemaFault(parsed.error, 'list') })
}

/** A policy with the version that a change of it must name. */
export interface VersionedPolicy {
  readonly policy: Policy
  readonly version: string
}

/** Equal policies have equal versions: 16 hex digits. */
export function versionOf(policy: Policy): string {
  return hash('sha256', JSON.stringify(policy)).slice(0, 16)
}

const MAX_ROWS = 10_000

const decimal = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)

const pastRequest = z.object({
  type: z.literal('request'),
  id: z.string(),
  time: z.number(),
  caller: z.object({ transport: z.string(), origin: z.string() }),
  content: z.object({
    kind: z.string(),
    transaction: z
      .object({
        from: z.string(),
        to: z.string().nullable(),
        value: decimal,
        // Older entries have it as a number.
        gas: z.union([decimal, z.number().int().nonnegative().transform(BigInt)]),
        gasPrice: decimal.nullable(),
        maxFeePerGas: decimal.nullable(),
        data: z.string(),
      })
      .nullish(),
    accounts: z.array(z.object({ address: z.string() })).nullish(),
    findings: z.array(z.object({ severity: z.string(), message: z.string().nullish() })).nullish(),
  }),
})

export interface DryRunRow {
  readonly id: string
  /** UTC ms */
  readonly time: number
  readonly kind: string
  /** Name of the policy that would have approved; null = the user would have been asked. */
  readonly policy: string | null
  readonly reason: string
}

/** The past state of the chain isn't asked for. */
const UNKNOWN: Pick<Circumstances, 'nonces' | 'standardOf'> = { nonces: () => 'unchecked', standardOf: () => null }

/** The latest 10,000 requests that policies can apply to, oldest first. A missing file is an empty past. */
export async function dryRun(policies: readonly Policy[], auditFile: string): Promise<readonly DryRunRow[]> {
  const rows: DryRunRow[] = []
  const uses = new UseTotals()
  for await (const past of auditRecords(auditFile, pastRequest)) {
    const question = questionOf(past)
    if (question === null) continue
    const { id, time } = past
    const { kind } = past.content
    const match = matchPolicies(policies, question, { ...UNKNOWN, now: time, today: time, uses })
    if (match.covered && match.cost.account !== '') uses.add(asUse(match, time))
    rows.push({
      id,
      time,
      kind,
      policy: match.covered ? match.policy.name : null,
      reason: match.covered ? '' : match.reason,
    })
    if (rows.length > MAX_ROWS) rows.shift()
  }
  return rows
}

/** Null for one that no policy can be about. */
function questionOf({ caller, content }: z.infer<typeof pastRequest>): Question | null {
  const meta = { scheme: caller.transport, Origin: caller.origin }
  const { kind, transaction, accounts, findings } = content
  if (kind === 'listing') {
    return { method: 'ui_approveListing', body: { accounts: accounts ?? [], meta } }
  }
  if (kind !== 'signTransaction' || transaction === null || transaction === undefined) return null
  const hex = (value: bigint | null): string | null => (value === null ? null : `0x${value.toString(16)}`)
  const body = {
    transaction: {
      from: transaction.from,
      to: transaction.to,
      gas: hex(transaction.gas),
      gasPrice: hex(transaction.gasPrice),
      maxFeePerGas: hex(transaction.maxFeePerGas),
      value: hex(transaction.value),
      data: transaction.data,
    },
    call_info: (findings ?? []).map(({ severity, message }) => ({ type: severity, message })),
    meta,
  }
  return { method: 'ui_approveTx', body }
}
