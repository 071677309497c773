// What the UI asks about single things of the chain: a receipt, an account, a page of waiting transactions, and what listens.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { blockRowSchema } from './block-row'
import { addressSchema, countSchema, dataSchema, decimalSchema, hashSchema, nothing, timeSchema } from './shapes'

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

/** Waiting transactions between two gas prices, and what the next block would hold. */
export const poolReportSchema = z.object({
  /** Prices rising, four steps to a factor of ten; empty steps between others are there, too. */
  prices: z.array(
    z.object({
      /** wei per gas, this one included */
      from: decimalSchema,
      /** wei per gas, this one not */
      below: decimalSchema,
      pending: countSchema,
      queued: countSchema,
    }),
  ),
  /** What a block made now would hold; null before the first block. */
  template: z
    .object({
      number: countSchema,
      transactions: countSchema,
      gasUsed: countSchema,
      gasLimit: countSchema,
      /** wei */
      fees: decimalSchema,
      sizeBytes: countSchema,
    })
    .nullable(),
})

/** Blocks that left the chain and those that took their place, lowest first, at most `MAX_REORG_BLOCKS` of each. */
export const reorgSchema = z.object({
  at: timeSchema,
  /** Height of the last block that both branches have. */
  ancestor: countSchema,
  removed: z.array(blockRowSchema),
  added: z.array(blockRowSchema),
})

export const MAX_REORG_BLOCKS = 20

/** What an address did in a range of blocks. */
export const addressHistorySchema = z.object({
  /** Newest first. */
  transactions: z.array(transactionRowSchema),
  /** Heights of the blocks that were looked through, both included. */
  newest: countSchema,
  oldest: countSchema,
})

/** One call of a trace. */
export const traceCallSchema = z.object({
  /** 0 = the transaction itself. */
  depth: countSchema,
  kind: z.string(),
  from: addressSchema,
  /** Null for a creation that failed. */
  to: addressSchema.nullable(),
  /** wei; null where the kind moves none. */
  value: decimalSchema.nullable(),
  gasUsed: countSchema,
  /** Method's four bytes; empty where there is no such. */
  selector: z.string(),
  inputBytes: countSchema,
  /** Empty when it went well. */
  error: z.string(),
})

/** One instruction of a trace. */
export const traceStepSchema = z.object({
  pc: countSchema,
  op: z.string(),
  gas: countSchema,
  gasCost: countSchema,
  depth: countSchema,
  error: z.string(),
})

export const TRACE_LIMITS = { calls: 1_000, steps: 2_000, ms: 10_000 } as const

export const traceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('calls'), calls: z.array(traceCallSchema), isCut: z.boolean() }),
  z.object({ kind: z.literal('steps'), steps: z.array(traceStepSchema), isCut: z.boolean() }),
])

/** How often a method was asked for. */
export const rpcMethodSchema = z.object({
  method: z.string(),
  total: countSchema,
  failed: countSchema,
  /** In the last minute. */
  lastMinute: countSchema,
})

/** Characters of the parameters, and of an answer, that the console takes. */
export const CONSOLE_LIMITS = { params: 65_536, answer: 262_144 } as const

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
  'node.poolReport': call(nothing, poolReportSchema),
  /** Of this run, newest first. */
  'node.reorgs': call(nothing, z.object({ reorgs: z.array(reorgSchema) })),
  /** Null before the first block. */
  'node.code': call(z.object({ address: addressSchema }), z.object({ code: dataSchema.nullable() })),
  /**
   * Its transactions, sent or received, of some blocks downwards from `from` (null = head); ends when a page is full, a piece of
   * the chain was looked through or two seconds are over.
   */
  'node.addressHistory': call(z.object({ address: addressSchema, from: countSchema.nullable() }), addressHistorySchema),
  /** Runs a transaction again, within `TRACE_LIMITS`; one at a time in the whole program. A trace of this connection that runs ends. */
  'node.trace': call(z.object({ hash: hashSchema, kind: z.enum(['calls', 'steps']) }), traceSchema),
  'node.cancelTrace': call(nothing, z.object({})),
  /** Of this run of the node, often asked ones first; empty while JSON-RPC is off. */
  'node.rpcTraffic': call(nothing, z.object({ methods: z.array(rpcMethodSchema) })),
  /** What the console takes: methods that neither sign nor change anything; empty while JSON-RPC is off. */
  'node.consoleMethods': call(nothing, z.object({ methods: z.array(z.string()) })),
  /** Asks the node one of those. `params`: a JSON array. Fails with HOST_CONSOLE_REFUSED for any other method. */
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
