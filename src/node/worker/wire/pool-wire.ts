// The part of the worker's wire for pool transactions and block templates.
import { z } from 'zod'
import { call, event } from '../../../base/wire/define'
import { pendingAnswerSchema } from './pending-shapes'
import { addressSchema, bytesSchema, hashSchema, transactionSchema } from './shapes'

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)

export const poolParamsSchema = z.object({
  /** minimum wei per gas for peers' transactions while we don't mine */
  priceLimit: natural,
  priceBumpPercent: count,
  accountSlots: count,
  globalSlots: count,
  accountQueue: count,
  globalQueue: count,
  lifetimeMs: count,
  noLocals: z.boolean(),
  locals: z.array(addressSchema),
  /** absolute path; null = own transactions aren't persisted */
  journal: z.string().nullable(),
  rejournalMs: count,
  /** Blocks within which `eth_gasPrice` is confirmed; `recent`: from recent blocks alone, as in prlx. */
  priceTarget: z.enum(['1', '3', '6', '24', 'recent']),
  /** absolute path; null = what the fee estimates learned isn't persisted */
  feeFile: z.string().nullable(),
})

/** Ascending nonces. Of the data only the selector is there, of the access lists nothing: transactions have up to 128 KiB of them. */
export const accountContentSchema = z.object({
  address: addressSchema,
  pending: z.array(transactionSchema),
  queued: z.array(transactionSchema),
})

/** The same in full; the transactions are an RLP list, as in a body. */
export const accountBytesSchema = z.object({ address: addressSchema, pending: bytesSchema, queued: bytesSchema })

/** What the pool and the chain say about prices, see txpool/fee-estimator.ts. Prices are wei per gas. */
export const feeEstimatesSchema = z.object({
  target: z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(24), z.literal('recentBlocks')]),
  gasPrice: natural,
  source: z.enum(['waitingTimes', 'recentBlocks']),
  estimates: z.array(
    z.object({
      blocks: z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(24)]),
      gasPrice: natural.nullable(),
      reason: z.enum(['known', 'too few transactions', 'unreached']),
      horizon: z.enum(['short', 'medium', 'long']),
      transactions: z.number(),
      confirmedShare: z.number().nullable(),
    }),
  ),
  since: count.nullable(),
  isWatching: z.boolean(),
})

const miningStateSchema = z.object({
  mining: z.boolean(),
  coinbase: addressSchema.nullable(),
  /** at most 32 bytes */
  extraData: bytesSchema.refine((bytes) => bytes.length <= 32, 'want at most 32 bytes'),
  gasLimitGoal: natural,
  /** minimum wei per gas for peers' transactions while we mine */
  gasPrice: natural,
  recommitMs: count,
})

/** Up to `NEW_PENDING_MOST` transactions and about 1 MB; a bigger batch is split. */
const newPendingSchema = z.object({ hashes: z.array(hashSchema), transactions: z.array(transactionSchema) })

export const poolCalls = {
  /** The head and the executable transactions. @param known id of the caller's cached one */
  'chain.pendingBlock': call(z.object({ known: count.nullable() }), pendingAnswerSchema),
  /** Changes the named settings, from the next template on. Returns the settings in effect. */
  'chain.configureMining': call(miningStateSchema.partial(), miningStateSchema),
}

export const poolEvents = {
  /** Transactions that became executable, each once. */
  'chain.newPending': event(newPendingSchema, 1000),
}

export type PoolParams = z.infer<typeof poolParamsSchema>
export type AccountContentInfo = z.infer<typeof accountContentSchema>
export type AccountBytesInfo = z.infer<typeof accountBytesSchema>
export type MiningState = z.infer<typeof miningStateSchema>
/** Absent and undefined leave a value unchanged. */
export type MiningChange = { readonly [K in keyof MiningState]?: MiningState[K] | undefined }
export type NewPending = z.infer<typeof newPendingSchema>
