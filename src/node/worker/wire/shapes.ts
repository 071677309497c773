// Shapes that cross between the chain worker and the host thread: bytes as Uint8Array, big numbers as bigint
// (structured clone). Heights, times, counts and sizes are numbers; gas, wei, nonces and difficulty are bigint.
import { z } from 'zod'
import type { BlockHeader } from '../../model/header'

const count = z.number().int().min(0)
/** `z.instanceof` would narrow the buffer type beyond what our functions promise. */
export const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'want bytes')
const bytes = bytesSchema
const sized = (length: number) =>
  z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length === length, `want ${length} bytes`)
const natural = z.bigint().min(0n)

export const hashSchema = sized(32)
export const addressSchema = sized(20)

const HEADER_BYTES = {
  parentHash: 32,
  coinbase: 20,
  stateRoot: 32,
  txRoot: 32,
  receiptRoot: 32,
  logsBloom: 256,
  mixHash: 32,
}
const HEADER_NUMBERS = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'epochStartTime', 'nonce'] as const

/** A decoded header: who sends it has checked its fields' sizes, as `decodeHeader` does. */
export const headerSchema = z.custom<BlockHeader>((value) => {
  const header = value as Partial<Record<string, unknown>> | null
  const isOf = (name: string, length: number) => {
    const field = header?.[name]
    return field instanceof Uint8Array && field.length === length
  }
  return (
    Object.entries(HEADER_BYTES).every(([name, length]) => isOf(name, length)) &&
    HEADER_NUMBERS.every((name) => typeof header?.[name] === 'bigint') &&
    header?.extraData instanceof Uint8Array
  )
}, 'want a header')

/** One line of a block list. */
export const blockSummarySchema = z.object({
  number: count,
  hash: hashSchema,
  parentHash: hashSchema,
  /** unix seconds */
  timestamp: count,
  miner: addressSchema,
  difficulty: natural,
  totalDifficulty: natural,
  gasUsed: natural,
  gasLimit: natural,
  transactionCount: count,
  /** of the block's RLP */
  sizeBytes: count,
  /** wei, without fees */
  subsidy: natural,
})

/** Position of a transaction in the canonical chain. */
const placeSchema = z.object({ blockHash: hashSchema, blockNumber: count, index: count })

export const transactionSchema = z.object({
  hash: hashSchema,
  type: z.union([z.literal(0), z.literal(1)]),
  /** Null for a legacy transaction without replay protection. */
  chainId: natural.nullable(),
  from: addressSchema,
  to: addressSchema.nullable(),
  nonce: natural,
  value: natural,
  gasLimit: natural,
  gasPrice: natural,
  input: bytes,
  accessList: z.array(z.object({ address: addressSchema, storageKeys: z.array(hashSchema) })),
  v: natural,
  r: natural,
  s: natural,
  /** Null while it is in the pool. */
  place: placeSchema.nullable(),
  /** Null while it is in the pool. */
  outcome: z.object({ succeeded: z.boolean(), gasUsed: natural }).nullable(),
})

export const blockDetailSchema = blockSummarySchema.extend({
  canonical: z.boolean(),
  stateRoot: hashSchema,
  txRoot: hashSchema,
  receiptRoot: hashSchema,
  logsBloom: sized(256),
  /** unix seconds */
  epochStartTime: count,
  extraData: bytes,
  mixHash: hashSchema,
  /** 64 bits */
  nonce: natural,
  sealHash: hashSchema,
  /** Proof-of-work epoch. */
  epoch: count,
  /** Height at which this block's subsidy is paid. */
  unlockHeight: count,
  transactions: z.array(transactionSchema),
})

const logSchema = z.object({ address: addressSchema, topics: z.array(hashSchema), data: bytes, logIndex: count })

/** A receipt without its logs, of which there may be a million. */
export const outcomeSchema = z.object({
  transactionHash: hashSchema,
  place: placeSchema,
  type: z.union([z.literal(0), z.literal(1)]),
  from: addressSchema,
  to: addressSchema.nullable(),
  contractAddress: addressSchema.nullable(),
  succeeded: z.boolean(),
  gasUsed: natural,
  cumulativeGasUsed: natural,
  gasPrice: natural,
})

export const receiptSchema = outcomeSchema.extend({ logs: z.array(logSchema), logsBloom: sized(256) })

export const accountSchema = z.object({
  /** spendable wei */
  balance: natural,
  nonce: natural,
  /** wei of subsidies still maturing in that state */
  locked: natural,
  nextUnlock: z.object({ height: count, amount: natural }).nullable(),
})

export const workSchema = z.object({
  sealHash: hashSchema,
  seedHash: hashSchema,
  epoch: count,
  /** big-endian */
  target: hashSchema,
  height: count,
  difficulty: natural,
})

/** As the work server's outcomes. */
export const sealOutcomeSchema = z.enum(['accepted', 'stale', 'rejected'])

export const headChangeSchema = z.object({
  head: blockSummarySchema,
  /** Blocks that left and joined the canonical chain, lowest first. */
  removed: z.array(blockSummarySchema),
  added: z.array(blockSummarySchema),
})

export const pendingSchema = z.object({ pending: count, queued: count })

/** A block by height, by hash, or the head. */
export const blockIdSchema = z.union([count, hashSchema, z.literal('head')])

export type BlockSummary = z.infer<typeof blockSummarySchema>
export type BlockDetail = z.infer<typeof blockDetailSchema>
export type TransactionInfo = z.infer<typeof transactionSchema>
export type OutcomeInfo = z.infer<typeof outcomeSchema>
export type ReceiptInfo = z.infer<typeof receiptSchema>
export type AccountInfo = z.infer<typeof accountSchema>
export type ChainWork = z.infer<typeof workSchema>
export type SealOutcome = z.infer<typeof sealOutcomeSchema>
export type HeadChange = z.infer<typeof headChangeSchema>
export type PendingCounts = z.infer<typeof pendingSchema>
export type BlockId = z.infer<typeof blockIdSchema>
