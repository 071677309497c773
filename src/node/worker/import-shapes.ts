// What an import reports over the worker's wire: progress figures for a file of blocks, and the first refusal with its reason.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { bytesSchema, hashSchema } from './shapes'

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
      /** Null when the bytes are no block. */
      number: z.bigint().nullable(),
      hash: hashSchema.nullable(),
      /** the reference's message */
      reason: z.string(),
      /** True for a block from the future: nobody's fault, another try later may do. */
      future: z.boolean(),
    })
    .nullable(),
})

export const badBlockSchema = z.object({
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
})

/** The part of the worker's wire that belongs to taking blocks in. */
export const importCalls = {
  /** RLP of one or more blocks, one after another; taken in the order of the calls, up to the first refusal. @throws STORE_DISK_LOW */
  'chain.import': call(z.object({ blocks: bytesSchema }), importReportSchema),
  /** The last blocks that broke a rule, newest first, since the chain was opened. */
  'chain.badBlocks': call(z.object({}), z.array(badBlockSchema)),
  /** How far back states go. */
  'chain.reach': call(z.object({}), reachSchema),
}

export type BadBlockInfo = z.infer<typeof badBlockSchema>
export type ImportReport = z.infer<typeof importReportSchema>
