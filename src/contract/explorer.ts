// What the UI asks about single things of the chain: a receipt, an account, a page of waiting transactions, and what listens.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { addressSchema, countSchema, dataSchema, decimalSchema, hashSchema, nothing } from './shapes'

export const transactionRowSchema = z.object({
  hash: hashSchema,
  from: addressSchema,
  /** Null for a contract creation. */
  to: addressSchema.nullable(),
  value: decimalSchema,
  nonce: countSchema,
  gasPrice: decimalSchema,
  /** Null while not in a block. */
  gasUsed: countSchema.nullable(),
  /** Null while not in a block. */
  succeeded: z.boolean().nullable(),
  blockNumber: countSchema.nullable(),
  input: dataSchema,
})

export const logViewSchema = z.object({
  /** Place in the block. */
  index: countSchema,
  address: addressSchema,
  topics: z.array(hashSchema).max(4),
  data: dataSchema,
})

export const receiptViewSchema = z.object({
  succeeded: z.boolean(),
  blockHash: hashSchema,
  blockNumber: countSchema,
  /** Place of the transaction in its block. */
  index: countSchema,
  gasUsed: countSchema,
  cumulativeGasUsed: countSchema,
  /** wei; gas used x price. */
  fee: decimalSchema,
  /** Null where nothing was created. */
  contractAddress: addressSchema.nullable(),
  logs: z.array(logViewSchema),
})

export const addressViewSchema = z.object({
  /** Height of the state that was read. */
  asOf: countSchema,
  /** wei that may be spent. */
  available: decimalSchema,
  /** wei of subsidies still maturing. */
  locked: decimalSchema,
  nextUnlock: z.object({ height: countSchema, amount: decimalSchema }).nullable(),
  /** Decimal: a contract's may pass 2^53. */
  nonce: decimalSchema,
  /** Length of its code; 0 = no contract. */
  codeBytes: countSchema,
})

export const poolRowSchema = transactionRowSchema.extend({
  /** `queued`: an earlier nonce or the money is missing. */
  place: z.enum(['pending', 'queued']),
  gasLimit: countSchema,
})

export const poolPageSchema = z.object({
  pending: countSchema,
  queued: countSchema,
  /** How many of both fit the filter. */
  found: countSchema,
  transactions: z.array(poolRowSchema),
})

/** One way in to JSON-RPC. */
export const listenerSchema = z.object({
  kind: z.enum(['http', 'ws', 'ipc']),
  /** `host:port`, or the path of the socket; null = it should listen and does not yet. */
  address: z.string().nullable(),
  namespaces: z.array(z.string()),
  /** Origins of pages that may read; null where pages cannot come (a local socket). */
  origins: z.array(z.string()).nullable(),
  /** Names that a request may call this host by; null where that is not looked at. */
  hosts: z.array(z.string()).nullable(),
})

export const explorerCalls = {
  /** Null while it waits, or where it is unknown. */
  'node.receipt': call(z.object({ hash: hashSchema }), z.object({ receipt: receiptViewSchema.nullable() })),
  /** In the head's state; null before the first block. */
  'node.address': call(z.object({ address: addressSchema }), z.object({ account: addressViewSchema.nullable() })),
  /** Waiting transactions, executable ones first, dearest first within each; `filter` is a piece of hash, sender or receiver. */
  'node.poolPage': call(
    z.object({ from: countSchema, count: z.number().int().min(1).max(200), filter: z.string().max(66) }),
    poolPageSchema,
  ),
  'node.listeners': call(nothing, z.object({ listeners: z.array(listenerSchema) })),
}

export type TransactionRowView = z.infer<typeof transactionRowSchema>
export type ReceiptView = z.infer<typeof receiptViewSchema>
export type LogView = z.infer<typeof logViewSchema>
export type AddressView = z.infer<typeof addressViewSchema>
export type PoolRowView = z.infer<typeof poolRowSchema>
export type PoolPageView = z.infer<typeof poolPageSchema>
export type ListenerView = z.infer<typeof listenerSchema>
