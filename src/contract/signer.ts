// What the UI knows about keys and requests. No key, no stored password, no file content ever crosses here.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, done, hashSchema, nothing, timeSchema } from './shapes'

/** Everything in it was told by the caller and is shown as text only. */
export const callerSchema = z.object({
  /** `http`, `ipc`, or `app` for this application's own form. */
  transport: z.string(),
  remote: z.string(),
  local: z.string(),
  userAgent: z.string(),
  origin: z.string(),
  /** The program on this computer at the other end, where the system tells; null = unknown. A help, no proof. */
  process: z
    .object({
      pid: countSchema,
      name: z.string(),
      /** Of its program file; empty where it is not known. */
      path: z.string().optional(),
    })
    .nullable(),
})

export const findingSchema = z.object({ severity: z.enum(['CRITICAL', 'WARNING', 'Info']), message: z.string() })

export const decodedCallSchema = z.object({
  /** `transfer(address,uint256)` */
  signature: z.string(),
  name: z.string(),
  arguments: z.array(z.object({ type: z.string(), value: z.string() })),
  /** `database`: shipped with the program. `learned`: a caller named it before. `caller`: this caller claims it. */
  namedBy: z.enum(['database', 'learned', 'caller']),
})

export const transactionRequestSchema = z.object({
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
  /** Null in the legacy form. */
  accessList: z.array(z.object({ address: addressSchema, storageKeys: z.array(dataSchema) })).nullable(),
  /** gas x price at most, wei. */
  maximumFee: decimalSchema,
  /** Value and the most that gas can cost, wei. */
  maximumTotal: decimalSchema,
  /** Null without call data, or when the data fits no known or claimed signature exactly. */
  call: decodedCallSchema.nullable(),
  /** The parameters exactly as received, JSON text. */
  raw: z.string(),
})

/** A line of what is signed; one with a list is a branch of a tree. */
export interface MessageNode {
  readonly name: string
  readonly value: string | readonly MessageNode[]
  readonly type: string
}

export const messageNodeSchema: z.ZodType<MessageNode> = z.object({
  name: z.string(),
  value: z.union([z.string(), z.lazy(() => z.array(messageNodeSchema))]),
  type: z.string(),
})

export const dataRequestSchema = z.object({
  /** Who signs; spelled as the caller did. */
  address: addressSchema,
  form: z.enum(['text', 'validator', 'clique', 'typed']),
  /** As told by the caller, lower case; `data/typed` for documents. */
  contentType: z.string(),
  /** The bytes that are hashed, prefix included. */
  hashed: dataSchema,
  /** What the signature is over. */
  hash: hashSchema,
  /** A text without its prefix; bytes that are not UTF-8 are U+FFFD in it. Null for other forms. */
  text: z.string().nullable(),
  /** Typed data: two trees, domain (type `domain`) and message (type `primary type`). */
  messages: z.array(messageNodeSchema),
  /** The parameters exactly as received, JSON text. */
  raw: z.string(),
})

/** Where an account's key is when it is no file; `airgap`: in a device that is never connected. `path`: as BIP-32 writes it, m/44'/60'/0'/0/0. */
const deviceSchema = z.object({ kind: z.enum(['ledger', 'airgap']), path: z.string() })

export const requestSchema = z.object({
  /** Opaque, unique in one run. */
  id: z.string(),
  /** One-time value that the decision must return. */
  nonce: z.string(),
  /** SHA-256 of the content shown; the decision must return it. */
  contentHash: z.string(),
  kind: z.enum(['newAccount', 'listing', 'signTransaction', 'signData', 'signTypedData']),
  state: z.enum(['waiting', 'approved', 'signed', 'rejected', 'expired', 'withdrawn', 'failed']),
  caller: callerSchema,
  createdAt: timeSchema,
  /** Null = no time-out. */
  expiresAt: timeSchema.nullable(),
  /** Why the last try failed (a wrong password); empty otherwise. */
  lastError: z.string(),
  triesLeft: countSchema,
  transaction: transactionRequestSchema.nullable(),
  /** Of signData and signTypedData. */
  data: dataRequestSchema.nullable(),
  /** What a listing would share. */
  accounts: z.array(z.object({ address: addressSchema })).nullable(),
  /** CRITICAL first, then WARNING, then Info. */
  findings: z.array(findingSchema),
  /** The device that has the account's key and asks its holder once more; missing where the key is a file. */
  device: deviceSchema
    .extend({
      /** It signs only with blind signing on, and shows neither what is paid nor to whom. */
      isBlind: z.boolean(),
    })
    .optional(),
})

const stateSchema = requestSchema.shape.state

/** Calls that nobody was asked about. */
export const refusalSchema = z.object({
  /** Grows by one with each of this run. */
  id: countSchema,
  at: timeSchema,
  caller: callerSchema,
  /** Why; WARNING and CRITICAL texts of the checks. */
  findings: z.array(findingSchema),
})

export const requestsSchema = z.object({
  /** Oldest first; never re-ordered by a newcomer. Empty for a connection that may not decide. */
  waiting: z.array(requestSchema),
  /** How many wait, also for a connection that may not see them. */
  waitingCount: countSchema,
  /** Until when a caller that was refused as a whole is not heard; null or missing when all are. */
  quietUntil: timeSchema.nullable().optional(),
  /** What became of the last ones, oldest first; empty for a connection that may not decide. */
  ended: z.array(z.object({ id: z.string(), state: stateSchema })).optional(),
  /** Refused at once since something waited without a break, because too many did. */
  overflowed: countSchema.optional(),
  /** Refused by the checks alone (strict mode), newest first; for whoever may decide, or controls at the machine itself. */
  refusals: z.array(refusalSchema).optional(),
  /** Whether this connection may decide now; missing = as its access says. */
  mayDecide: z.boolean().optional(),
  /** False where a password would travel unencrypted: those of this connection are refused. Missing = true. */
  takesPasswords: z.boolean().optional(),
  /** Where the audit log ends; null or missing without one, and for a connection that may not decide. */
  record: z
    .object({ records: countSchema, hash: z.string().regex(/^[0-9a-f]{64}$/) })
    .nullable()
    .optional(),
  takenAt: timeSchema,
})

export const accountSchema = z.object({
  address: addressSchema,
  /** File name in the keystore folder. */
  file: z.string(),
  /** How many files hold this address; more than one cannot sign. */
  files: countSchema,
  /** The device that has the key, so that `file` is empty and `files` 0; missing where the key is a file. */
  device: deviceSchema.optional(),
})

export const accountsSchema = z.object({
  accounts: z.array(accountSchema),
  /** Files that could not be read as a key. */
  problems: z.array(z.object({ file: z.string(), reason: z.string() })),
  keystore: z.string(),
  takenAt: timeSchema,
})

export const decisionSchema = z.object({
  id: z.string(),
  nonce: z.string(),
  contentHash: z.string(),
  decision: z.enum(['approve', 'reject']),
  /** Base64 of the password's UTF-8 bytes; null where none is needed. */
  password: z.string().max(4096).nullable(),
  /** Addresses ticked in a listing; null for other kinds. */
  accounts: z.array(addressSchema).nullable(),
  /** Changes of a transaction, decimal; null or missing = as it was. Checked again: a change that brings a new warning is refused. */
  edits: z
    .object({
      gas: decimalSchema.nullable(),
      nonce: decimalSchema.nullable(),
      gasPrice: decimalSchema.nullable(),
      maxFeePerGas: decimalSchema.nullable(),
      maxPriorityFeePerGas: decimalSchema.nullable(),
    })
    .nullable()
    .optional(),
  /** Keeps the account open for so many minutes after this signature; missing = not. Refused unless it is switched on. */
  keepMinutes: z.literal([5, 15]).nullable().optional(),
})

export const decideManySchema = z.object({
  requests: z
    .array(decisionSchema.pick({ id: true, nonce: true, contentHash: true }))
    .min(1)
    .max(64),
  decision: decisionSchema.shape.decision,
  password: decisionSchema.shape.password,
  keepMinutes: decisionSchema.shape.keepMinutes,
})

/** In the order asked; shorter where the password was wrong. */
const decidedManySchema = z.object({
  outcomes: z.array(z.object({ id: z.string(), state: stateSchema, error: z.string() })),
})

/** What the own node and the own record know about a transaction that waits; each part null where it cannot be told. */
/** What a token's contract claims of itself: a name is no proof, and two contracts may have the same. */
export const tokenNameSchema = z.object({
  contract: addressSchema,
  /** Cleaned and cut; empty when it claims none. */
  symbol: z.string().max(64),
  /** Null when it claims none that makes sense. */
  decimals: z.number().int().min(0).max(36).nullable(),
})

export const factsSchema = z.object({
  /** As of the node's head. */
  node: z
    .object({
      /** Code at the destination; null for a creation. */
      codeBytes: countSchema.nullable(),
      /** What the node suggests, wei per gas. */
      gasPrice: decimalSchema,
      /** Gas that it would need; null when it would fail, or no answer came in time. */
      estimate: decimalSchema.nullable(),
      /** Waits in the pool with the same sender and nonce. */
      replaces: z.object({ hash: hashSchema, to: addressSchema.nullable(), value: decimalSchema }).nullable(),
    })
    .nullable(),
  /** Signed here for this destination before. */
  history: z.object({ count: countSchema, lastAt: timeSchema.nullable() }).nullable(),
  /** Who gets tokens by it, and how often each was paid here before; empty where it moves none, or that is not known. */
  payees: z.array(z.object({ address: addressSchema, count: countSchema, lastAt: timeSchema.nullable() })),
  /** An address that was paid before and looks like the destination, or a receiver of tokens, but is another one. */
  lookalike: addressSchema.nullable(),
  /** Requests of this caller in the last minute, this one among them. */
  callerPerMinute: countSchema,
  /** Bounded amounts of tokens that its call data names, smallest units; missing or empty where it names none. */
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
  /** Of those tokens; missing without a node. */
  names: z.array(tokenNameSchema).optional(),
})

/** Has to be typed by whoever lets approvals pass without encryption. */
export const REMOTE_CONSENT = 'UNENCRYPTED'

export const switchesSchema = z.object({
  remote: z.object({
    /** `encrypted`: only through a proxy on this computer that speaks HTTPS. `plain`: any address. */
    mode: z.enum(['off', 'encrypted', 'plain']),
    /** Null while off. */
    expiresAt: timeSchema.nullable(),
    /** Without one it cannot be switched on. */
    hasToken: z.boolean(),
  }),
  /** Whether accounts may be kept open for some minutes. */
  keepUnlocked: z.boolean(),
  /** Whether this connection may change them: only at the machine itself. */
  maySet: z.boolean(),
  /** Accounts that are open now and sign without a password; empty for a connection that may not control or decide. */
  unlocked: z.array(z.object({ address: addressSchema, until: timeSchema })),
  takenAt: timeSchema,
})

export const signerCalls = {
  /** Valid once, for a request in state `waiting` with this nonce and content. `waiting` = wrong password, tries left. */
  'signer.decide': call(decisionSchema, z.object({ state: stateSchema, error: z.string() }), 'decide'),
  /**
   * Several that were looked at together, each with its own one-time value and content; what is critical is refused here and
   * decided alone. A wrong password ends it at the first, which then waits on.
   */
  'signer.decideMany': call(decideManySchema, decidedManySchema, 'decide'),
  /**
   * What goes to a device that is never connected, of a request that was approved for an account in one: answered as soon as it
   * is handed out. `ur` are the texts of QR codes (EIP-4527), none where they would be too many; `file` is JSON.
   */
  'signer.unsigned': call(
    z.object({ id: z.string().max(64) }),
    z.object({ requestId: z.string(), ur: z.array(z.string()), file: z.string() }),
    'decide',
  ),
  /** What came back from it: a UR, JSON or hex; null gives the request up. A wrong one leaves it waiting. */
  'signer.giveSignature': call(
    z.object({ id: z.string().max(64), text: z.string().max(20_000).nullable() }),
    z.object({}),
    'decide',
  ),
  'signer.rejectAll': call(nothing, z.object({ rejected: countSchema }), 'decide'),
  /** Null when no such transaction waits. */
  'signer.facts': call(
    z.object({ id: z.string(), edits: decisionSchema.shape.edits }),
    z.object({ facts: factsSchema.nullable() }),
    'decide',
  ),
  /** Opens a `newAccount` request in this application's own name; it is decided like any other. */
  'signer.requestNewAccount': call(nothing, z.object({ id: z.string() }), 'control'),
  /** At the machine itself only, whatever the connection may control. `plain` needs the consent typed. */
  'signer.setRemote': call(
    z.object({ mode: z.enum(['off', 'encrypted', 'plain']), consent: z.string().max(100) }),
    done,
    'control',
  ),
  /** At the machine itself only. Switching it off locks what is open. */
  'signer.setKeepUnlocked': call(z.object({ isOn: z.boolean() }), done, 'control'),
  /** Locks what is kept open; for a connection that may control or decide. */
  'signer.lockKept': call(nothing, done),
}

export const signerEvents = {
  'signer.requests': event(requestsSchema, 10),
  'signer.accounts': event(accountsSchema, 2),
  'signer.switches': event(switchesSchema, 4),
}

export type CallerView = z.infer<typeof callerSchema>
export type FindingView = z.infer<typeof findingSchema>
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
export type DecideManyView = z.infer<typeof decideManySchema>
export type DecidedManyView = z.infer<typeof decidedManySchema>
export type DecisionView = z.infer<typeof decisionSchema>
