// An import's report on the worker's wire: figures for a batch of blocks, and the first rejection with its reason.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { bytesSchema, hashSchema } from './shapes'

const count = z.number().int().min(0)

const importReportSchema = z.object({
  /** Blocks that became canonical, that were stored as side blocks, and that were already known. */
  added: count,
  side: count,
  known: count,
  /** of the added blocks */
  transactions: count,
  /** of the added blocks */
  gas: z.bigint().min(0n),
  head: z.object({ number: count, hash: hashSchema }),
  /** The first rejected block; nothing after it was processed. Null when all were accepted. */
  refused: z
    .object({
      /** 0-based index in this call's bytes */
      index: count,
      /** Null when the bytes aren't a block. */
      number: z.bigint().nullable(),
      hash: hashSchema.nullable(),
      /** prlx's message */
      reason: z.string(),
      /** True for a block from the future: no peer is to blame, and a later attempt may succeed. */
      future: z.boolean(),
    })
    .nullable(),
})

export const badBlockSchema = z.object({
  hash: hashSchema,
  /** the whole block */
  rlp: bytesSchema,
  /** prlx's message */
  reason: z.string(),
})

export const reachSchema = z.object({
  /** Height of the oldest canonical block whose state can be read. */
  statesFrom: count,
  /** Height of the lowest canonical block that a reorganisation can return to: everything above it can be removed. */
  undoFrom: count,
})

/** The part of the worker's wire for importing blocks. */
export const importCalls = {
  /** RLP, in call order, up to the first rejection. `following`: blocks to come after. @throws STORE_DISK_LOW */
  'chain.import': call(z.object({ blocks: bytesSchema, following: count.optional() }), importReportSchema),
  /** Seconds since the start in which blocks were imported. */
  'chain.importSeconds': call(z.object({}), z.number()),
  /** Removes everything above the canonical block `number`. Null when done, else why it can't be. */
  'chain.goBackTo': call(z.object({ number: count }), z.object({ refusal: z.string().nullable() })),
}

export type BadBlockInfo = z.infer<typeof badBlockSchema>
export type Reach = z.infer<typeof reachSchema>
export type ImportReport = z.infer<typeof importReportSchema>
