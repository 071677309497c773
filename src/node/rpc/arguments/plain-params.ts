// Plain JSON arguments: strings and integers.
import { fail, ok } from '../../codec/result'
import type { Param } from './params'

export const textParam: Param<string> = {
  absent: null,
  read: (value) => (typeof value === 'string' ? ok(value) : fail('not a string')),
}

/** A nonnegative JSON integer; null is 0, as in the reference. */
export const numberParam: Param<number> = {
  absent: null,
  read: (value) =>
    value === null
      ? ok(0)
      : typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
        ? ok(value)
        : fail('not a whole number'),
}
