// Shapes that every part of the contract uses. Plain JSON: decimal strings for wei and difficulty, 0x strings for bytes,
// UTC milliseconds for times, null for unknown. 0 never means unknown.
import { z } from 'zod'

/** `0x` and 40 hex digits, any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
/** `0x` and 64 lower-case hex digits. */
export const hashSchema = z.string().regex(/^0x[0-9a-f]{64}$/)
/** Even count of hex digits behind `0x`. */
export const dataSchema = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
/** Decimal digits; wei, difficulty, total difficulty. 100 hold the greatest fee that can be asked for (2^53 gas x 2^256 wei). */
export const decimalSchema = z.string().regex(/^\d{1,100}$/)
/** UTC milliseconds. */
export const timeSchema = z.number().int().nonnegative()
/** A count or height that fits 2^53. */
export const countSchema = z.number().int().nonnegative()

export const nothing = z.object({})
export const done = z.object({})
