// One line of a list of blocks: what lists, reorganisations and single blocks have in common.
import { z } from 'zod'
import { addressSchema, countSchema, decimalSchema, hashSchema, timeSchema } from './shapes'

/** One line of a block list. */
export const blockRowSchema = z.object({
  number: countSchema,
  hash: hashSchema,
  parentHash: hashSchema,
  /** The header's own time, UTC ms. */
  time: timeSchema,
  miner: addressSchema,
  /** Of the block, expected hashes. */
  difficulty: decimalSchema,
  gasUsed: countSchema,
  gasLimit: countSchema,
  transactionCount: countSchema,
  sizeBytes: countSchema,
  /** Subsidy in wei, without fees. */
  subsidy: decimalSchema,
})

export type BlockRowView = z.infer<typeof blockRowSchema>
