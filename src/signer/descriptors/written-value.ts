// How a descriptor formats a value, in calls and documents alike.
import { formatDecimal } from '../../base/units'
import { type DescribedField, seenText } from './descriptor'

const LONGEST_VALUE = 120
/** A larger number isn't a date: the year 9999. */
const LAST_SECOND = 253_402_300_799n

/**
 * @param plain a number as decimal digits, anything else as displayed
 * @param token contract whose units a `tokenAmount` uses
 */
export function writtenValue(
  { format, names }: Pick<DescribedField, 'format' | 'names'>,
  plain: string,
  token: string,
): string {
  const number = /^\d+$/.test(plain) ? BigInt(plain) : null
  if (number === null) return plain
  if (format === 'amount') return `${formatDecimal(number)} LAX`
  if (format === 'tokenAmount') return `${number} units of ${token}`
  if (format === 'date' && number <= LAST_SECOND) return new Date(Number(number) * 1_000).toISOString()
  if (format === 'duration') return `${number} s`
  return format === 'enum' ? (names[plain] ?? plain) : plain
}

/** Truncated when long: the full text is displayed beside it. */
export function cutText(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Untrusted text without invisible characters, truncated when long. */
export function strangersText(text: string): string {
  return cutText(seenText(text))
}

/** One line of an approval. @param parts the intent, and each field as `LABEL: VALUE` */
export function inWordsOf(owner: string, parts: readonly string[]): string {
  return `In the words of ${JSON.stringify(owner)}: ${parts.map((part) => JSON.stringify(part)).join(', ')}`
}
