// What an import reports over the worker's wire: progress figures for a file of blocks, and the first refusal with its reason.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { blockDetailSchema, bytesSchema, hashSchema } from './shapes'

const count = z.number().int().min(0)

export const importReportSchema = z.object({
  /** Blocks that joined the canonical chain, that were stored beside it, and that were known already. */
  added: count,
  side: count,
  known: count,
  /** of the added blocks */
  transactions: count,
  /** of the added blocks */
  gas: z.bigint().min(0n),
  head: z.object({ number: count, hash: hashSchema }),
  /** The first block that was not taken; nothing after it was looked at. Null when all were taken. */
  refused: z
    .object({
      /** 0-based place in this call's bytes */
      index: count,
      /** Null when the bytes aren't a block. */
      number: z.bigint().nullable(),
      hash: hashSchema.nullable(),
      /** the reference's message */
      reason: z.string(),
      /** True for a block from the future: no peer is to blame, and a later try may succeed. */
      future: z.boolean(),
    })
    .nullable(),
})

export const badBlockSchema = z.object({
  /** Null where a transaction of it has no sender. */
  detail: blockDetailSchema.nullable(),
  number: z.bigint().min(0n),
  hash: hashSchema,
  /** the whole block */
  rlp: bytesSchema,
  /** the reference's message */
  reason: z.string(),
})

export const reachSchema = z.object({
  /** Height of the oldest canonical block whose state can be read. */
  statesFrom: count,
  /** Height of the lowest canonical block that a reorganisation may go back to: all above it can be taken back. */
  undoFrom: count,
})

/** The part of the worker's wire that belongs to taking blocks in. */
export const importCalls = {
  /** RLP of one or more blocks, one after another; taken in the order of the calls, up to the first refusal. @throws STORE_DISK_LOW */
  'chain.import': call(z.object({ blocks: bytesSchema }), importReportSchema),
  /** Takes back and forgets what is above the canonical block `number`. Null when done, else why it cannot be. */
  'chain.goBackTo': call(z.object({ number: count }), z.object({ refusal: z.string().nullable() })),
}

export type BadBlockInfo = z.infer<typeof badBlockSchema>
export type Reach = z.infer<typeof reachSchema>
export type ImportReport = z.infer<typeof importReportSchema>
