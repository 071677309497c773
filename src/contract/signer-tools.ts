// What the UI does with the signer besides deciding requests: preview a request's effects, open the vault, store
// passwords and policies, import keys, send, and read the audit log. Passwords travel as base64 of their UTF-8 bytes;
// nothing here ever returns one.
import { z } from 'zod'
import { scriptCapSchema, sealedPasswordSchema } from '../base/approvals'
import { call, event } from '../base/wire/define'
import {
  addressSchema,
  countSchema,
  dataSchema,
  decimalSchema,
  done,
  gasSchema,
  hashSchema,
  nothing,
  timeSchema,
} from './shapes'
import { editsSchema, findingSchema, tokenNameSchema } from './signer'

/** Base64 of a password's UTF-8 bytes. */
const passwordSchema = z.string().max(4096)

/** A token transfer as a contract's log reports it: the contract may lie. */
const tokenMoveSchema = z.object({
  contract: addressSchema,
  from: addressSchema,
  to: addressSchema,
  /** Smallest units of a fungible token, or the id of a non-fungible one. */
  amount: decimalSchema,
  /** True when the log is of a non-fungible token. */
  isNumbered: z.boolean(),
})

/** What a third party may take from then on, as a contract's log reports it. */
const tokenGrantSchema = z.object({
  contract: addressSchema,
  owner: addressSchema,
  spender: addressSchema,
  /** `units`: at most `amount` smallest units. `number`: the token with that id. `all`: every token the owner has. */
  kind: z.enum(['units', 'number', 'all']),
  /** For `all`: 1 grants, 0 revokes; for the others 0 revokes. */
  amount: decimalSchema,
})

const units = decimalSchema.nullable()
const party = addressSchema.nullable()

/**
 * One holding that changes, as the state says before and after: the contracts were asked, events weren't. Addresses in
 * lower case; amounts in smallest units, null = the contract gave no answer.
 */
const holdingSchema = z.discriminatedUnion('kind', [
  /** Wei; the fee is paid from it. */
  z.object({ kind: z.literal('lax'), account: addressSchema, before: units, after: units }),
  /** Units of a token; of ERC-721 how many tokens; `number` of ERC-1155 only. */
  z.object({
    kind: z.literal('token'),
    account: addressSchema,
    contract: addressSchema,
    standard: z.enum(['erc20', 'erc721', 'erc1155']),
    number: decimalSchema.optional(),
    before: units,
    after: units,
  }),
  /** Who owns a numbered token; null = nobody. */
  z.object({ kind: z.literal('owner'), contract: addressSchema, number: decimalSchema, before: party, after: party }),
  /** Who may take a numbered token; null = nobody. */
  z.object({
    kind: z.literal('approved'),
    contract: addressSchema,
    number: decimalSchema,
    before: party,
    after: party,
  }),
  /** How much `spender` may take; `through`: the contract that keeps it, where that isn't the token (Permit2). */
  z.object({
    kind: z.literal('allowance'),
    account: addressSchema,
    contract: addressSchema,
    spender: addressSchema,
    through: addressSchema.optional(),
    before: units,
    after: units,
  }),
  /** Whether `spender` may take every token that the account has there, now and later. */
  z.object({
    kind: z.literal('operator'),
    account: addressSchema,
    contract: addressSchema,
    spender: addressSchema,
    before: z.boolean().nullable(),
    after: z.boolean().nullable(),
  }),
])

/** How a signature was used in a simulation: by whoever it is for, as soon as possible, as far as it allows. */
const signatureUseSchema = z.enum(['permit', 'authorization', 'order', 'userOperation', 'safeTransaction'])

/** What our node's state says would happen. An estimate: the state changes until the transaction is mined. */
export const simulationSchema = z.object({
  outcome: z.enum(['succeeded', 'reverted', 'refused']),
  /** Why it would fail; empty otherwise. */
  reason: z.string(),
  gasUsed: gasSchema,
  /** Height of the state it ran on. */
  block: countSchema,
  /** For the sender and the receiver; `change` is signed decimal wei, fee included. */
  balances: z.array(z.object({ address: addressSchema, change: z.string().regex(/^-?\d{1,100}$/) })),
  tokens: z.array(tokenMoveSchema),
  /** How many further token transfers there were. */
  moreTokens: countSchema,
  grants: z.array(tokenGrantSchema),
  moreGrants: countSchema,
  /** Contract logs about anything else. */
  otherLogs: countSchema,
  /** True when it does something else in a later block with another miner and time; missing = not tried. */
  dependsOnBlock: z.boolean().optional(),
  /** What changes of all that your accounts, and the wallet that signs, hold and allow; missing = not compared. */
  holdings: z.array(holdingSchema).optional(),
  /** Questions about holdings that weren't asked, since there were too many; missing = not compared. */
  holdingsLeftOut: countSchema.optional(),
  /** What was done with the signature; missing or null for a transaction. `balances` are then of whoever did it. */
  use: signatureUseSchema.nullish(),
})

/** Token methods that a policy can name: their effects follow from their data alone. */
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
  /** Tokens that may be moved and their limits in smallest units; empty = LAX only. */
  tokens: z.array(
    z.object({
      contract: addressSchema,
      methods: z.array(policyMethodSchema),
      /** Null or missing = as the contract answers. */
      standard: z.enum(['erc20', 'erc721']).nullish(),
      amount: decimalSchema,
      periods: z.array(z.object({ hours: countSchema, amount: decimalSchema })),
    }),
  ),
  /** Selectors of policies from earlier versions. A policy that names any matches nothing. */
  methods: z.array(z.string()),
  valueWei: decimalSchema,
  feeWei: decimalSchema,
  periods: z.array(z.object({ hours: countSchema, wei: decimalSchema.nullable(), count: countSchema.nullable() })),
})

const listingPolicySchema = z.object({ kind: z.literal('listing'), accounts: z.array(addressSchema) })

/** The signer validates it again, and more strictly. */
const policySchema = z.intersection(
  z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    /** Null = never. */
    expiresAt: z.number().int().nullable(),
    /** Null = any. */
    callers: z.array(z.object({ scheme: z.enum(['http', 'ipc', 'app']), origin: z.string().nullable() })).nullable(),
  }),
  z.discriminatedUnion('kind', [transactionPolicySchema, listingPolicySchema]),
)

/** A password, sealed by the page for one change (`changeText`); by a page without WebCrypto, its bytes. */
const givenSchema = z.union([passwordSchema, sealedPasswordSchema])

const policiesSchema = z.object({ policies: z.array(policySchema).max(100) })

/** `version`: a change of the policy must name the version it was based on. */
const versionedPoliciesSchema = z.object({
  policies: z.array(z.object({ policy: policySchema, version: z.string() })).max(100),
})

const vaultSchema = z.object({
  /** `off`: no signer runs here; `missing`: there is no master seed yet. */
  state: z.enum(['off', 'missing', 'closed', 'open']),
  /** Accounts with a stored password; empty while closed, and for a connection without `approve` access. */
  stored: z.array(addressSchema),
  /** The script file named at startup; null = none. `isOther`: the folder allows another one than this vault's journal. */
  rules: z
    .object({ file: z.string(), sha256: z.string(), cap: scriptCapSchema.nullable(), isOther: z.boolean() })
    .nullable(),
  takenAt: timeSchema,
})

const sendSchema = z.object({
  id: z.string(),
  from: addressSchema,
  to: addressSchema,
  value: decimalSchema,
  /** `waiting` for the decision, `sent` to our node's pool, `refused` by the user, `failed` with `reason`. */
  state: z.enum(['waiting', 'sent', 'refused', 'failed']),
  hash: hashSchema.nullable(),
  reason: z.string(),
  at: timeSchema,
})

const auditRowSchema = z.object({
  /** From 0, in log order. */
  seq: countSchema,
  time: timeSchema,
  /** `request`, `decision`, `result`, `refused`, `ruling`, `settings`, ... */
  type: z.string(),
  /** Kind of the request, for entries about one. */
  kind: z.string(),
  /** The caller or the signing account. */
  who: z.string(),
  summary: z.string(),
  /** Set for signed transactions. */
  transactionHash: z.string().nullable(),
  hash: z.string(),
})

/** What the program itself records about a keystore account. */
const accountNoteSchema = z.object({
  address: addressSchema,
  /** Empty = no name was given. */
  label: z.string(),
  /**
   * `unknown`: the account predates the program's records. `none`: no backup was made. `saved`: the file was exported.
   * `done`: a backup was read back and opened. `old`: the password changed since.
   */
  backup: z.enum(['unknown', 'none', 'saved', 'done', 'old']),
  /** Last signature made here; null = none recorded. */
  lastUsedAt: timeSchema.nullable(),
})

const watchedSchema = z.object({ address: addressSchema, label: z.string(), addedAt: timeSchema })

/** A caller of the signer. Everything except times and counts is self-reported or inferred. */
const knownCallerSchema = z.object({
  id: z.string(),
  transport: z.enum(['http', 'ipc', 'app']),
  /** Each: empty = unknown. */
  host: z.string(),
  origin: z.string(),
  userAgent: z.string(),
  /** The program on this computer: its name and its file. */
  process: z.string(),
  path: z.string(),
  firstSeenAt: timeSchema,
  lastSeenAt: timeSchema,
  allowed: countSchema,
  denied: countSchema,
  /** Null, or in the past: not blocked. */
  blockedUntil: timeSchema.nullable(),
})

const labelSchema = z.string().max(60)
const keyFileSchema = z.string().max(100_000)

const movementSchema = z.object({ from: addressSchema, to: addressSchema, value: decimalSchema, data: dataSchema })

export const signerToolsCalls = {
  /** Why these edits would be rejected (empty when they wouldn't), and the findings about the edited transaction. */
  'signer.checkEdits': call(
    z.object({ id: z.string(), edits: editsSchema }),
    z.object({ objection: z.string(), findings: z.array(findingSchema) }),
    'decide',
  ),
  /** Of a pending transaction, or of what others would do with a pending signature. */
  'signer.simulate': call(
    z.object({ id: z.string(), edits: editsSchema.nullable() }),
    z.object({
      simulation: simulationSchema.nullable(),
      /** Of the tokens it touches. */
      names: z.array(tokenNameSchema).optional(),
      /** Why not: no running node, no such request, a signature of unknown use. Missing when there is one. */
      lack: z.enum(['node', 'request', 'use']).optional(),
    }),
    'decide',
  ),
  /** Rejects all pending requests of this request's caller. */
  'signer.rejectFrom': call(z.object({ id: z.string() }), z.object({ rejected: countSchema }), 'decide'),
  /** Lifts the block made by `signer.rejectFrom`. */
  'signer.hearAll': call(nothing, done, 'decide'),

  /** Makes the master seed and opens the vault. */
  'signer.vaultInit': call(z.object({ password: givenSchema }), done, 'approve'),
  'signer.vaultUnlock': call(z.object({ password: givenSchema }), done, 'approve'),
  'signer.vaultLock': call(nothing, done, 'approve'),
  /** Null deletes it. A wrong one is rejected. The change is `{change: 'store', address}`, in lower case. */
  'signer.vaultSetPassword': call(
    z.object({ address: addressSchema, password: givenSchema.nullable(), master: givenSchema.nullable() }),
    done,
    'approve',
  ),
  /** The file named at startup, if it has this hash. The change is `{change: 'attest', sha256, signatures, wei}`. */
  'signer.attestRules': call(
    scriptCapSchema.extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/), master: givenSchema }),
    done,
    'approve',
  ),
  'signer.policies': call(nothing, versionedPoliciesSchema, 'approve'),
  /**
   * Adds a policy (`was` null), or changes the one with its id if it still has version `was`. Returns all. `master` may be
   * null to switch one off, and for listings. The change is `{change: 'put', policy, was}`.
   */
  'signer.putPolicy': call(
    z.object({ policy: policySchema, was: z.string().max(64).nullable(), master: givenSchema.nullable() }),
    versionedPoliciesSchema,
    'approve',
  ),
  /** Only if it still has version `was`. Returns the remaining ones. */
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
  /** The current text of the script named at startup. Null without one. */
  'signer.rulesText': call(
    nothing,
    z.object({ rules: z.object({ file: z.string(), sha256: z.string(), text: z.string() }).nullable() }),
    'approve',
  ),
  /** What these policies would have done with the last 100 recorded requests. */
  'signer.dryRun': call(
    policiesSchema,
    z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          time: timeSchema,
          kind: z.string(),
          /** Name of the policy that would have approved; null = the user would be asked. */
          policy: z.string().nullable(),
          reason: z.string(),
        }),
      ),
    }),
    'approve',
  ),

  /** Key file, 64 hex digits or seed phrase (these without `oldPassword`). All are sealed for `{change: 'import'}`. */
  'signer.importAccount': call(
    z.object({
      text: z.union([keyFileSchema, sealedPasswordSchema]),
      oldPassword: givenSchema.nullable(),
      password: givenSchema,
    }),
    z.object({ address: addressSchema }),
    'approve',
  ),
  /** Both are sealed for the change `{change: 'password', address}`, the address in lower case. */
  'signer.changePassword': call(
    z.object({ address: addressSchema, oldPassword: givenSchema, password: givenSchema }),
    done,
    'approve',
  ),

  /** The encrypted key file, after its password was verified: sealed for the change `{change: 'open', address}`. */
  'signer.exportAccount': call(
    z.object({ address: addressSchema, password: givenSchema }),
    z.object({ file: z.string(), text: z.string() }),
    'approve',
  ),
  /** Verifies a backup stored elsewhere: it must hold the account's key and open with the password. */
  'signer.confirmBackup': call(
    z.object({ address: addressSchema, text: keyFileSchema, password: givenSchema }),
    done,
    'approve',
  ),
  /** Moves the key file aside; `lastDigits` are the last six of the address, as typed. Returns the new path. */
  'signer.forgetAccount': call(
    z.object({ address: addressSchema, lastDigits: z.string().regex(/^[0-9a-fA-F]{6}$/) }),
    z.object({ keptIn: z.string() }),
    'approve',
  ),
  /** For an account or a watched address; empty removes the name. */
  'signer.setLabel': call(z.object({ address: addressSchema, label: labelSchema }), done, 'control'),
  'signer.watch': call(z.object({ address: addressSchema, label: labelSchema }), done, 'control'),
  'signer.unwatch': call(z.object({ address: addressSchema }), done, 'control'),

  /** For 24 hours, across restarts; the caller's pending requests are rejected. */
  'signer.blockCaller': call(z.object({ id: z.string().max(64) }), z.object({ until: timeSchema }), 'approve'),
  'signer.unblockCaller': call(z.object({ id: z.string().max(64) }), done, 'approve'),

  /** Newest first; only entries of one account when it is named. */
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

  /** What a transaction needs, as our node sees it; `problem` says why it would fail. */
  'signer.draft': call(
    movementSchema,
    z.object({
      nonce: countSchema,
      gas: decimalSchema,
      gasPrice: decimalSchema,
      /** Prices that were confirmed within so many blocks; null = unknown. */
      prices: z.array(z.object({ blocks: countSchema, gasPrice: decimalSchema.nullable() })),
      /** Blocks within which `gasPrice` is confirmed; null = it comes from recent blocks. */
      within: countSchema.nullable(),
      problem: z.string(),
    }),
    'control',
  ),
  /** Requests a signature in this application's own name, then submits the transaction to our node. */
  'signer.send': call(
    movementSchema.extend({ nonce: countSchema, gas: decimalSchema, gasPrice: decimalSchema }),
    z.object({ id: z.string() }),
    'control',
  ),
}

export const signerToolsEvents = {
  'signer.vault': event(vaultSchema, 4),
  /** Since startup, newest first; empty for a connection without `control` access. */
  'signer.notes': event(
    z.object({ accounts: z.array(accountNoteSchema), watched: z.array(watchedSchema), takenAt: timeSchema }),
    4,
  ),
  /** Most recently seen first; empty for a connection without `approve` access. */
  'signer.callers': event(z.object({ callers: z.array(knownCallerSchema), takenAt: timeSchema }), 2),
  'signer.sends': event(z.object({ sends: z.array(sendSchema), takenAt: timeSchema }), 4),
}

export type EditsView = z.infer<typeof editsSchema>
export type SimulationView = z.infer<typeof simulationSchema>
export type HoldingView = z.infer<typeof holdingSchema>
export type PolicyMethod = z.infer<typeof policyMethodSchema>
export type PolicyView = z.infer<typeof policySchema>
/** A policy with the version that a change of it must name. */
export type VersionedPolicyView = z.infer<typeof versionedPoliciesSchema>['policies'][number]
export type VaultView = z.infer<typeof vaultSchema>
export type SendView = z.infer<typeof sendSchema>
export type AccountNoteView = z.infer<typeof accountNoteSchema>
export type WatchedView = z.infer<typeof watchedSchema>
export type KnownCallerView = z.infer<typeof knownCallerSchema>
export type AuditRowView = z.infer<typeof auditRowSchema>
