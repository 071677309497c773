// Faults of a document to sign: where, what, and what is expected; plus clef's text for strict mode.
import { z } from 'zod'
import { hasCode } from '../../base/errors'
import { SignerError } from '../errors'

const MAX_STEP = 64
const MAX_PLACE = 200
const MAX_SHOWN = 80

const faultData = z.object({ reason: z.string(), place: z.string(), reference: z.string().nullable() })

/** @param reason follows the place @param reference the whole text in strict mode */
export function typedFault(reason: string, reference = reason): Error {
  return new SignerError('SIGNER_TYPED_DATA_INVALID', { reason, place: '', reference })
}

/** The fault seen from the enclosing value; any other error as it is. @param step a member's name, or `[3]` */
export function within(error: unknown, step: string): unknown {
  const read = hasCode(error, 'SIGNER_TYPED_DATA_INVALID') ? faultData.safeParse(error.data) : null
  if (read?.success !== true) return error
  const { reason, place, reference } = read.data
  const joint = place === '' || place.startsWith('[') ? '' : '.'
  const whole = `${cut(step, MAX_STEP)}${joint}${place}`
  const shown = whole.length > MAX_PLACE ? `…${whole.slice(-MAX_PLACE)}` : whole
  return new SignerError('SIGNER_TYPED_DATA_INVALID', { reason, place: shown, reference }, { cause: error })
}

/** A caller's value, truncated to a line. */
export function shownValue(value: unknown): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value) ?? 'nothing', MAX_SHOWN)
}

/** In double quotes, control characters as escapes; for common texts identical to clef's quoting. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
