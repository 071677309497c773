// The calls and events between the host thread and a query worker. Answers are JSON texts, ready to forward.
import { z } from 'zod'
import type { Ending } from '../../base/ending'
import { call, event } from '../../base/wire/define'
import { ChainError } from '../errors'
import { liveLogsSchema, logSearchSchema } from '../logs/log-answers'
import { badBlockSchema } from '../worker/wire/import-shapes'
import { pendingBlockSchema } from '../worker/wire/pending-shapes'
import { accountBytesSchema } from '../worker/wire/pool-wire'
import {
  addressSchema as address,
  blockIdSchema,
  bytesSchema as bytes,
  hashSchema as hash,
} from '../worker/wire/shapes'

export interface QueryCaller {
  /** Aborts the query, even while it runs. */
  readonly signal: AbortSignal
  /** The same, for callers that would have to create a signal. */
  readonly ending?: Ending
  /** Key for taking turns; absent: the program itself. */
  readonly caller?: string
}

export interface NodeQueries {
  /** JSON text, at once when cached for this head. @throws RPC_*, STORE_MISSING_NODE, HOST_WORKER_LOST, the signal's reason */
  ask(request: AskRequest, caller: QueryCaller): string | Promise<string>
  /** The answer's JSON text in chunks, bytes in UTF-8, generated on demand. Ends the query when the reader stops. */
  stream(request: StreamRequest, caller: QueryCaller): AsyncIterable<string | Uint8Array>
}

/** Limits of calls; defaults are prlx's. */
export interface QuerySettings {
  /** Maximum computing threads, at least 2; one more serves short reads. */
  readonly workers: number
  /** Maximum gas of a call; 0 = no cap. */
  readonly gasCap: bigint
  /** ms per call; 0 = no limit */
  readonly callTimeoutMs: number
}

export const DEFAULT_QUERY_SETTINGS: QuerySettings = { workers: 3, gasCap: 600_000_000n, callTimeoutMs: 5_000 }

/** Used while there is no query worker. */
export const closedQueries: NodeQueries = {
  ask: () => Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined)),
  stream: () => {
    throw new ChainError('CHAIN_NOT_OPEN', undefined)
  },
}

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)
const nothing = z.object({})

function kind<K extends string, S extends z.ZodRawShape>(name: K, shape: S) {
  return z.object({ kind: z.literal(name), ...shape })
}

/** A block as identified by the caller, so that one round trip to the worker is enough. */
const at = z.discriminatedUnion('kind', [
  kind('tag', { tag: z.enum(['latest', 'earliest', 'pending', 'safe', 'finalized']) }),
  kind('number', { number: count }),
  kind('hash', { hash, requireCanonical: z.boolean() }),
  kind('neither', {}),
])

/** A call as its caller gave it; null = omitted. */
const callSchema = z.object({
  from: address.nullable(),
  to: address.nullable(),
  gas: natural.nullable(),
  gasPrice: natural.nullable(),
  /** Fee fields this chain doesn't support yet: rejected together with a gas price, otherwise ignored. */
  feeCap: natural.nullable(),
  tip: natural.nullable(),
  value: natural,
  nonce: natural.nullable(),
  data: bytes,
  accessList: z.array(z.object({ address, storageKeys: z.array(hash) })).nullable(),
  /** Refused if it is another chain's; absent: not said. */
  chainId: natural.nullish(),
})

const slots = z.array(z.tuple([hash, hash]))

/** State that replaces the stored one for a call; null = unchanged. */
const overrideSchema = z.object({
  address,
  nonce: natural.nullable(),
  balance: natural.nullable(),
  code: bytes.nullable(),
  /** Replaces all storage. */
  state: slots.nullable(),
  stateDiff: slots.nullable(),
  /** Where the precompile at this address is instead; absent: it stays. */
  moveTo: address.nullish(),
})

const overrides = z.array(overrideSchema)

/** Messages run in order on the newest state, and whose holdings are compared; the answer is JSON of simulate.ts. */
const changesRequestSchema = kind('simulate', {
  /** Each as if it were mined; what becomes of the last one is told. A failed one is the last. */
  calls: z
    .array(
      z.object({
        call: callSchema,
        /** The word at byte `at` of its data is lowered to what `owner` has of `token`. */
        most: z.object({ token: address, owner: address, at: count }).optional(),
      }),
    )
    .min(1)
    .max(8),
  /** Whose holdings are read before and after. */
  accounts: z.array(address).max(64),
  /** Tokens and spenders to ask about, besides what the run comes across. */
  parties: z.array(address).max(64),
  /** Numbered tokens, the same. */
  numbers: z.array(z.object({ contract: address, number: natural })).max(64),
  /** A hash whose signature isn't made yet; null = none. See simulate.ts. */
  digest: hash.nullable(),
  /** Storage as if it had these values. */
  slots: z.array(z.object({ address, slot: hash, value: hash })).max(8),
  /** Gets plenty of LAX and of these tokens, and allows `spender` to take them. */
  funded: z.object({ account: address, tokens: z.array(address).max(8), spender: address }).nullable(),
})

/** Header fields that a call sees; null = the block's own. */
const blockOverrideSchema = z.object({
  number: natural.nullish(),
  /** unix seconds */
  time: natural.nullish(),
  gasLimit: natural.nullish(),
  feeRecipient: address.nullish(),
  difficulty: natural.nullish(),
})

/** Tracers that can be parts of another. */
const PARTS = ['callTracer', 'prestateTracer', 'flatCallTracer', '4byteTracer', 'noopTracer', 'script'] as const

const tracerConfig = {
  /** For tracer `script`: a JavaScript expression, and the JSON configuration passed to it. */
  script: z.object({ source: z.string(), config: z.string() }).nullable(),
  /** For `callTracer`; absent: neither. */
  call: z.object({ onlyTopCall: z.boolean(), withLog: z.boolean() }).optional(),
  /** For `prestateTracer`; absent: none of it. */
  prestate: z.object({ diffMode: z.boolean(), disableCode: z.boolean(), disableStorage: z.boolean() }).optional(),
  /** For `flatCallTracer`; absent: neither. */
  flat: z.object({ convertParityErrors: z.boolean(), includePrecompiles: z.boolean() }).optional(),
}

const traceOptionsSchema = z.object({
  tracer: z.enum(['structs', 'muxTracer', ...PARTS]),
  ...tracerConfig,
  /** For `muxTracer`: its tracers with their names. */
  parts: z.array(z.object({ name: z.string(), tracer: z.enum(PARTS), ...tracerConfig })).optional(),
  memory: z.boolean(),
  stack: z.boolean(),
  storage: z.boolean(),
  /** Entries; 0 = all. */
  limit: count,
  /** ms of computing; below 0: none; null = default */
  timeoutMs: z.number().nullable(),
})

/** Which parts a trace answer contains for each transaction. */
const flatPartsSchema = z.object({ trace: z.boolean(), stateDiff: z.boolean() })

/** Filters for flat traces; empty lists match all. */
const flatFilterSchema = z.object({
  from: at,
  to: at,
  senders: z.array(address),
  receivers: z.array(address),
  /** Whether both sides must match, or one is enough. */
  both: z.boolean(),
  /** Matches to skip. */
  after: count,
  /** Null: as many as fit an answer. */
  count: count.nullable(),
})

/** So that the pending block is sent first. */
const pendingTag = z.object({ kind: z.literal('tag'), tag: z.literal('pending') })

const blockId = z.union([count, hash])

/** Calls that see what those before them left, bundle after bundle. */
const callBundles = {
  at,
  /** How many of the block's transactions ran before; null = all. */
  index: count.nullable(),
  overrides,
  /** Each with header fields that stay changed for those after it. */
  bundles: z.array(z.object({ block: blockOverrideSchema, calls: z.array(callSchema) })),
}

/** Asked for, the answer is empty where it is too long for one text: a stream brings it then. See reads/blocks.ts. */
const receiptQuestions = [kind('receipt', { hash }), kind('blockReceipts', { block: blockIdSchema })] as const

/** The same for a block, with its transactions or their hashes. */
const blockQuestions = [
  kind('block', { block: blockIdSchema, full: z.boolean() }),
  kind('pendingBlock', { at: pendingTag, full: z.boolean() }),
] as const

/** What waits in the pool, as bytes, to be written as JSON text. */
const poolContentSchema = kind('poolContent', {
  accounts: z.array(accountBytesSchema),
  /** `lines`: a line of words for each; `list`: only the pending ones, in a list. */
  form: z.enum(['whole', 'lines', 'list']),
  /** Of one account, without its address. */
  isOne: z.boolean(),
})

/** Invalid blocks, to be written as JSON text. */
const badBlocksSchema = kind('badBlocks', { blocks: z.array(badBlockSchema) })

/** The answer to a question that only a stream can answer. */
export const TOO_LONG = ''

const askSchema = z.discriminatedUnion('kind', [
  /** `block` absent: the header as it is. */
  kind('call', { at, call: callSchema, overrides, block: blockOverrideSchema.optional() }),
  /** Each call's output or error, in lists of bundles. */
  kind('callMany', { ...callBundles, timeoutMs: count.nullable() }),
  kind('estimate', { at, call: callSchema, overrides: overrides.optional() }),
  changesRequestSchema,
  kind('accessList', { at, call: callSchema, overrides: overrides.optional() }),
  kind('balance', { at, address }),
  kind('nonce', { at, address }),
  kind('code', { at, address }),
  kind('storage', { at, address, slot: hash }),
  /** `text`: the key as sent, echoed in the answer. */
  kind('proof', { at, address, keys: z.array(z.object({ text: z.string(), slot: hash })) }),
  kind('feeHistory', { at, blocks: count, percentiles: z.array(z.number()).nullable() }),
  kind('headerRlp', { number: count }),
  kind('blockRlp', { number: count }),
  kind('seedHash', { number: count }),
  kind('rawReceipts', { at }),
  kind('accessibleState', { from: at, to: at }),
  /** Blocks by height or hash. */
  kind('modifiedAccounts', { first: blockId, last: blockId.nullable() }),
  kind('intermediateRoots', { hash }),
  /** Accounts in trie order, at most 256; `most` 0 = the maximum. */
  kind('dump', {
    at,
    start: bytes,
    most: count,
    code: z.boolean(),
    storage: z.boolean(),
    /** Also accounts whose addresses are unknown. */
    nameless: z.boolean(),
    /** The answer includes the start of the next page. */
    paged: z.boolean(),
  }),
  kind('storageRange', { hash, index: count, address, start: bytes, most: count }),
  /** JSON of the pending block's transaction, or of its bytes as text; `null` when there is none. */
  kind('pendingTransaction', { at: pendingTag, index: count, raw: z.boolean() }),
  /** The answer is a page's text, see logs/log-answers.ts. */
  logSearchSchema,
  poolContentSchema,
  ...receiptQuestions,
  ...blockQuestions,
])

const options = traceOptionsSchema
const parts = flatPartsSchema

const streamSchema = z.discriminatedUnion('kind', [
  kind('traceTransaction', { hash, options }),
  kind('traceBlock', { at, options }),
  kind('traceRlp', { block: bytes, options }),
  /** `block` absent: the header as it is. */
  kind('traceCall', { at, call: callSchema, overrides, block: blockOverrideSchema.optional(), options }),
  kind('traceCallMany', { ...callBundles, options }),
  kind('flatBlock', { at }),
  /** `path`: the one call at that position; null: all calls. */
  kind('flatTransaction', { hash, path: z.array(count).nullable() }),
  kind('flatFilter', { filter: flatFilterSchema }),
  kind('replayTransaction', { hash, parts }),
  kind('replayBlock', { at, parts }),
  /** Each call sees the state left by the previous ones. `isList`: the answer is a list even for a single call. */
  kind('flatCalls', { at, calls: z.array(z.object({ call: callSchema, parts })), isList: z.boolean() }),
  kind('flatRaw', { raw: bytes, parts }),
  ...receiptQuestions,
  ...blockQuestions,
  liveLogsSchema,
  poolContentSchema,
  badBlocksSchema,
])

const shared = z.custom<SharedArrayBuffer>((value) => value instanceof SharedArrayBuffer, 'want a shared buffer')

const queryOpenSchema = z.object({
  /** absolute; the chain database, which the chain worker has open */
  folder: z.string(),
  chainId: natural,
  /** Maximum gas of a call. */
  gasCap: natural,
  /** ms per call */
  callTimeoutMs: count,
  /** Blocks per proof-of-work epoch. */
  epochBlocks: count,
  /** Block subsidies and when they are paid. */
  subsidies: z.object({ initialSubsidy: natural, subsidyHalvingBlocks: count, coinbaseMaturityBlocks: count }),
  /** Flags to stop running queries, see flags.ts. */
  flags: shared,
})

/** Index of this query's flag. */
const flag = count

/** The JSON text of an answer, or the error. */
const answerSchema = z.object({
  flag,
  text: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string(), data: z.unknown() }).nullable(),
})
const answers = z.object({ answers: z.array(answerSchema) })

export const queryWire = {
  calls: {
    /** @throws STORE_* */
    'query.open': call(queryOpenSchema, nothing),
    'query.close': call(nothing, nothing),
    /** Replaces the worker's pending block. */
    'query.pending': call(pendingBlockSchema, nothing),
    /** Answered in order, except those taken back; the result holds the answers that weren't sent ahead. */
    'query.ask': call(z.object({ asks: z.array(z.object({ flag, request: askSchema })) }), answers),
    /** Answers when all chunks were sent, with the rest of the text. @throws RPC_*, STORE_MISSING_NODE */
    'query.stream': call(z.object({ flag, request: streamSchema }), z.object({ rest: z.string() })),
  },
  events: {
    /** Answers sent ahead of those that take longer. */
    'query.answers': event(answers, Number.POSITIVE_INFINITY),
    /** A chunk of the JSON text of the stream with this flag, in order; bytes are UTF-8. */
    'query.chunk': event(z.object({ flag, text: z.union([z.string(), bytes]) }), Number.POSITIVE_INFINITY),
  },
}

export type QueryWire = typeof queryWire
/** RPC_* and STORE_MISSING_NODE are errors. */
export type QueryAnswer = z.infer<typeof answerSchema>
export type QueryOpen = z.infer<typeof queryOpenSchema>
export type AskRequest = z.infer<typeof askSchema>
export type StreamRequest = z.infer<typeof streamSchema>
export type Asked<K extends AskRequest['kind']> = Extract<AskRequest, { kind: K }>
export type Streamed<K extends StreamRequest['kind']> = Extract<StreamRequest, { kind: K }>
export type BadBlocksQuestion = Streamed<'badBlocks'>
/** The same for short answers and for streams. */
export type BlockQuestion = Streamed<'block' | 'pendingBlock'>
export type PoolContentQuestion = Streamed<'poolContent'>
export type ReceiptQuestion = Streamed<'receipt' | 'blockReceipts'>
export type CallArguments = z.infer<typeof callSchema>
export type ChangesRequest = z.infer<typeof changesRequestSchema>
export type BlockOverride = z.infer<typeof blockOverrideSchema>
export type StateOverride = z.infer<typeof overrideSchema>
export type TraceOptions = z.infer<typeof traceOptionsSchema>
export type TracerChoice = NonNullable<TraceOptions['parts']>[number]
export type CallBundles = Pick<Asked<'callMany'>, 'at' | 'index' | 'overrides' | 'bundles'>
export type FlatParts = z.infer<typeof flatPartsSchema>
export type FlatFilter = z.infer<typeof flatFilterSchema>
