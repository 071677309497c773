// What the user interface does with the signer beside deciding requests: look at what a request would change, open the
// vault, store passwords and policies, take in keys, send, and read the record. Passwords travel as base64 of their UTF-8
// bytes; nothing here ever answers one.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, done, hashSchema, nothing, timeSchema } from './shapes'

/** Base64 of a password's UTF-8 bytes. */
const passwordSchema = z.string().max(4096)

export const editsSchema = z.object({
  gas: decimalSchema.nullable(),
  nonce: decimalSchema.nullable(),
  gasPrice: decimalSchema.nullable(),
  maxFeePerGas: decimalSchema.nullable(),
  maxPriorityFeePerGas: decimalSchema.nullable(),
})

/** A move of tokens, as a contract's log tells it: the contract may lie. */
export const tokenMoveSchema = z.object({
  contract: addressSchema,
  from: addressSchema,
  to: addressSchema,
  /** Smallest units of a fungible token, or the number of the token where there is only one of it. */
  amount: decimalSchema,
  /** True where the log is that of a single, numbered token. */
  isNumbered: z.boolean(),
})

/** What the own node's state says would happen. A help, never a proof: the state changes until the transaction is mined. */
export const simulationSchema = z.object({
  outcome: z.enum(['succeeded', 'reverted', 'refused']),
  /** Why it would not succeed; empty otherwise. */
  reason: z.string(),
  gasUsed: countSchema,
  /** Height of the state it ran on. */
  block: countSchema,
  /** Of the sender and the receiver; `change` is signed decimal wei, fee included. */
  balances: z.array(z.object({ address: addressSchema, change: z.string().regex(/^-?\d{1,100}$/) })),
  tokens: z.array(tokenMoveSchema),
  /** How many more moves of tokens there were. */
  moreTokens: countSchema,
})

const transactionPolicySchema = z.object({
  kind: z.literal('transaction'),
  account: addressSchema,
  /** Null = any. */
  recipients: z.array(addressSchema).nullable(),
  /** First four bytes of the call data; empty = only without data. */
  methods: z.array(z.string()),
  valueWei: decimalSchema,
  feeWei: decimalSchema,
  periods: z.array(z.object({ hours: countSchema, wei: decimalSchema.nullable(), count: countSchema.nullable() })),
})

const listingPolicySchema = z.object({ kind: z.literal('listing'), accounts: z.array(addressSchema) })

/** The signer checks it again, and more strictly. */
export const policySchema = z.intersection(
  z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    /** Null = for good. */
    expiresAt: z.number().int().nullable(),
    /** Null = any. */
    callers: z.array(z.object({ scheme: z.enum(['http', 'ipc', 'app']), origin: z.string().nullable() })).nullable(),
  }),
  z.discriminatedUnion('kind', [transactionPolicySchema, listingPolicySchema]),
)

const policiesSchema = z.object({ policies: z.array(policySchema).max(100) })

export const vaultSchema = z.object({
  /** `off`: no signer runs here; `missing`: there is no master seed yet. */
  state: z.enum(['off', 'missing', 'closed', 'open']),
  /** Accounts whose password is stored; empty while closed, and for a connection without `approve` access. */
  stored: z.array(addressSchema),
  /** The script file that was named at the start; null = none. */
  rules: z.object({ file: z.string(), sha256: z.string(), isAttested: z.boolean() }).nullable(),
  takenAt: timeSchema,
})

export const sendSchema = z.object({
  id: z.string(),
  from: addressSchema,
  to: addressSchema,
  value: decimalSchema,
  /** `waiting` for the decision, `sent` to the own node's pool, `refused` by the user, `failed` for `reason`. */
  state: z.enum(['waiting', 'sent', 'refused', 'failed']),
  hash: hashSchema.nullable(),
  reason: z.string(),
  at: timeSchema,
})

export const auditRowSchema = z.object({
  /** From 0, in the order of the record. */
  seq: countSchema,
  time: timeSchema,
  /** `request`, `decision`, `result`, `refused`, `ruling`, `settings`, ... */
  type: z.string(),
  /** Kind of the request, where it is about one. */
  kind: z.string(),
  /** Who asked, or who signs. */
  who: z.string(),
  summary: z.string(),
  /** Of a signed transaction. */
  transactionHash: z.string().nullable(),
  hash: z.string(),
})

const movementSchema = z.object({ from: addressSchema, to: addressSchema, value: decimalSchema, data: dataSchema })

export const signerDeskCalls = {
  /** Why these edits would be refused (empty when they would not), and what the transaction then costs. */
  'signer.checkEdits': call(
    z.object({ id: z.string(), edits: editsSchema }),
    z.object({ objection: z.string() }),
    'approve',
  ),
  /** Null without a running node, or when the request is no transaction that waits. */
  'signer.simulate': call(
    z.object({ id: z.string(), edits: editsSchema.nullable() }),
    z.object({ simulation: simulationSchema.nullable() }),
    'approve',
  ),
  /** Rejects all that wait from the caller of this request. */
  'signer.rejectFrom': call(z.object({ id: z.string() }), z.object({ rejected: countSchema }), 'approve'),
  /** Takes the silence of `signer.rejectFrom` back. */
  'signer.hearAll': call(nothing, done, 'approve'),

  /** Makes the master seed and opens the vault. */
  'signer.vaultInit': call(z.object({ password: passwordSchema }), done, 'approve'),
  'signer.vaultUnlock': call(z.object({ password: passwordSchema }), done, 'approve'),
  'signer.vaultLock': call(nothing, done, 'approve'),
  /** Null forgets. A password that does not open the account is refused. */
  'signer.vaultSetPassword': call(
    z.object({ address: addressSchema, password: passwordSchema.nullable() }),
    done,
    'approve',
  ),
  /** Allows the script file that was named at the start, when it has this hash. */
  'signer.attestRules': call(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }), done, 'approve'),
  'signer.policies': call(nothing, policiesSchema, 'approve'),
  /** Puts all policies in the place of the present ones. */
  'signer.savePolicies': call(policiesSchema, policiesSchema, 'approve'),
  /** What these policies would have done with the requests on record. */
  'signer.dryRun': call(
    policiesSchema,
    z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          time: timeSchema,
          kind: z.string(),
          /** Name of the policy that would have approved; null = asked. */
          policy: z.string().nullable(),
          reason: z.string(),
        }),
      ),
    }),
    'approve',
  ),

  /** A key file, or 64 hex digits; `oldPassword` only for a key file. */
  'signer.importAccount': call(
    z.object({ text: z.string().max(100_000), oldPassword: passwordSchema.nullable(), password: passwordSchema }),
    z.object({ address: addressSchema }),
    'approve',
  ),
  'signer.changePassword': call(
    z.object({ address: addressSchema, oldPassword: passwordSchema, password: passwordSchema }),
    done,
    'approve',
  ),

  /** Newest first; of one account only when it is named. */
  'signer.audit': call(
    z.object({ count: z.number().int().min(1).max(500), address: addressSchema.nullable() }),
    z.object({ rows: z.array(auditRowSchema) }),
    'approve',
  ),
  'signer.auditVerify': call(
    nothing,
    z.object({ isWhole: z.boolean(), records: countSchema, reason: z.string() }),
    'approve',
  ),

  /** What a transaction needs, as the own node sees it; `problem` tells why it would fail. */
  'signer.draft': call(
    movementSchema,
    z.object({ nonce: countSchema, gas: decimalSchema, gasPrice: decimalSchema, problem: z.string() }),
    'control',
  ),
  /** Asks for a signature in this application's own name, then hands the transaction to the own node. */
  'signer.send': call(
    movementSchema.extend({ nonce: countSchema, gas: decimalSchema, gasPrice: decimalSchema }),
    z.object({ id: z.string() }),
    'control',
  ),
}

export const signerDeskEvents = {
  'signer.vault': event(vaultSchema, 4),
  /** Of this run, newest first; empty for a connection without `control` access. */
  'signer.sends': event(z.object({ sends: z.array(sendSchema), takenAt: timeSchema }), 4),
}

export type EditsView = z.infer<typeof editsSchema>
export type SimulationView = z.infer<typeof simulationSchema>
export type TokenMoveView = z.infer<typeof tokenMoveSchema>
export type PolicyView = z.infer<typeof policySchema>
export type VaultView = z.infer<typeof vaultSchema>
export type SendView = z.infer<typeof sendSchema>
export type AuditRowView = z.infer<typeof auditRowSchema>
