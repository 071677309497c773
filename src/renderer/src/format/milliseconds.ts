// A short time in words.
import type { Formatter } from './formatter'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const NO_BREAK = '\u00a0'

/** Formatted without its sign: milliseconds below a second, seconds with a decimal below a minute. */
export function milliseconds(format: Formatter, ms: number): string {
  const size = Math.abs(ms)
  if (size < SECOND_MS) return `${format.text('count', Math.round(size))}${NO_BREAK}ms`
  if (size >= MINUTE_MS) return format.text('duration', size / SECOND_MS)
  const tenths = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 1 })
  return `${tenths.format(size / SECOND_MS)}${NO_BREAK}s`
}
