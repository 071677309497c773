// What is transferred of the pending block: the known header fields, its transactions and receipts, and its changes to
// the head's state, so that a reader can overlay them on the head's state.
import { z } from 'zod'
import { addressSchema, bytesSchema, hashSchema, logSchema, transactionSchema } from './shapes'

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)

const pendingReceiptSchema = z.object({
  contractAddress: addressSchema.nullable(),
  succeeded: z.boolean(),
  gasUsed: natural,
  cumulativeGasUsed: natural,
  /** `logIndex` counts over the block. */
  logs: z.array(logSchema),
})

/**
 * A database key and its value after the pending block; null = deleted. Flat state keys, trie nodes and code
 * (store/keys.ts).
 */
export const stateEntrySchema = z.tuple([bytesSchema, bytesSchema.nullable()])

const pendingBlockSchema = z.object({
  /** Hash of its parent, the head: apply the changes to that head's state only. */
  parentHash: hashSchema,
  number: count,
  /** unix seconds */
  timestamp: count,
  /** The zero address while no coinbase is chosen. */
  miner: addressSchema,
  difficulty: natural,
  /** Of the chain including this block. */
  totalDifficulty: natural,
  gasLimit: natural,
  gasUsed: natural,
  /** unix seconds */
  epochStartTime: count,
  extraData: bytesSchema,
  /** 256 bytes */
  logsBloom: bytesSchema,
  stateRoot: hashSchema,
  txRoot: hashSchema,
  receiptRoot: hashSchema,
  /** of the block's RLP */
  sizeBytes: count,
  /** `place` and `outcome` are null. */
  transactions: z.array(transactionSchema),
  /** One per transaction, in order. */
  receipts: z.array(pendingReceiptSchema),
  changes: z.array(stateEntrySchema),
})

/** `block` is null when the caller already has it. */
export const pendingAnswerSchema = z.object({ id: count, block: pendingBlockSchema.nullable() })

export type PendingBlockInfo = z.infer<typeof pendingBlockSchema>
export type PendingReceiptInfo = z.infer<typeof pendingReceiptSchema>
export type StateEntry = z.infer<typeof stateEntrySchema>
export type PendingAnswer = z.infer<typeof pendingAnswerSchema>
