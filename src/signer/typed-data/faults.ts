// What is wrong with a document to sign: where, what, and what would be right; and the reference's words for the same, which
// strict mode answers.
import { z } from 'zod'
import { hasCode } from '../../base/errors'
import { SignerError } from '../errors'

const MAX_STEP = 64
const MAX_PLACE = 200
const MAX_SHOWN = 80

const faultData = z.object({ reason: z.string(), place: z.string(), reference: z.string().nullable() })

/**
 * The error of a document that cannot be signed.
 * @param reason what the caller reads behind the place @param reference all that it reads in strict mode
 */
export function typedFault(reason: string, reference = reason): Error {
  return new SignerError('SIGNER_TYPED_DATA_INVALID', { reason, place: '', reference })
}

/**
 * The same error as one of the value that holds the faulty one.
 * @param step where the faulty one lies in it: a member's name, or `[3]` @returns `error` itself when it is of another kind
 */
export function within(error: unknown, step: string): unknown {
  const read = hasCode(error, 'SIGNER_TYPED_DATA_INVALID') ? faultData.safeParse(error.data) : null
  if (read?.success !== true) return error
  const { reason, place, reference } = read.data
  const joint = place === '' || place.startsWith('[') ? '' : '.'
  const whole = `${cut(step, MAX_STEP)}${joint}${place}`
  const shown = whole.length > MAX_PLACE ? `…${whole.slice(-MAX_PLACE)}` : whole
  return new SignerError('SIGNER_TYPED_DATA_INVALID', { reason, place: shown, reference }, { cause: error })
}

/** A value as a caller sent it, cut to a line. */
export function shownValue(value: unknown): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value) ?? 'nothing', MAX_SHOWN)
}

/** In double quotes, control characters as escapes; for the texts that occur, also as the reference quotes them. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
