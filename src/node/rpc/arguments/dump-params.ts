// Arguments of debug_accountRange, parsed as in the reference.
import { fromHex } from '../../../base/hex'
import { fail, ok } from '../../codec/result'
import type { Param } from './params'

/**
 * Where a page begins: base64, as in `next` of an answer; a full key in hex, as in `key` of an entry; null = at the
 * start.
 */
export const keyParam: Param<Uint8Array> = {
  absent: null,
  read: (value) => {
    if (value === null) return ok(new Uint8Array(0))
    if (Array.isArray(value)) return bytesOf(value)
    if (typeof value !== 'string') return fail('not base64')
    if (value.length === 66) {
      const key = fromHex(value)
      if (key !== null) return ok(key)
    }
    const bytes = Buffer.from(value, 'base64')
    return bytes.toString('base64') === value ? ok(Uint8Array.from(bytes)) : fail('not base64')
  },
}

/** Any integer; values outside 1..256 count as 256. Null is 0, as in the reference. */
export const mostParam: Param<number> = {
  absent: null,
  read: (value) => {
    if (value === null) return ok(0)
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return fail('not a whole number')
    return ok(Math.max(0, value))
  },
}

/** Null is 0, as in the reference. */
function bytesOf(values: readonly unknown[]) {
  const bytes: number[] = []
  for (const value of values.map((item) => item ?? 0)) {
    const isByte = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
    if (!isByte) return fail('not bytes')
    bytes.push(value)
  }
  return ok(Uint8Array.from(bytes))
}
