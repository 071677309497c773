// One line of a block list: what lists, reorganisations and single blocks share.
import { z } from 'zod'
import { addressSchema, countSchema, decimalSchema, hashSchema, timeSchema } from './shapes'

/** One line of a block list. */
export const blockRowSchema = z.object({
  number: countSchema,
  hash: hashSchema,
  parentHash: hashSchema,
  /** The header's timestamp, UTC ms. */
  time: timeSchema,
  miner: addressSchema,
  /** Difficulty of the block, expected hashes. */
  difficulty: decimalSchema,
  gasUsed: countSchema,
  gasLimit: countSchema,
  transactionCount: countSchema,
  sizeBytes: countSchema,
  /** Subsidy in wei, without fees. */
  subsidy: decimalSchema,
})

export type BlockRowView = z.infer<typeof blockRowSchema>
