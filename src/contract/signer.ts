// What the UI knows about keys and requests. No key, no stored password, no file content ever crosses here.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, nothing, timeSchema } from './shapes'

/** Everything in it was told by the caller and is shown as text only. */
export const callerSchema = z.object({
  /** `http`, `ipc`, or `app` for this application's own form. */
  transport: z.string(),
  remote: z.string(),
  local: z.string(),
  userAgent: z.string(),
  origin: z.string(),
})

export const findingSchema = z.object({ severity: z.enum(['CRITICAL', 'WARNING', 'Info']), message: z.string() })

export const transactionRequestSchema = z.object({
  from: z.string(),
  /** Null for a contract creation. Spelled as the caller did. */
  to: z.string().nullable(),
  value: decimalSchema,
  gas: countSchema,
  gasPrice: decimalSchema.nullable(),
  maxFeePerGas: decimalSchema.nullable(),
  maxPriorityFeePerGas: decimalSchema.nullable(),
  nonce: countSchema,
  data: dataSchema,
  chainId: countSchema,
  /** gas x price at most, wei. */
  maximumFee: decimalSchema,
  /** The parameters exactly as received, JSON text. */
  raw: z.string(),
})

export const requestSchema = z.object({
  /** Opaque, unique in one run. */
  id: z.string(),
  /** One-time value that the decision must return. */
  nonce: z.string(),
  /** SHA-256 of the content shown; the decision must return it. */
  contentHash: z.string(),
  kind: z.enum(['newAccount', 'listing', 'signTransaction']),
  state: z.enum(['waiting', 'approved', 'signed', 'rejected', 'expired', 'withdrawn', 'failed']),
  caller: callerSchema,
  createdAt: timeSchema,
  /** Null = no time-out. */
  expiresAt: timeSchema.nullable(),
  /** Why the last try failed (a wrong password); empty otherwise. */
  lastError: z.string(),
  triesLeft: countSchema,
  transaction: transactionRequestSchema.nullable(),
  /** What a listing would share. */
  accounts: z.array(z.object({ address: addressSchema })).nullable(),
  /** CRITICAL first, then WARNING, then Info. */
  findings: z.array(findingSchema),
})

export const requestsSchema = z.object({
  /** Oldest first; never re-ordered by a newcomer. Empty for a connection without `approve` access. */
  waiting: z.array(requestSchema),
  /** How many wait, also for a connection that may not see them. */
  waitingCount: countSchema,
  takenAt: timeSchema,
})

export const accountSchema = z.object({
  address: addressSchema,
  /** File name in the keystore folder. */
  file: z.string(),
  /** How many files hold this address; more than one cannot sign. */
  files: countSchema,
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
})

export const signerCalls = {
  /** Valid once, for a request in state `waiting` with this nonce and content. `waiting` = wrong password, tries left. */
  'signer.decide': call(decisionSchema, z.object({ state: requestSchema.shape.state, error: z.string() }), 'approve'),
  'signer.rejectAll': call(nothing, z.object({ rejected: countSchema }), 'approve'),
  /** Opens a `newAccount` request in this application's own name; it is decided like any other. */
  'signer.requestNewAccount': call(nothing, z.object({ id: z.string() }), 'control'),
}

export const signerEvents = {
  'signer.requests': event(requestsSchema, 10),
  'signer.accounts': event(accountsSchema, 2),
}

export type CallerView = z.infer<typeof callerSchema>
export type FindingView = z.infer<typeof findingSchema>
export type TransactionRequestView = z.infer<typeof transactionRequestSchema>
export type RequestView = z.infer<typeof requestSchema>
export type RequestsView = z.infer<typeof requestsSchema>
export type AccountView = z.infer<typeof accountSchema>
export type AccountsView = z.infer<typeof accountsSchema>
export type DecisionView = z.infer<typeof decisionSchema>
