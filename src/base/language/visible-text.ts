// Foreign text with nothing invisible in it: for the window, and for terminals, where such characters are commands.

interface TextPiece {
  readonly text: string
  /** True for a mark that represents an invisible character. */
  readonly isMark: boolean
}

/** No script writes more marks of no width of their own onto one letter. */
const MOST_STACKED = 4
const INVISIBLE = '\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\u2800'
const ONE_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u')

/**
 * Splits foreign text so that nothing in it is invisible or covers its neighbors: control characters, direction overrides,
 * letters without width or ink, and combining marks beyond a letter's fourth become marks such as `U+202E`. @param keepLines
 */
export function visiblePieces(text: string, keepLines: boolean): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let plain = ''
  let stacked = 0
  for (const character of text) {
    stacked = /\p{Mn}|\p{Me}/u.test(character) ? stacked + 1 : 0
    if (stacked <= MOST_STACKED && !isInvisible(character, keepLines)) {
      plain += character
      continue
    }
    if (plain !== '') pieces.push({ text: plain, isMark: false })
    plain = ''
    pieces.push({ text: codePointName(character), isMark: true })
  }
  if (plain !== '') pieces.push({ text: plain, isMark: false })
  return pieces
}

function isInvisible(character: string, keepLines: boolean): boolean {
  if (keepLines && character === '\n') return false
  return ONE_INVISIBLE.test(character)
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The same as one text: marks in square brackets. */
export function visibleText(text: string, keepLines = false): string {
  return visiblePieces(text, keepLines)
    .map(({ text: piece, isMark }) => (isMark ? `[${piece}]` : piece))
    .join('')
}

/** Scripts written right to left, with digits. Source: Unicode Standard Annex 9, DerivedBidiClass: R, AL, AN */
const FROM_RIGHT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}'
const FROM_RIGHT_RUN = new RegExp(`([${FROM_RIGHT}]\\p{M}*(?:[${FROM_RIGHT}\\p{M} ]*[${FROM_RIGHT}]\\p{M}*)?)`, 'u')

/** A text in pieces that together are it: each second one has only letters written right to left, with the spaces between them. */
export function byDirection(text: string): readonly string[] {
  return text.split(FROM_RIGHT_RUN)
}

/** Begins a row that has only letters written right to left, which elsewhere would move their neighbors. */
export const FROM_RIGHT_ROW = '  | right to left: '
const ROW_OF_ITS_OWN = `^${FROM_RIGHT_ROW.replace('|', '\\|')}[${FROM_RIGHT}\\p{M} ]+$`
const PILED_UP = `(?<=[\\p{Mn}\\p{Me}]{${MOST_STACKED}})[\\p{Mn}\\p{Me}]`
const NOT_PLAIN = new RegExp(`(?![\\t\\n])[${INVISIBLE}]|${PILED_UP}`, 'gu')
const NOT_PLAIN_IN_LINE = new RegExp(`${ROW_OF_ITS_OWN}|${NOT_PLAIN.source}|[${FROM_RIGHT}]`, 'gmu')

/**
 * Lines as a terminal may get them: what it would obey, hide, pile up or put before its neighbors becomes an escape such as
 * `\u05d0`, with which JSON means the same. Rows that begin with {@link FROM_RIGHT_ROW} keep their letters.
 */
export function forTerminal(lines: string): string {
  return lines.replace(NOT_PLAIN_IN_LINE, (found) =>
    found.startsWith(FROM_RIGHT_ROW) ? found.replace(NOT_PLAIN, escaped) : escaped(found),
  )
}

/** Foreign text for a cell of a table, as wide as it will be drawn. */
export function cellText(text: string): string {
  return forTerminal(visibleText(text))
}

/** Rows of foreign text in aligned columns; a row's last cell may be of any length. */
export function columns(texts: readonly (readonly string[])[]): readonly string[] {
  const rows = texts.map((cells) => cells.map(cellText))
  const width = (column: number): number =>
    Math.max(...rows.map((cells) => (column === cells.length - 1 ? 0 : (cells[column]?.length ?? 0))))
  const aligned = (cells: readonly string[]): string => cells.map((cell, at) => cell.padEnd(width(at))).join('  ')
  return rows.map((cells) => aligned(cells).trimEnd())
}

/** Each unit as in JSON. */
export function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
