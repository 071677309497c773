// The calls and events between the host thread and a query worker. Answers are JSON texts, ready to be sent on.
import { z } from 'zod'
import { call, event } from '../../base/wire/define'
import { logSearchSchema } from '../logs/log-answers'
import { stateEntrySchema } from '../worker/wire/pending-shapes'
import { addressSchema, bytesSchema as bytes, hashSchema } from '../worker/wire/shapes'

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)
const nothing = z.object({})

/** Which block: as the caller named it, so that one turn to the worker is enough. */
export const blockArgumentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tag: z.enum(['latest', 'earliest', 'pending', 'safe', 'finalized']) }),
  z.object({ kind: z.literal('number'), number: count }),
  z.object({ kind: z.literal('hash'), hash: hashSchema, requireCanonical: z.boolean() }),
  z.object({ kind: z.literal('neither') }),
])

/** A call as its caller gave it; null = left out. */
export const callSchema = z.object({
  from: addressSchema.nullable(),
  to: addressSchema.nullable(),
  gas: natural.nullable(),
  gasPrice: natural.nullable(),
  /** Prices that this chain does not have yet: refused beside a gas price, otherwise without effect on the call. */
  feeCap: natural.nullable(),
  tip: natural.nullable(),
  value: natural,
  nonce: natural.nullable(),
  data: bytes,
  accessList: z.array(z.object({ address: addressSchema, storageKeys: z.array(hashSchema) })).nullable(),
})

const slots = z.array(z.tuple([hashSchema, hashSchema]))

/** State that a call is to find instead of what is there; null = as it is. */
export const overrideSchema = z.object({
  address: addressSchema,
  nonce: natural.nullable(),
  balance: natural.nullable(),
  code: bytes.nullable(),
  /** Replaces all storage. */
  state: slots.nullable(),
  stateDiff: slots.nullable(),
})

/** What a simulated block has instead of what follows from the block before; null = that. */
export const blockOverrideSchema = z.object({
  number: natural.nullish(),
  /** unix seconds */
  time: natural.nullish(),
  gasLimit: natural.nullish(),
  feeRecipient: addressSchema.nullish(),
  difficulty: natural.nullish(),
})

export const TRACERS = ['structs', 'callTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'script'] as const

export const traceOptionsSchema = z.object({
  tracer: z.enum(TRACERS),
  /** Of tracer `script`: an expression in JavaScript, and JSON that it is set up with. */
  script: z.object({ source: z.string(), config: z.string() }).nullable(),
  memory: z.boolean(),
  stack: z.boolean(),
  storage: z.boolean(),
  /** Entries; 0 = all. */
  limit: count,
  /** ms of computing; null = none was asked for */
  timeoutMs: count.nullable(),
})

/** What an answer of the trace namespace tells of each transaction. */
export const flatPartsSchema = z.object({ trace: z.boolean(), stateDiff: z.boolean() })

/** Which flat traces are wanted; empty lists mean all. */
export const flatFilterSchema = z.object({
  from: blockArgumentSchema,
  to: blockArgumentSchema,
  senders: z.array(addressSchema),
  receivers: z.array(addressSchema),
  /** Whether both ends must match, or one is enough. */
  both: z.boolean(),
  /** Matches to leave out at the start. */
  after: count,
  /** Null: as many as an answer may hold. */
  count: count.nullable(),
})

const at = blockArgumentSchema

/** Blocks of calls on a state, one after another; the answer is JSON of simulation/simulate-blocks.ts. */
export const simulateBlocksSchema = z.object({
  kind: z.literal('simulateBlocks'),
  at,
  blocks: z.array(
    z.object({
      block: blockOverrideSchema,
      overrides: z.array(overrideSchema),
      /** Built-in contracts that are to be elsewhere from this block on. */
      moves: z.array(z.object({ from: addressSchema, to: addressSchema })),
      calls: z.array(callSchema),
    }),
  ),
  /** Whether nonces and senders are checked as in a block. */
  validation: z.boolean(),
  traceTransfers: z.boolean(),
  fullTransactions: z.boolean(),
})
const blockId = z.union([count, hashSchema])

export const askSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), at, call: callSchema, overrides: z.array(overrideSchema) }),
  z.object({ kind: z.literal('estimate'), at, call: callSchema }),
  /** What a call comes to, also a failed one: JSON of `data`, `gasUsed`, `status`. */
  z.object({ kind: z.literal('outcome'), at, call: callSchema }),
  /** What a transaction would change; the answer is JSON of simulate.ts. */
  z.object({ kind: z.literal('simulate'), call: callSchema }),
  simulateBlocksSchema,
  z.object({ kind: z.literal('accessList'), at, call: callSchema }),
  z.object({ kind: z.literal('balance'), at, address: addressSchema }),
  z.object({ kind: z.literal('nonce'), at, address: addressSchema }),
  z.object({ kind: z.literal('hasCode'), at, address: addressSchema }),
  z.object({ kind: z.literal('code'), at, address: addressSchema }),
  z.object({ kind: z.literal('storage'), at, address: addressSchema, slot: hashSchema }),
  /** `text`: the key as it was sent, which the answer repeats. */
  z.object({
    kind: z.literal('proof'),
    at,
    address: addressSchema,
    keys: z.array(z.object({ text: z.string(), slot: hashSchema })),
  }),
  z.object({ kind: z.literal('feeHistory'), at, blocks: count, percentiles: z.array(z.number()).nullable() }),
  z.object({ kind: z.literal('headerRlp'), number: count }),
  z.object({ kind: z.literal('blockRlp'), number: count }),
  z.object({ kind: z.literal('seedHash'), number: count }),
  z.object({ kind: z.literal('rawReceipts'), at }),
  z.object({ kind: z.literal('accessibleState'), from: at, to: at }),
  /** Blocks by height or hash. */
  z.object({ kind: z.literal('modifiedAccounts'), first: blockId, last: blockId.nullable() }),
  z.object({ kind: z.literal('intermediateRoots'), hash: hashSchema }),
  /** Accounts in the order of the trie, at most 256; `most` 0 = that many. */
  z.object({
    kind: z.literal('dump'),
    at,
    start: bytes,
    most: count,
    code: z.boolean(),
    storage: z.boolean(),
    /** Also accounts whose addresses aren't known. */
    nameless: z.boolean(),
    /** The answer tells where the next page begins. */
    paged: z.boolean(),
  }),
  z.object({
    kind: z.literal('storageRange'),
    hash: hashSchema,
    index: count,
    address: addressSchema,
    start: bytes,
    most: count,
  }),
  /** Hash of the transaction with this nonce. */
  z.object({ kind: z.literal('senderNonce'), address: addressSchema, nonce: natural }),
  z.object({ kind: z.literal('contractCreator'), address: addressSchema }),
  /** The answer is JSON of `foundPageSchema`; `from` is looked at too. */
  z.object({
    kind: z.literal('addressSearch'),
    address: addressSchema,
    from: count,
    isBackwards: z.boolean(),
    most: count,
  }),
  /** The answer is the text of a page, see logs/log-answers.ts. */
  logSearchSchema,
  /** The answer is JSON of `blockLogsSchema`. */
  z.object({ kind: z.literal('blockLogs'), hash: hashSchema }),
])

/** Blocks in the order of the search, with the places of transactions in each. */
export const foundPageSchema = z.object({
  blocks: z.array(z.object({ number: count, indexes: z.array(count) })),
  /** The block to go on with; null: all were looked at. */
  next: count.nullable(),
  /** There was no time for more. */
  isStopped: z.boolean(),
})

export const streamSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('traceTransaction'), hash: hashSchema, options: traceOptionsSchema }),
  z.object({ kind: z.literal('traceBlock'), at, options: traceOptionsSchema }),
  z.object({ kind: z.literal('traceRlp'), block: bytes, options: traceOptionsSchema }),
  z.object({
    kind: z.literal('traceCall'),
    at,
    call: callSchema,
    overrides: z.array(overrideSchema),
    options: traceOptionsSchema,
  }),
  z.object({ kind: z.literal('flatBlock'), at }),
  /** `path`: the one call there; null: all calls. */
  z.object({ kind: z.literal('flatTransaction'), hash: hashSchema, path: z.array(count).nullable() }),
  /** Operations, revert data or calls of a transaction, see explorer/call-views.ts. */
  z.object({ kind: z.literal('callView'), hash: hashSchema, view: z.enum(['operations', 'error', 'calls']) }),
  z.object({ kind: z.literal('flatFilter'), filter: flatFilterSchema }),
  z.object({ kind: z.literal('replayTransaction'), hash: hashSchema, parts: flatPartsSchema }),
  z.object({ kind: z.literal('replayBlock'), at, parts: flatPartsSchema }),
  /** Each call finds what those before it left. `isList`: the answer is a list also of one call. */
  z.object({
    kind: z.literal('flatCalls'),
    at,
    calls: z.array(z.object({ call: callSchema, parts: flatPartsSchema })),
    isList: z.boolean(),
  }),
  z.object({ kind: z.literal('flatRaw'), raw: bytes, parts: flatPartsSchema }),
])

/** The pending block as far as calls see it. */
export const pendingSchema = z.object({
  parentHash: hashSchema,
  stateRoot: hashSchema,
  number: count,
  timestamp: count,
  coinbase: addressSchema,
  difficulty: natural,
  gasLimit: natural,
  changes: z.array(stateEntrySchema),
})

const shared = z.custom<SharedArrayBuffer>((value) => value instanceof SharedArrayBuffer, 'want a shared buffer')

export const queryOpenSchema = z.object({
  /** absolute; the chain database, which the chain worker holds open */
  folder: z.string(),
  chainId: natural,
  /** Most gas of a call. */
  gasCap: natural,
  /** ms a call may take */
  callTimeoutMs: count,
  /** Blocks of a proof-of-work epoch. */
  epochBlocks: count,
  /** What blocks earn, and when it is paid. */
  subsidies: z.object({ initialSubsidy: natural, subsidyHalvingBlocks: count, coinbaseMaturityBlocks: count }),
  /** Flags by which running queries are ended, see flags.ts. */
  flags: shared,
})

/** Which of the flags is this query's. */
const flag = count

export const queryWire = {
  calls: {
    /** @throws STORE_* */
    'query.open': call(queryOpenSchema, nothing),
    'query.close': call(nothing, nothing),
    /** Replaces the pending block that the worker knows. */
    'query.pending': call(pendingSchema, nothing),
    /** @throws RPC_*, STORE_MISSING_NODE */
    'query.ask': call(z.object({ flag, request: askSchema }), z.string()),
    /** Answers when all chunks were sent. @throws RPC_*, STORE_MISSING_NODE */
    'query.stream': call(z.object({ flag, request: streamSchema }), nothing),
  },
  events: {
    /** A piece of the JSON text of the stream with this flag, in order. */
    'query.chunk': event(z.object({ flag, text: z.string() }), Number.POSITIVE_INFINITY),
  },
}

/** The definition's type, for both ends of the wire. */
export type QueryWire = typeof queryWire
export type QueryOpen = z.infer<typeof queryOpenSchema>
export type AskRequest = z.infer<typeof askSchema>
export type StreamRequest = z.infer<typeof streamSchema>
export type CallArguments = z.infer<typeof callSchema>
export type SimulateRequest = z.infer<typeof simulateBlocksSchema>
export type BlockOverride = z.infer<typeof blockOverrideSchema>
export type StateOverride = z.infer<typeof overrideSchema>
export type TraceOptions = z.infer<typeof traceOptionsSchema>
export type FlatParts = z.infer<typeof flatPartsSchema>
export type FlatFilter = z.infer<typeof flatFilterSchema>
export type PendingState = z.infer<typeof pendingSchema>
