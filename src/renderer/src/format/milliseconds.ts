// A short time in words.
import { MINUTE_MS, SECOND_MS } from '../../../base/time'
import type { Formatter } from './formatter'

const NO_BREAK = '\u00a0'

/** Formatted without its sign: milliseconds below a second, seconds with a decimal below a minute. */
export function milliseconds(format: Formatter, ms: number): string {
  const size = Math.abs(ms)
  if (size < SECOND_MS) return `${format.text('count', Math.round(size))}${NO_BREAK}ms`
  if (size >= MINUTE_MS) return format.text('duration', size / SECOND_MS)
  const tenths = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 1 })
  return `${tenths.format(size / SECOND_MS)}${NO_BREAK}s`
}
