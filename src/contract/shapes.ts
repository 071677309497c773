// Shapes shared by all of the contract. Plain JSON: decimal strings for wei and difficulty, 0x strings for bytes, UTC
// milliseconds for times, null for unknown. 0 never means unknown, except in a rig's sensors.
import { z } from 'zod'

/** `0x` and 40 hex digits, any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
/** `0x` and 64 lower-case hex digits. */
export const hashSchema = z.string().regex(/^0x[0-9a-f]{64}$/)
/** `0x` and an even number of hex digits. */
export const dataSchema = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
/** Decimal digits: wei, difficulty. 100 hold the largest possible fee (2^53 gas × 2^256 wei). */
export const decimalSchema = z.string().regex(/^\d{1,100}$/)
/** UTC milliseconds. */
export const timeSchema = z.number().int().nonnegative()
/** A count or height below 2^53. */
export const countSchema = z.number().int().nonnegative()

/** Above 2^53, as the gas limit of a private network can be, the nearest number. */
export const gasSchema = z.number().nonnegative().multipleOf(1)

export const nothing = z.object({})
export const done = z.object({})

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
  gasUsed: gasSchema,
  gasLimit: gasSchema,
  transactionCount: countSchema,
  sizeBytes: countSchema,
  /** Subsidy in wei, without fees. */
  subsidy: decimalSchema,
})

export type BlockRowView = z.infer<typeof blockRowSchema>
