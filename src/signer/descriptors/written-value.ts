// How a descriptor has a value written: the same for what a call is given and for what a document says.
import { formatDecimal } from '../../base/units'
import { type DescribedField, seenText } from './descriptor'

const LONGEST_VALUE = 120
/** Beyond it a number is no date: the year 9999. */
const LAST_SECOND = 253_402_300_799n

/**
 * @param plain decimal digits of a number, anything else as it is read
 * @param token contract whose units a `tokenAmount` is
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

/** Cut where it is long: the whole stands beside it. */
export function cutText(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** A stranger's text without what is not seen, cut where it is long. */
export function strangersText(text: string): string {
  return cutText(seenText(text))
}

/** One line of an approval. @param parts the intent, and each field as `LABEL: VALUE` */
export function inWordsOf(owner: string, parts: readonly string[]): string {
  return `In the words of ${JSON.stringify(owner)}: ${parts.map((part) => JSON.stringify(part)).join(', ')}`
}
