// What the user interface does with the signer beside deciding requests: look at what a request would change, open the
// vault, store passwords and policies, take in keys, send, and read the record. Passwords travel as base64 of their UTF-8
// bytes; nothing here ever answers one.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, done, hashSchema, nothing, timeSchema } from './shapes'
import { findingSchema, tokenNameSchema } from './signer'

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

/** What somebody else may take from then on, as a contract's log tells it. */
export const tokenGrantSchema = z.object({
  contract: addressSchema,
  owner: addressSchema,
  spender: addressSchema,
  /** `units`: at most `amount` smallest units. `number`: the token of that number. `all`: every token that the owner has there. */
  kind: z.enum(['units', 'number', 'all']),
  /** Of `all` 1 where it is given, 0 where it is taken back; of the others 0 takes back. */
  amount: decimalSchema,
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
  grants: z.array(tokenGrantSchema),
  moreGrants: countSchema,
  /** Logs of contracts that tell of something else. */
  otherLogs: countSchema,
})

/** Methods of a token that a policy can name: their effects follow from their data alone. */
export const policyMethodSchema = z.enum([
  'transfer',
  'transferFrom',
  'approve',
  'increaseAllowance',
  'decreaseAllowance',
])

const transactionPolicySchema = z.object({
  kind: z.literal('transaction'),
  account: addressSchema,
  /** Null = any. */
  recipients: z.array(addressSchema).nullable(),
  /** Tokens that may be moved, smallest units; empty = only LAX. */
  tokens: z.array(
    z.object({
      contract: addressSchema,
      methods: z.array(policyMethodSchema),
      amount: decimalSchema,
      periods: z.array(z.object({ hours: countSchema, amount: decimalSchema })),
    }),
  ),
  /** Selectors, of policies of earlier versions. One that names any covers nothing. */
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
    /** Null = no end. */
    expiresAt: z.number().int().nullable(),
    /** Null = any. */
    callers: z.array(z.object({ scheme: z.enum(['http', 'ipc', 'app']), origin: z.string().nullable() })).nullable(),
  }),
  z.discriminatedUnion('kind', [transactionPolicySchema, listingPolicySchema]),
)

const policiesSchema = z.object({ policies: z.array(policySchema).max(100) })

/** `version` is what a change of the policy must name: the one that was seen. */
const versionedPoliciesSchema = z.object({
  policies: z.array(z.object({ policy: policySchema, version: z.string() })).max(100),
})

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

/** What the program itself keeps of an account of the keystore. */
export const accountNoteSchema = z.object({
  address: addressSchema,
  /** Empty = none was given. */
  label: z.string(),
  /**
   * `unknown`: the account was there before the program looked. `none`: no copy was made. `saved`: the file was handed out.
   * `done`: a copy was read back and opened. `old`: the password was changed since.
   */
  backup: z.enum(['unknown', 'none', 'saved', 'done', 'old']),
  /** Last signature made here; null = none that the program saw. */
  lastUsedAt: timeSchema.nullable(),
})

export const watchedSchema = z.object({ address: addressSchema, label: z.string(), addedAt: timeSchema })

/** Whoever asked the signer. All but times and counts was told by the caller, or is a guess about it. */
export const knownCallerSchema = z.object({
  id: z.string(),
  transport: z.enum(['http', 'ipc', 'app']),
  /** Empty = none, each. */
  host: z.string(),
  origin: z.string(),
  userAgent: z.string(),
  /** The program on this computer, its name and its file. */
  process: z.string(),
  path: z.string(),
  firstSeenAt: timeSchema,
  lastSeenAt: timeSchema,
  allowed: countSchema,
  denied: countSchema,
  /** Null, or in the past: it is heard. */
  blockedUntil: timeSchema.nullable(),
})

const labelSchema = z.string().max(60)
const keyFileSchema = z.string().max(100_000)

const movementSchema = z.object({ from: addressSchema, to: addressSchema, value: decimalSchema, data: dataSchema })

export const signerToolsCalls = {
  /** Why these edits would be refused (empty when they would not), and what is found about the edited transaction. */
  'signer.checkEdits': call(
    z.object({ id: z.string(), edits: editsSchema }),
    z.object({ objection: z.string(), findings: z.array(findingSchema) }),
    'decide',
  ),
  /** Null without a running node, or when the request isn't a transaction that waits. */
  'signer.simulate': call(
    z.object({ id: z.string(), edits: editsSchema.nullable() }),
    /** `names`: of the tokens in it. */
    z.object({ simulation: simulationSchema.nullable(), names: z.array(tokenNameSchema).optional() }),
    'decide',
  ),
  /** Rejects all that wait from the caller of this request. */
  'signer.rejectFrom': call(z.object({ id: z.string() }), z.object({ rejected: countSchema }), 'decide'),
  /** Takes the silence of `signer.rejectFrom` back. */
  'signer.hearAll': call(nothing, done, 'decide'),

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
  'signer.policies': call(nothing, versionedPoliciesSchema, 'approve'),
  /** Adds a policy (`was` null), or changes the one with its id while it still has the version `was`. Answers all. */
  'signer.putPolicy': call(
    z.object({ policy: policySchema, was: z.string().max(64).nullable() }),
    versionedPoliciesSchema,
    'approve',
  ),
  /** Only while it still has the version `was`. Answers what is left. */
  'signer.removePolicy': call(
    z.object({ id: z.string().max(64), was: z.string().max(64) }),
    versionedPoliciesSchema,
    'approve',
  ),
  /** How often each policy has approved; those that never did are missing. */
  'signer.policyMatches': call(
    nothing,
    z.object({ matches: z.array(z.object({ id: z.string(), count: countSchema, lastAt: timeSchema })) }),
    'approve',
  ),
  /** The script that was named at the start, as it is now. Null without one. */
  'signer.rulesText': call(
    nothing,
    z.object({ rules: z.object({ file: z.string(), sha256: z.string(), text: z.string() }).nullable() }),
    'approve',
  ),
  /** What these policies would have done with the last 100 requests on record. */
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
    z.object({ text: keyFileSchema, oldPassword: passwordSchema.nullable(), password: passwordSchema }),
    z.object({ address: addressSchema }),
    'approve',
  ),
  'signer.changePassword': call(
    z.object({ address: addressSchema, oldPassword: passwordSchema, password: passwordSchema }),
    done,
    'approve',
  ),

  /** The encrypted key file, once its password was proved. */
  'signer.exportAccount': call(
    z.object({ address: addressSchema, password: passwordSchema }),
    z.object({ file: z.string(), text: z.string() }),
    'approve',
  ),
  /** Proves a copy that lies elsewhere: it has to hold the account's key and to open with the password. */
  'signer.confirmBackup': call(
    z.object({ address: addressSchema, text: keyFileSchema, password: passwordSchema }),
    done,
    'approve',
  ),
  /** Moves the key file aside; `lastDigits` are the last six of the address, typed. Answers where it lies now. */
  'signer.forgetAccount': call(
    z.object({ address: addressSchema, lastDigits: z.string().regex(/^[0-9a-fA-F]{6}$/) }),
    z.object({ keptIn: z.string() }),
    'approve',
  ),
  /** Of an account or a watched address; empty takes the name away. */
  'signer.setLabel': call(z.object({ address: addressSchema, label: labelSchema }), done, 'control'),
  'signer.watch': call(z.object({ address: addressSchema, label: labelSchema }), done, 'control'),
  'signer.unwatch': call(z.object({ address: addressSchema }), done, 'control'),

  /** For 24 hours, also over a restart; what waits of the caller is rejected. */
  'signer.blockCaller': call(z.object({ id: z.string().max(64) }), z.object({ until: timeSchema }), 'approve'),
  'signer.unblockCaller': call(z.object({ id: z.string().max(64) }), done, 'approve'),

  /** Newest first; of one account only when it is named. */
  'signer.audit': call(
    z.object({ count: z.number().int().min(1).max(500), address: addressSchema.nullable() }),
    z.object({ rows: z.array(auditRowSchema) }),
    'here',
  ),
  'signer.auditVerify': call(
    nothing,
    z.object({ isWhole: z.boolean(), records: countSchema, reason: z.string() }),
    'here',
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

export const signerToolsEvents = {
  'signer.vault': event(vaultSchema, 4),
  /** Of this run, newest first; empty for a connection without `control` access. */
  'signer.notes': event(
    z.object({ accounts: z.array(accountNoteSchema), watched: z.array(watchedSchema), takenAt: timeSchema }),
    4,
  ),
  /** Last seen first; empty for a connection without `approve` access. */
  'signer.callers': event(z.object({ callers: z.array(knownCallerSchema), takenAt: timeSchema }), 2),
  'signer.sends': event(z.object({ sends: z.array(sendSchema), takenAt: timeSchema }), 4),
}

export type EditsView = z.infer<typeof editsSchema>
export type SimulationView = z.infer<typeof simulationSchema>
export type TokenMoveView = z.infer<typeof tokenMoveSchema>
export type PolicyMethod = z.infer<typeof policyMethodSchema>
export type PolicyView = z.infer<typeof policySchema>
/** A policy with what a change of it must name. */
export type VersionedPolicyView = z.infer<typeof versionedPoliciesSchema>['policies'][number]
export type VaultView = z.infer<typeof vaultSchema>
export type SendView = z.infer<typeof sendSchema>
export type AccountNoteView = z.infer<typeof accountNoteSchema>
export type WatchedView = z.infer<typeof watchedSchema>
export type KnownCallerView = z.infer<typeof knownCallerSchema>
export type AuditRowView = z.infer<typeof auditRowSchema>
