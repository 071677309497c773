// What the UI knows about keys and requests. No key, no stored password, no file content ever crosses here.
import { z } from 'zod'
import { approvalTokenSchema, givenApprovalSchema, MOST_TOGETHER, sealedPasswordSchema } from '../base/approvals'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, done, hashSchema, nothing, timeSchema } from './shapes'

/** Everything in it is self-reported and shown as text only. */
const callerSchema = z.object({
  /** `http`, `ipc`, or `app` for this application's own form. */
  transport: z.string(),
  remote: z.string(),
  local: z.string(),
  userAgent: z.string(),
  origin: z.string(),
  /** The calling program on this computer, where the system reports it; null = unknown. A hint, not a proof. */
  process: z
    .object({
      pid: countSchema,
      name: z.string(),
      /** Path of its program file; empty where unknown. */
      path: z.string().optional(),
    })
    .nullable(),
})

export const findingSchema = z.object({ severity: z.enum(['CRITICAL', 'WARNING', 'Info']), message: z.string() })

const decodedCallSchema = z.object({
  /** `transfer(address,uint256)` */
  signature: z.string(),
  name: z.string(),
  arguments: z.array(
    z.object({
      type: z.string(),
      value: z.string(),
      /** A string in it holds bytes that nobody can read; they are shown as hex. */
      isNotText: z.boolean().optional(),
    }),
  ),
  /** `database`: shipped with the program. `learned`: by an earlier caller. `caller`: this caller claims it. */
  namedBy: z.enum(['database', 'learned', 'caller']),
})

const transactionRequestSchema = z.object({
  from: z.string(),
  /** Null for a contract creation. Spelled as the caller did. */
  to: z.string().nullable(),
  value: decimalSchema,
  /** Up to 64 bits. */
  gas: decimalSchema,
  gasPrice: decimalSchema.nullable(),
  maxFeePerGas: decimalSchema.nullable(),
  maxPriorityFeePerGas: decimalSchema.nullable(),
  /** Up to 64 bits. */
  nonce: decimalSchema,
  data: dataSchema,
  chainId: countSchema,
  form: z.enum(['legacy', 'accessList', 'dynamicFee']),
  /** Null in a legacy transaction. */
  accessList: z.array(z.object({ address: addressSchema, storageKeys: z.array(dataSchema) })).nullable(),
  /** gas × price at most, wei. */
  maximumFee: decimalSchema,
  /** Value plus maximum fee, wei. */
  maximumTotal: decimalSchema,
  /** Null without call data, or when the data doesn't match any known or claimed signature exactly. */
  call: decodedCallSchema.nullable(),
  /** The parameters exactly as received, JSON text. */
  raw: z.string(),
})

/** One line of a message to sign; with a list it is a branch of a tree. */
export interface MessageNode {
  readonly name: string
  readonly value: string | readonly MessageNode[]
  readonly type: string
}

const messageNodeSchema: z.ZodType<MessageNode> = z.object({
  name: z.string(),
  value: z.union([z.string(), z.lazy(() => z.array(messageNodeSchema))]),
  type: z.string(),
})

const dataRequestSchema = z.object({
  /** The signing account, spelled as the caller did. */
  address: addressSchema,
  form: z.enum(['text', 'validator', 'clique', 'typed']),
  /** As sent by the caller, lower case; `data/typed` for typed data. */
  contentType: z.string(),
  /** The bytes to be hashed, prefix included. */
  hashed: dataSchema,
  /** The hash that is signed. */
  hash: hashSchema,
  /** A text without its prefix. Null for bytes that nobody can read, and for other forms. */
  text: z.string().nullable(),
  /** Typed data: two trees, `domain` and `primary type`. Bytes nobody can read: one entry in hex, type `hexdata`. */
  messages: z.array(messageNodeSchema),
  /** The parameters exactly as received, JSON text. */
  raw: z.string(),
})

/** A key that isn't in a file; `airgap`: in an offline device. `path` is BIP-32: m/44'/60'/0'/0/0. */
const deviceSchema = z.object({ kind: z.enum(['ledger', 'airgap']), path: z.string() })

export const requestSchema = z.object({
  /** Opaque, unique within a run. */
  id: z.string(),
  /** One-time value that the decision must return. */
  nonce: z.string(),
  /** SHA-256 of the content shown; the decision must return it. */
  contentHash: z.string(),
  kind: z.enum(['newAccount', 'listing', 'signTransaction', 'signData', 'signTypedData']),
  state: z.enum(['waiting', 'approved', 'signed', 'rejected', 'expired', 'withdrawn', 'failed']),
  caller: callerSchema,
  createdAt: timeSchema,
  /** Null = no timeout. */
  expiresAt: timeSchema.nullable(),
  /** Why the last attempt failed (a wrong password); empty otherwise. */
  lastError: z.string(),
  triesLeft: countSchema,
  transaction: transactionRequestSchema.nullable(),
  /** For signData and signTypedData. */
  data: dataRequestSchema.nullable(),
  /** Accounts a listing would share. */
  accounts: z.array(z.object({ address: addressSchema })).nullable(),
  /** CRITICAL first, then WARNING, then Info. */
  findings: z.array(findingSchema),
  /** Parts whose meaning isn't known: decided alone, with its password. Missing or empty when all of it is known. */
  notUnderstood: z.array(z.string()).optional(),
  /** The hardware device that holds the key and asks for its own confirmation; missing where the key is in a file. */
  device: deviceSchema
    .extend({
      /** It signs only with blind signing enabled, and shows neither the amount nor the recipient. */
      isBlind: z.boolean(),
    })
    .optional(),
})

const stateSchema = requestSchema.shape.state

/** Calls rejected without asking the user. */
const refusalSchema = z.object({
  /** Increases by one with each of this run. */
  id: countSchema,
  at: timeSchema,
  caller: callerSchema,
  /** Why; texts of the WARNING and CRITICAL findings. */
  findings: z.array(findingSchema),
})

const requestsSchema = z.object({
  /** Oldest first; never re-ordered by new ones. Empty for a connection that may not decide. */
  waiting: z.array(requestSchema),
  /** How many are pending, also for a connection that may not see them. */
  waitingCount: countSchema,
  /** Until when blocked callers are ignored; null or missing when none are blocked. */
  quietUntil: timeSchema.nullable().optional(),
  /** Outcomes of the last ones, oldest first; empty for a connection that may not decide. */
  ended: z.array(z.object({ id: z.string(), state: stateSchema })).optional(),
  /** Rejected immediately since requests last started queueing, because too many were pending. */
  overflowed: countSchema.optional(),
  /** By the checks alone (strict mode), newest first; for who may decide, or controls at the machine itself. */
  refusals: z.array(refusalSchema).optional(),
  /** Whether this connection may decide now; missing = as its access says. */
  mayDecide: z.boolean().optional(),
  /** False where a password would travel unencrypted: this connection's passwords are refused. Missing = true. */
  takesPasswords: z.boolean().optional(),
  /** End of the audit log; null or missing without one, and for a connection that may not decide. */
  record: z
    .object({ records: countSchema, hash: z.string().regex(/^[0-9a-f]{64}$/) })
    .nullable()
    .optional(),
  takenAt: timeSchema,
})

const accountSchema = z.object({
  address: addressSchema,
  /** File name in the keystore folder. */
  file: z.string(),
  /** How many files hold this address; an account with more than one can't sign. */
  files: countSchema,
  /** The device that holds the key, so `file` is empty and `files` 0; missing where the key is in a file. */
  device: deviceSchema.optional(),
})

const accountsSchema = z.object({
  accounts: z.array(accountSchema),
  /** Files that couldn't be read as keys. */
  problems: z.array(z.object({ file: z.string(), reason: z.string() })),
  keystore: z.string(),
  takenAt: timeSchema,
})

export const editsSchema = z.object({
  gas: decimalSchema.nullable(),
  nonce: decimalSchema.nullable(),
  gasPrice: decimalSchema.nullable(),
  maxFeePerGas: decimalSchema.nullable(),
  maxPriorityFeePerGas: decimalSchema.nullable(),
})

const decisionSchema = z.object({
  id: z.string(),
  nonce: z.string(),
  contentHash: z.string(),
  decision: z.enum(['approve', 'reject']),
  /** Base64 of the password's UTF-8 bytes; null where none is needed. */
  password: z.string().max(4096).nullable(),
  /** Addresses selected in a listing; null for other kinds. */
  accounts: z.array(addressSchema).nullable(),
  /** Decimal; null or missing = unchanged. Checked again: an edit that adds a new warning is rejected. */
  edits: editsSchema.nullable().optional(),
  /**
   * Made by the page for exactly this content (approval-keys.ts): the sealed password, in place of `password`, or a token
   * for an account that this page keeps unlocked. Keeping an account unlocked is refused unless the feature is on.
   */
  approval: givenApprovalSchema.nullable().optional(),
})

const decideManySchema = z.object({
  requests: z
    .array(
      decisionSchema
        .pick({ id: true, nonce: true, contentHash: true })
        .extend({ token: approvalTokenSchema.nullable().optional() }),
    )
    .min(1)
    .max(MOST_TOGETHER),
  decision: decisionSchema.shape.decision,
  password: decisionSchema.shape.password,
  /** For all of them. */
  approval: sealedPasswordSchema.nullable().optional(),
})

/** In request order; shorter when the password was wrong. */
const decidedManySchema = z.object({
  outcomes: z.array(z.object({ id: z.string(), state: stateSchema, error: z.string() })),
})

/** What a token contract claims about itself: a name proves nothing, and two contracts may share one. */
export const tokenNameSchema = z.object({
  contract: addressSchema,
  /** Sanitized and truncated; empty when it claims none. */
  symbol: z.string().max(64),
  /** Null when it claims none, or nonsense. */
  decimals: z.number().int().min(0).max(36).nullable(),
})

/** What our node and the audit log know about a pending transaction; each part null where unknown. */
const factsSchema = z.object({
  /** At the node's head. */
  node: z
    .object({
      /** Code size at the destination; null for a creation. */
      codeBytes: countSchema.nullable(),
      /** The node's suggestion, wei per gas. */
      gasPrice: decimalSchema,
      /** Gas it would need; null when it would fail, or no answer came in time. */
      estimate: decimalSchema.nullable(),
      /** A pooled transaction with the same sender and nonce. */
      replaces: z.object({ hash: hashSchema, to: addressSchema.nullable(), value: decimalSchema }).nullable(),
    })
    .nullable(),
  /** Earlier signatures made here for this destination. */
  history: z.object({ count: countSchema, lastAt: timeSchema.nullable() }).nullable(),
  /** Token recipients, and how often each was paid here before; empty when it moves no tokens, or that is unknown. */
  payees: z.array(z.object({ address: addressSchema, count: countSchema, lastAt: timeSchema.nullable() })),
  /** An own, watched or paid address that a party resembles: 8 equal digits in front and at the end together. */
  lookalike: addressSchema.nullable(),
  /**
   * What couldn't be checked. `history`: earlier signatures, as the audit log is off, or can't be read, or not so soon. `node`: our node
   * didn't answer. `addresses`: it names more of them than are compared.
   */
  unchecked: z.array(z.enum(['history', 'node', 'addresses'])),
  /** Requests of this caller in the last minute, including this one. */
  callerPerMinute: countSchema,
  /** Token amounts named in its call data, smallest units; missing or empty when there are none. */
  tokens: z
    .array(
      z.object({
        kind: z.enum(['transfer', 'grant']),
        contract: addressSchema,
        to: addressSchema.nullable(),
        amount: decimalSchema,
      }),
    )
    .optional(),
  /** Names of those tokens; missing without a node. */
  names: z.array(tokenNameSchema).optional(),
  /** Of a document: contracts and tokens it names where our node finds no code; missing or empty when there are none. */
  codeless: z.array(addressSchema).optional(),
})

/** Must be typed to allow approvals over an unencrypted connection. */
export const REMOTE_CONSENT = 'UNENCRYPTED'

const switchesSchema = z.object({
  remote: z.object({
    /** `encrypted`: only through an HTTPS proxy on this computer. `plain`: any address. */
    mode: z.enum(['off', 'encrypted', 'plain']),
    /** Null while off. */
    expiresAt: timeSchema.nullable(),
    /** Without a token it can't be switched on. */
    hasToken: z.boolean(),
  }),
  /** Whether accounts may be kept unlocked for some minutes. */
  keepUnlocked: z.boolean(),
  /** Whether this connection may change them: only at the machine itself. */
  maySet: z.boolean(),
  /** Accounts that are unlocked and sign without a password; empty for a connection that may not control or decide. */
  unlocked: z.array(
    z.object({
      address: addressSchema,
      until: timeSchema,
      /** Public key of the page that unlocked it: others type the password. */
      page: z.string().optional(),
    }),
  ),
  /** Accounts with which JSON-RPC signs without asking (`--unlock`), for the same connections; missing = none. */
  always: z.array(addressSchema).optional(),
  takenAt: timeSchema,
})

export const signerCalls = {
  /** Public key of the key process, hex: what pages seal passwords for. Null where keys can't be opened; `reason` says why. */
  'signer.keyProcess': call(nothing, z.object({ receiver: z.string().nullable(), reason: z.string() }), 'decide'),
  /** Valid once, for a `waiting` request with this nonce and content. Result `waiting`: wrong password, tries left. */
  'signer.decide': call(decisionSchema, z.object({ state: stateSchema, error: z.string() }), 'decide'),
  /**
   * Several requests reviewed together, each with its own one-time value and content hash; critical ones are refused
   * here and must be decided alone. A wrong password stops at the first one, which stays pending.
   */
  'signer.decideMany': call(decideManySchema, decidedManySchema, 'decide'),
  /**
   * What an offline device must sign, for a request approved for one of its accounts: answered once it is available.
   * `ur`: texts of QR codes (EIP-4527), empty when too many would be needed; `file` is JSON.
   */
  'signer.unsigned': call(
    z.object({ id: z.string().max(64) }),
    z.object({ requestId: z.string(), ur: z.array(z.string()), file: z.string() }),
    'decide',
  ),
  /** The device's answer: a UR, JSON or hex; null cancels the request. A wrong answer leaves it pending. */
  'signer.giveSignature': call(
    z.object({ id: z.string().max(64), text: z.string().max(20_000).nullable() }),
    z.object({}),
    'decide',
  ),
  'signer.rejectAll': call(nothing, z.object({ rejected: countSchema }), 'decide'),
  /** Null when there is no such pending transaction. */
  'signer.facts': call(
    z.object({ id: z.string(), edits: decisionSchema.shape.edits }),
    z.object({ facts: factsSchema.nullable() }),
    'decide',
  ),
  /** Opens a `newAccount` request in this application's own name; it is decided like any other. */
  'signer.requestNewAccount': call(nothing, z.object({ id: z.string() }), 'control'),
  /** At the machine itself only, whatever access the connection has. `plain` needs the consent typed. */
  'signer.setRemote': call(
    z.object({ mode: z.enum(['off', 'encrypted', 'plain']), consent: z.string().max(100) }),
    done,
    'control',
  ),
  /** At the machine itself only. Switching it off locks every unlocked account. */
  'signer.setKeepUnlocked': call(z.object({ isOn: z.boolean() }), done, 'control'),
  /** Locks the unlocked accounts; for a connection that may control or decide. */
  'signer.lockKept': call(nothing, done),
}

export const signerEvents = {
  'signer.requests': event(requestsSchema, 10),
  'signer.accounts': event(accountsSchema, 2),
  'signer.switches': event(switchesSchema, 4),
}

export type CallerView = z.infer<typeof callerSchema>
export type TransactionRequestView = z.infer<typeof transactionRequestSchema>
export type DataRequestView = z.infer<typeof dataRequestSchema>
export type RequestView = z.infer<typeof requestSchema>
export type RequestsView = z.infer<typeof requestsSchema>
export type AccountView = z.infer<typeof accountSchema>
export type AccountsView = z.infer<typeof accountsSchema>
export type TokenNameView = z.infer<typeof tokenNameSchema>
export type FactsView = z.infer<typeof factsSchema>
export type SwitchesView = z.infer<typeof switchesSchema>
export type RefusalView = z.infer<typeof refusalSchema>
export type DecidedManyView = z.infer<typeof decidedManySchema>
export type DecisionView = z.infer<typeof decisionSchema>
