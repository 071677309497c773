// Cleans a device name from a driver or the system for use in one line of a log, a table or a title.

const MAX_CHARS = 96
/** Control characters, bidi marks, zero-width characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Without invisible characters, truncated with an ellipsis; `?` when nothing is left. */
export function deviceName(told: string): string {
  const chars = [...told.replace(UNSEEN, '').trim()]
  if (chars.length === 0) return '?'
  return chars.length <= MAX_CHARS ? chars.join('') : `${chars.slice(0, MAX_CHARS).join('').trimEnd()}…`
}
