// Reads of the opened chain. Each becomes a method of `ChainReader`: its definition here, its answer in
// block-queries.ts.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { ordered } from '../../../base/wire/forward'
import { badBlockSchema, reachSchema } from './import-shapes'
import { accountBytesSchema, accountContentSchema, feeEstimatesSchema } from './pool-wire'
import {
  accountSchema,
  addressSchema,
  blockDetailSchema,
  blockIdSchema,
  blockSummarySchema,
  bytesSchema as bytes,
  bytesSchema,
  hashSchema,
  headerSchema,
  pendingSchema,
  receiptSchema,
  transactionSchema,
} from './shapes'

const natural = z.bigint().min(0n)
const hashes = { hashes: z.array(hashSchema).max(2048) }
const many = z.array(bytesSchema)

const headersParamsSchema = z.object({
  /** 32-byte hash, or a height */
  origin: z.union([hashSchema, natural]),
  amount: natural,
  skip: natural,
  reverse: z.boolean(),
})

/** A header's verdict before its block is read. */
const headerVerdictSchema = z.object({
  /** `unknown parent` and `future` don't blame the peer; `fault` violates a rule, seal included. */
  kind: z.enum(['good', 'known', 'unknown parent', 'future', 'fault']),
  /** prlx's message; empty when valid */
  reason: z.string(),
  /** Total difficulty of the parent; 0 when unknown. */
  parentTotal: natural,
})

/** How far a series of headers is valid. */
const headersVerdictSchema = z.object({
  /** This many leading headers satisfy all rules, seals included. */
  good: z.number().int().min(0),
  /** Of the next one; null when all are valid. */
  fault: z.object({ kind: z.enum(['unknown parent', 'future', 'fault']), reason: z.string() }).nullable(),
})

/** Answers are cut at prlx's limits: 1024 items, about 2 MiB. */
export const p2pCalls = {
  /** RLP of headers. */
  'chain.p2pHeaders': call(headersParamsSchema, many),
  /** RLP of the transaction lists of the known blocks, in order. */
  'chain.p2pBodies': ordered(['hashes'], hashes, many),
  /** RLP of the receipt lists of the known blocks, in order. */
  'chain.p2pReceipts': ordered(['hashes'], hashes, many),
  /** The known pool transactions, as they appear in a body. */
  'chain.p2pPooled': ordered(['hashes'], hashes, many),
  /** Trie nodes and code by hash. */
  'chain.p2pNodeData': ordered(['hashes'], hashes, many),
  /** The answer and the entries read, see src/node/protocol/snap-messages.ts; null when malformed. */
  'chain.p2pSnap': ordered(
    ['code', 'request'],
    { code: z.number().int().min(0).max(7), request: bytesSchema },
    z.object({ payload: bytesSchema, reads: z.number().int().min(0) }).nullable(),
  ),
  /** Which blocks are stored. */
  'chain.p2pKnownBlocks': ordered(['hashes'], hashes, z.array(z.boolean())),
  /** Hashes of the canonical blocks at these heights; null above the head. */
  'chain.p2pCanonical': ordered(['numbers'], { numbers: z.array(natural).max(1024) }, z.array(hashSchema.nullable())),
  'chain.p2pJudgeHeader': ordered(['header'], { header: headerSchema }, headerVerdictSchema),
  /** Reads a block whose header is good, and keeps it for its import. `other body`: it doesn't fit the header. */
  'chain.p2pReadBlock': ordered(['block'], { block: bytesSchema }, z.enum(['good', 'malformed', 'other body'])),
  /** Consecutive, ahead of their blocks; the first builds on a stored block or on the previous call's last. */
  'chain.p2pCheckHeaders': ordered(['headers'], { headers: z.array(headerSchema).max(1024) }, headersVerdictSchema),
  /** Which of these are neither in the pool nor in the canonical chain. */
  'chain.p2pUnknownTransactions': ordered(['hashes'], hashes, z.array(hashSchema)),
  /** Adds peers' transactions. One answer each: null = added, else prlx's rejection. */
  'chain.p2pAddTransactions': ordered(['raws'], { raws: many.max(4096) }, z.array(z.string().nullable())),
  /** Hashes of the executable pool transactions. */
  'chain.p2pPendingHashes': ordered([], {}, z.array(hashSchema)),
}

export type HeadersParams = z.infer<typeof headersParamsSchema>
export type HeadersVerdict = z.infer<typeof headersVerdictSchema>
export type HeaderVerdict = z.infer<typeof headerVerdictSchema>

const count = z.number().int().min(0)
const ofBlock = { id: blockIdSchema }
/** Transactions in one answer: a block has up to 28,000, and all of them take a thread too long. */
export const MAX_TRANSACTIONS = 4_096
const ofRange = { ...ofBlock, from: count, count: z.number().int().min(1).max(MAX_TRANSACTIONS) }
const ofHash = { hash: hashSchema }
const ofOneOrAll = { address: addressSchema.nullable().default(null) }
const ofSome = { addresses: z.array(addressSchema).nullable().default(null) }
const ofAccount = { address: addressSchema, at: blockIdSchema.default('head') }

/** A block is a height, a 32-byte hash or the head. All throw CHAIN_NOT_OPEN while no chain is open. */
export const readCalls = {
  'chain.head': ordered([], {}, blockSummarySchema),
  /** Newest first, downwards from `from` (null = head), at most 1024. */
  'chain.blocksDown': ordered(
    ['from', 'count'],
    { from: count.nullable(), count: z.number().int().min(1).max(1024) },
    z.array(blockSummarySchema),
  ),
  /** A block with an empty list of transactions; null when it is unknown. */
  'chain.header': ordered(['id'], ofBlock, blockDetailSchema.nullable()),
  /** One line of it, as in lists. */
  'chain.summary': ordered(['id'], ofBlock, blockSummarySchema.nullable()),
  /** Of a block, from an index on, at most `MAX_TRANSACTIONS`; none of an unknown block. */
  'chain.transactions': ordered(['id', 'from', 'count'], ofRange, z.array(transactionSchema)),
  /** wei that a block's transactions paid; null when it is unknown or was never executed. */
  'chain.fees': ordered(['id'], ofBlock, z.bigint().nullable()),
  /** From the canonical chain or the pool. */
  'chain.transaction': ordered(['hash'], ofHash, transactionSchema.nullable()),
  /** Null when unknown. @throws RPC_ANSWER_TOO_LARGE for one with many logs, which only a query worker can send */
  'chain.receipt': ordered(['hash'], ofHash, receiptSchema.nullable()),
  /** Total difficulty up to this block on its own branch; null when it isn't stored. */
  'chain.totalDifficulty': ordered(['hash'], ofHash, z.bigint().nullable()),
  /** RLP of a block; null when it is unknown. */
  'chain.blockBytes': ordered(['id'], ofBlock, bytes.nullable()),
  /** The executable pool transaction of a sender with this nonce; null when there is none. */
  'chain.waiting': ordered(
    ['address', 'nonce'],
    { address: addressSchema, nonce: z.bigint() },
    transactionSchema.nullable(),
  ),
  'chain.counts': ordered([], {}, pendingSchema),
  /** Balance, nonce and maturing subsidies; null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
  'chain.account': ordered(['address', 'at'], ofAccount, accountSchema.nullable()),
  /** Empty for an account without code; null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
  'chain.code': ordered(['address', 'at'], ofAccount, bytes.nullable()),
  /** Next nonce, counting executable pool transactions. */
  'chain.poolNonce': ordered(['address'], { address: addressSchema }, z.bigint()),
  /** Accounts with pool transactions; only one account when given. */
  'chain.poolContent': ordered(['address'], ofOneOrAll, z.array(accountContentSchema)),
  /** The same as bytes, for a query worker; of the given accounts, or of all. */
  'chain.poolBytes': ordered(['addresses'], ofSome, z.array(accountBytesSchema)),
  /** Difficulty required of the head's child. */
  'chain.nextDifficulty': ordered([], {}, z.bigint()),
  /** suggested wei per gas */
  'chain.gasPrice': ordered([], {}, z.bigint()),
  /** The same with all that is known about how long prices wait. */
  'chain.feeEstimates': ordered([], {}, feeEstimatesSchema),
  /** The last invalid blocks since the chain was opened, newest first; only the one with this hash when given. */
  'chain.badBlocks': ordered(['hash'], { hash: hashSchema.nullable().default(null) }, z.array(badBlockSchema)),
  /** How far back states are available, and how far reorganisations may go. */
  'chain.reach': ordered([], {}, reachSchema),
}
