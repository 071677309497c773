// How canonical blocks are transferred to a block file's writer.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { bytesSchema } from './shapes'

const height = z.number().int().min(0)
const rangeSchema = z.object({ bytes: bytesSchema, count: z.number().int().min(1) })

export const blockRangeCalls = {
  /** Concatenated RLP of the canonical blocks from `first` on, at least one and at most up to `last`. */
  'chain.blockRange': call(z.object({ first: height, last: height }), rangeSchema),
}

export type BlockRange = z.infer<typeof rangeSchema>
