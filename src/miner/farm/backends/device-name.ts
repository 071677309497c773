// What a driver or the system calls a device, fit for one line of a log, a table and a title.

/** Characters of the longest name that is kept whole. */
const MAX_CHARS = 96
/** Control characters, marks of direction, zero-width characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Without what isn't seen, and cut with an ellipsis; `?` for a name of which nothing is left. */
export function deviceName(told: string): string {
  const chars = [...told.replace(UNSEEN, '').trim()]
  if (chars.length === 0) return '?'
  return chars.length <= MAX_CHARS ? chars.join('') : `${chars.slice(0, MAX_CHARS).join('').trimEnd()}…`
}
