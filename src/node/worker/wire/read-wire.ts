// Reads of the opened chain. Each is a method of `ChainReader` by itself: its definition here, its answer in block-queries.ts.
import { z } from 'zod'
import { ordered } from '../../../base/wire/forward'
import { badBlockSchema, reachSchema } from './import-shapes'
import { accountContentSchema } from './pool-wire'
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
const ofHash = { hash: hashSchema }
const ofAccount = { address: addressSchema, at: blockIdSchema.default('head') }

/** A block is named by height, by hash (32 bytes) or as the head. All of them throw CHAIN_NOT_OPEN while no chain is open. */
export const readCalls = {
  'chain.head': ordered([], {}, blockSummarySchema),
  /** Newest first, downwards from `from` (null = head), at most 1024. */
  'chain.blocksDown': ordered(
    ['from', 'count'],
    { from: count.nullable(), count: z.number().int().min(1).max(1024) },
    z.array(blockSummarySchema),
  ),
  /** Null when unknown. */
  'chain.block': ordered(['id'], ofBlock, blockDetailSchema.nullable()),
  /** The same without the transactions' details: cheap for big blocks. */
  'chain.summary': ordered(['id'], ofBlock, blockSummarySchema.nullable()),
  /** Of the canonical chain or the pool. */
  'chain.transaction': ordered(['hash'], ofHash, transactionSchema.nullable()),
  'chain.receipt': ordered(['hash'], ofHash, receiptSchema.nullable()),
  /** Of the branch that ends in this block; null when it is not stored. */
  'chain.totalDifficulty': ordered(['hash'], ofHash, z.bigint().nullable()),
  /** RLP of a block; null when it is unknown. */
  'chain.blockBytes': ordered(['id'], ofBlock, bytes.nullable()),
  /** Of a whole block, also of a side block that was executed; null when it is unknown or was never executed. */
  'chain.receipts': ordered(['id'], ofBlock, z.array(receiptSchema).nullable()),
  /** Executable pool transactions. */
  'chain.pending': ordered([], {}, z.array(transactionSchema)),
  'chain.counts': ordered([], {}, pendingSchema),
  /** Balance, nonce and maturing subsidies; null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
  'chain.account': ordered(['address', 'at'], ofAccount, accountSchema.nullable()),
  /** Empty for an account without code; null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
  'chain.code': ordered(['address', 'at'], ofAccount, bytes.nullable()),
  /** 32 bytes; null when the block is unknown. @param slot 32 bytes @throws CHAIN_STATE_UNAVAILABLE */
  'chain.storage': ordered(['address', 'slot', 'at'], { ...ofAccount, slot: hashSchema }, hashSchema.nullable()),
  /** Next nonce counting the executable pool transactions. */
  'chain.poolNonce': ordered(['address'], { address: addressSchema }, z.bigint()),
  /** Accounts with waiting transactions, of one account only when named. */
  'chain.poolContent': ordered(
    ['address'],
    { address: addressSchema.nullable().default(null) },
    z.array(accountContentSchema),
  ),
  /** Difficulty the child of the head must have. */
  'chain.nextDifficulty': ordered([], {}, z.bigint()),
  /** wei per gas that recent blocks suggest */
  'chain.gasPrice': ordered([], {}, z.bigint()),
  /** The last blocks that broke a rule, newest first, since the chain was opened. */
  'chain.badBlocks': ordered([], {}, z.array(badBlockSchema)),
  /** How far back states go, and how far reorganisations may. */
  'chain.reach': ordered([], {}, reachSchema),
}
