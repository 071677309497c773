// The part of the worker's wire that belongs to waiting transactions and to block templates.
import { z } from 'zod'
import { call, event } from '../../../base/wire/define'
import { pendingAnswerSchema } from './pending-shapes'
import { addressSchema, bytesSchema, hashSchema, transactionSchema } from './shapes'

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)

/** Limits of the pool. */
export const poolParamsSchema = z.object({
  /** wei per gas that transactions of peers must offer while we do not mine */
  priceLimit: natural,
  priceBumpPercent: count,
  accountSlots: count,
  globalSlots: count,
  accountQueue: count,
  globalQueue: count,
  lifetimeMs: count,
  noLocals: z.boolean(),
  locals: z.array(addressSchema),
  /** absolute path; null = own transactions are not kept */
  journal: z.string().nullable(),
  rejournalMs: count,
})

export const accountContentSchema = z.object({
  address: addressSchema,
  /** Nonces rising. */
  pending: z.array(transactionSchema),
  queued: z.array(transactionSchema),
})

/** What blocks of ours are made with. */
export const miningStateSchema = z.object({
  mining: z.boolean(),
  coinbase: addressSchema.nullable(),
  /** at most 32 bytes */
  extraData: bytesSchema.refine((bytes) => bytes.length <= 32, 'want at most 32 bytes'),
  gasLimitGoal: natural,
  /** wei per gas that transactions of peers must offer while we mine */
  gasPrice: natural,
  recommitMs: count,
})

/** Some transactions, at most `NEW_PENDING_MOST` and about a MB; a bigger batch comes as several. */
export const newPendingSchema = z.object({ hashes: z.array(hashSchema), transactions: z.array(transactionSchema) })

export const poolCalls = {
  /** The head and what waits for a block. @param known id of the one that the asker has */
  'chain.pendingBlock': call(z.object({ known: count.nullable() }), pendingAnswerSchema),
  /** Changes what is named, for the next template on. Answers what holds now. */
  'chain.configureMining': call(miningStateSchema.partial(), miningStateSchema),
}

export const poolEvents = {
  /** Transactions that a block could take from now on, each once. */
  'chain.newPending': event(newPendingSchema, 1000),
}

export type PoolParams = z.infer<typeof poolParamsSchema>
export type AccountContentInfo = z.infer<typeof accountContentSchema>
export type MiningState = z.infer<typeof miningStateSchema>
/** Absent and undefined leave a value as it is. */
export type MiningChange = { readonly [K in keyof MiningState]?: MiningState[K] | undefined }
export type NewPending = z.infer<typeof newPendingSchema>
