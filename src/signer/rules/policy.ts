// Rules made in a form, without programming: who may send how much LAX and which tokens from an account to whom, until
// when. They apply to what a transaction does, not to its data. A policy only ever approves; anything not covered is
// asked.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { schemaFault } from '../../base/errors'
import { VaultError } from '../errors'
import { grantingMethods, policyMethods } from './policy-methods'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const wei = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

const caller = z.strictObject({
  /** The caller's transport: `http`, `ipc`, `app`. */
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

/** Token standards that policies tell apart. */
const tokenStandards = ['erc20', 'erc721'] as const
export type TokenStandard = (typeof tokenStandards)[number]

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
  standard: z.enum(tokenStandards).nullable().default(null),
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

const policy = z.discriminatedUnion('kind', [transactionPolicy, listingPolicy])

/** All policies; ids are unique. */
const policyList = z
  .array(policy)
  .max(100)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'want every id only once')

export type TransactionPolicy = z.infer<typeof transactionPolicy>
export type ListingPolicy = z.infer<typeof listingPolicy>
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
