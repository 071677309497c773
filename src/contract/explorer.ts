// What the UI asks about single items of the chain: a receipt, an account, a page of pending transactions, and the
// listeners.
import { z } from 'zod'
import { call } from '../base/wire/define'
import {
  addressSchema,
  blockRowSchema,
  countSchema,
  dataSchema,
  decimalSchema,
  gasSchema,
  hashSchema,
  nothing,
  timeSchema,
} from './shapes'

export const transactionRowSchema = z.object({
  hash: hashSchema,
  from: addressSchema,
  /** Null for a contract creation. */
  to: addressSchema.nullable(),
  value: decimalSchema,
  /** Of a waiting one it may be any below 2^64. */
  nonce: decimalSchema,
  gasPrice: decimalSchema,
  /** Null while not in a block. */
  gasUsed: gasSchema.nullable(),
  /** Null while not in a block. */
  succeeded: z.boolean().nullable(),
  blockNumber: countSchema.nullable(),
  input: dataSchema,
})

const logViewSchema = z.object({
  /** Index in the block. */
  index: countSchema,
  address: addressSchema,
  topics: z.array(hashSchema).max(4),
  data: dataSchema,
})

const receiptViewSchema = z.object({
  succeeded: z.boolean(),
  blockHash: hashSchema,
  blockNumber: countSchema,
  /** Index of the transaction in its block. */
  index: countSchema,
  gasUsed: gasSchema,
  cumulativeGasUsed: gasSchema,
  /** wei; gas used × price. */
  fee: decimalSchema,
  /** Null when no contract was created. */
  contractAddress: addressSchema.nullable(),
  logs: z.array(logViewSchema),
})

const addressViewSchema = z.object({
  /** Height of the state read. */
  asOf: countSchema,
  /** Spendable wei. */
  available: decimalSchema,
  /** wei of subsidies still maturing. */
  locked: decimalSchema,
  nextUnlock: z.object({ height: countSchema, amount: decimalSchema }).nullable(),
  /** Decimal: a contract's nonce may exceed 2^53. */
  nonce: decimalSchema,
  /** Length of its code; 0 = no contract. */
  codeBytes: countSchema,
})

/** Without the data, which may be 128 KiB: `node.transaction` has it. */
const poolRowSchema = transactionRowSchema.omit({ input: true }).extend({
  /** `queued`: an earlier nonce is missing or the balance is too low. */
  place: z.enum(['pending', 'queued']),
  gasLimit: gasSchema,
})

const poolPageSchema = z.object({
  pending: countSchema,
  queued: countSchema,
  /** How many match the filter, in both places. */
  found: countSchema,
  transactions: z.array(poolRowSchema),
})

/** Pending transactions between two gas prices, and what the next block would hold. */
const poolReportSchema = z.object({
  /** Ascending prices, four steps per decade; empty steps in between are included. */
  prices: z.array(
    z.object({
      /** wei per gas, inclusive */
      from: decimalSchema,
      /** wei per gas, exclusive */
      below: decimalSchema,
      pending: countSchema,
      queued: countSchema,
    }),
  ),
  /** Contents of a block built now; null before the first block. */
  template: z
    .object({
      number: countSchema,
      transactions: countSchema,
      gasUsed: gasSchema,
      gasLimit: gasSchema,
      /** wei */
      fees: decimalSchema,
      sizeBytes: countSchema,
    })
    .nullable(),
})

/** Blocks that left the chain and those that replaced them, lowest first, at most `MAX_REORG_BLOCKS` of each. */
const reorgSchema = z.object({
  at: timeSchema,
  /** Height of the last common block. */
  ancestor: countSchema,
  removed: z.array(blockRowSchema),
  added: z.array(blockRowSchema),
})

export const MAX_REORG_BLOCKS = 20

/** Transactions of an address in a range of blocks. */
const addressHistorySchema = z.object({
  /** Newest first. */
  transactions: z.array(transactionRowSchema),
  /** Heights of the blocks searched, inclusive. */
  newest: countSchema,
  oldest: countSchema,
})

/** One call frame of a trace. */
const traceCallSchema = z.object({
  /** 0 = the transaction itself. */
  depth: countSchema,
  kind: z.string(),
  from: addressSchema,
  /** Null for a failed contract creation. */
  to: addressSchema.nullable(),
  /** wei; null for call kinds that move none. */
  value: decimalSchema.nullable(),
  gasUsed: gasSchema,
  /** 4-byte method selector; empty when there is none. */
  selector: z.string(),
  inputBytes: countSchema,
  /** Empty on success. */
  error: z.string(),
})

/** One instruction of a trace. */
const traceStepSchema = z.object({
  pc: countSchema,
  op: z.string(),
  gas: gasSchema,
  gasCost: gasSchema,
  depth: countSchema,
  error: z.string(),
})

export const TRACE_LIMITS = { calls: 1_000, steps: 2_000, ms: 10_000 } as const

const traceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('calls'), calls: z.array(traceCallSchema), isCut: z.boolean() }),
  z.object({ kind: z.literal('steps'), steps: z.array(traceStepSchema), isCut: z.boolean() }),
])

/** How often a method was called. */
const rpcMethodSchema = z.object({
  method: z.string(),
  total: countSchema,
  failed: countSchema,
  /** In the last minute. */
  lastMinute: countSchema,
})

/** Characters of the parameters, and of an answer, that the console takes. */
export const CONSOLE_LIMITS = { params: 65_536, answer: 262_144 } as const

/** One JSON-RPC listener. */
const listenerSchema = z.object({
  kind: z.enum(['http', 'ws', 'ipc']),
  /** `host:port`, or the socket's path; null = enabled but not listening yet. */
  address: z.string().nullable(),
  namespaces: z.array(z.string()),
  /** Allowed CORS origins; null where web pages can't connect (a local socket). */
  origins: z.array(z.string()).nullable(),
  /** Allowed Host names; null where the Host header isn't checked. */
  hosts: z.array(z.string()).nullable(),
})

export const explorerCalls = {
  /** Null while pending or when unknown. */
  'node.receipt': call(z.object({ hash: hashSchema }), z.object({ receipt: receiptViewSchema.nullable() })),
  /** In the head's state; null before the first block. */
  'node.address': call(z.object({ address: addressSchema }), z.object({ account: addressViewSchema.nullable() })),
  /** Executable ones first, then by price, highest first; `filter` matches part of a hash, sender or receiver. */
  'node.poolPage': call(
    z.object({ from: countSchema, count: z.number().int().min(1).max(200), filter: z.string().max(66) }),
    poolPageSchema,
  ),
  'node.listeners': call(nothing, z.object({ listeners: z.array(listenerSchema) })),
  'node.poolReport': call(nothing, poolReportSchema),
  /** Since startup, newest first. */
  'node.reorgs': call(nothing, z.object({ reorgs: z.array(reorgSchema) })),
  /** Null before the first block. */
  'node.code': call(z.object({ address: addressSchema }), z.object({ code: dataSchema.nullable() })),
  /** Downwards from `from` (null = head), until a page is full, a range of blocks is searched, or two seconds passed. */
  'node.addressHistory': call(z.object({ address: addressSchema, from: countSchema.nullable() }), addressHistorySchema),
  /** Within `TRACE_LIMITS`; one trace at a time in the whole program: this connection's earlier one is cancelled. */
  'node.trace': call(z.object({ hash: hashSchema, kind: z.enum(['calls', 'steps']) }), traceSchema),
  'node.cancelTrace': call(nothing, z.object({})),
  /** Since the node started, most frequent first; empty while JSON-RPC is off. */
  'node.rpcTraffic': call(nothing, z.object({ methods: z.array(rpcMethodSchema) })),
  /** Methods the console accepts: those that neither sign nor change anything; empty while JSON-RPC is off. */
  'node.consoleMethods': call(nothing, z.object({ methods: z.array(z.string()) })),
  /** Calls one of those on the node. `params`: a JSON array. Fails with HOST_CONSOLE_REFUSED for any other method. */
  'node.console': call(
    z.object({ method: z.string().min(1).max(100), params: z.string().max(CONSOLE_LIMITS.params) }),
    z.object({ answer: z.string() }),
    'control',
  ),
}

export type TransactionRowView = z.infer<typeof transactionRowSchema>
export type ReceiptView = z.infer<typeof receiptViewSchema>
export type LogView = z.infer<typeof logViewSchema>
export type AddressView = z.infer<typeof addressViewSchema>
export type PoolRowView = z.infer<typeof poolRowSchema>
export type PoolPageView = z.infer<typeof poolPageSchema>
export type ListenerView = z.infer<typeof listenerSchema>
export type PoolReportView = z.infer<typeof poolReportSchema>
export type ReorgView = z.infer<typeof reorgSchema>
export type AddressHistoryView = z.infer<typeof addressHistorySchema>
export type TraceView = z.infer<typeof traceSchema>
export type TraceCallView = z.infer<typeof traceCallSchema>
export type TraceStepView = z.infer<typeof traceStepSchema>
export type RpcMethodView = z.infer<typeof rpcMethodSchema>
