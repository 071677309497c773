// Otterscan's arguments: counts and heights are JSON numbers, or QUANTITY.
import { fail, ok, type Result } from '../../codec/result'
import type { BlockArgument } from '../../model/block-argument'
import { blockNumberParam, type Param, quantity64 } from './params'

/** A nonnegative integer, or a QUANTITY. */
export const countParam: Param<number> = { absent: null, read: (value) => readCount(value) }

/** Entries per page: 1 to 100. */
export const pageSizeParam: Param<number> = {
  absent: null,
  read: (value) => {
    const read = readCount(value)
    return read.ok && (read.value < 1 || read.value > MAX_PAGE) ? fail(`want a page of 1 to ${MAX_PAGE}`) : read
  },
}

/** A height as a number or QUANTITY, or a tag. */
export const heightParam: Param<BlockArgument> = {
  absent: null,
  read: (value) => {
    if (typeof value !== 'number') return blockNumberParam.read(value)
    const read = readCount(value)
    return read.ok ? ok({ kind: 'number', number: read.value }) : read
  },
}

const MAX_PAGE = 100

/** Reads a nonnegative integer or a QUANTITY; at most 2^53 - 1. */
export function readCount(value: unknown): Result<number> {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? ok(value) : fail('not a whole number')
  const read = quantity64.read(value)
  if (!read.ok) return read
  return read.value <= BigInt(Number.MAX_SAFE_INTEGER) ? ok(Number(read.value)) : fail('over 53 bits')
}
