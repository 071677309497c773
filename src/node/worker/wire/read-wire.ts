// Reads of the opened chain. Each becomes a method of `ChainReader`: its definition here, its answer in
// block-queries.ts.
import { z } from 'zod'
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
  hashSchema,
  pendingSchema,
  receiptSchema,
  transactionSchema,
} from './shapes'

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
