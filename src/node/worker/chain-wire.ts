// The calls and events between the host thread and the chain worker.
import { z } from 'zod'
import { call, event } from '../../base/wire/define'
import {
  accountSchema,
  addressSchema,
  blockDetailSchema,
  blockIdSchema,
  blockSummarySchema,
  bytesSchema as bytes,
  hashSchema,
  headChangeSchema,
  importOutcomeSchema,
  pendingSchema,
  receiptSchema,
  transactionSchema,
  workSchema,
} from './shapes'

const nothing = z.object({})
const count = z.number().int().min(0)
const stateAt = { address: addressSchema, at: blockIdSchema }

/** What the worker needs to open a chain. */
export const openSchema = z.object({
  network: z.enum(['main', 'test', 'practice']),
  /** absolute; the database's own folder */
  folder: z.string(),
  /** Genesis file (JSON text) for an empty database; null where the network's own or the stored one is meant. */
  genesis: z.string().nullable(),
  /** wei per gas that transactions of peers must offer */
  minimumGasPrice: z.bigint().min(0n),
  coinbase: addressSchema.nullable(),
  /** at most 32 bytes */
  extraData: bytes,
  gasLimitGoal: z.bigint().nullable(),
  poolDelayMs: count,
  recommitMs: count,
})

export const chainWire = {
  calls: {
    /** @throws STORE_*, CHAIN_GENESIS_* */
    'chain.open': call(openSchema, z.object({ head: blockSummarySchema, genesisHash: hashSchema, engine: z.string() })),
    /** Closes the database; nothing but `chain.open` may follow. */
    'chain.close': call(nothing, nothing),
    'chain.head': call(nothing, blockSummarySchema),
    /** Newest first, downwards from `from` (null = head). */
    'chain.blocksDown': call(
      z.object({ from: count.nullable(), count: z.number().int().min(1).max(1024) }),
      z.array(blockSummarySchema),
    ),
    'chain.block': call(z.object({ id: blockIdSchema }), blockDetailSchema.nullable()),
    /** Without the transactions' details: cheap for big blocks. */
    'chain.summary': call(z.object({ id: blockIdSchema }), blockSummarySchema.nullable()),
    'chain.transaction': call(z.object({ hash: hashSchema }), transactionSchema.nullable()),
    'chain.receipt': call(z.object({ hash: hashSchema }), receiptSchema.nullable()),
    'chain.pending': call(nothing, z.array(transactionSchema)),
    'chain.counts': call(nothing, pendingSchema),
    /** Null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
    'chain.account': call(z.object(stateAt), accountSchema.nullable()),
    'chain.code': call(z.object(stateAt), bytes.nullable()),
    /** 32 bytes. @param slot 32 bytes */
    'chain.storage': call(z.object({ ...stateAt, slot: hashSchema }), hashSchema.nullable()),
    /** Next nonce after the executable pool transactions. */
    'chain.poolNonce': call(z.object({ address: addressSchema }), z.bigint()),
    'chain.nextDifficulty': call(nothing, z.bigint()),
    /** wei per gas that recent blocks suggest */
    'chain.gasPrice': call(nothing, z.bigint()),
    /** RLP of one or more blocks, one after another; stops at the first that is not taken. */
    'chain.import': call(z.object({ blocks: bytes }), z.array(importOutcomeSchema)),
    /** @throws TXPOOL_REFUSED with the reference's text */
    'chain.addTransaction': call(z.object({ raw: bytes, local: z.boolean() }), hashSchema),
    'chain.work': call(nothing, workSchema.nullable()),
    'chain.submitWork': call(
      z.object({ nonce: z.bigint().min(0n), sealHash: hashSchema, mixDigest: hashSchema }),
      z.boolean(),
    ),
    'chain.setCoinbase': call(z.object({ address: addressSchema }), nothing),
  },
  events: {
    'chain.headChanged': event(headChangeSchema, 1000),
    'chain.workChanged': event(workSchema, 1000),
    'chain.pendingChanged': event(pendingSchema, 1000),
  },
}

export type ChainWire = typeof chainWire
export type OpenParams = z.infer<typeof openSchema>
