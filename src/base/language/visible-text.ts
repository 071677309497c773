// Foreign text with nothing invisible in it: for the window, and for terminals, where such characters are commands.

interface TextPiece {
  readonly text: string
  /** True for a mark that represents an invisible character. */
  readonly isMark: boolean
}

/** No script writes more marks of no width of their own onto one letter. */
const MOST_STACKED = 4

/**
 * Splits foreign text so that nothing in it is invisible or covers what stands above and below: control characters, direction
 * overrides, characters without width, letters that are drawn as nothing, and combining marks beyond the fourth on a letter become
 * marks such as `U+202E`. Line feeds stay when `keepLines`.
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
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u.test(character)
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

/** What a terminal obeys though it is no text of ours: commands of the second control block, and changes of direction. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The same line, in JSON with the same meaning, without characters that a terminal obeys; colors stay. */
export function withoutCommands(line: string): string {
  return line.replace(OBEYED, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Of scripts written right to left, and their digits: the ranges that the standard keeps for them (Unicode Standard Annex 9,
 * DerivedBidiClass: R, AL, AN).
 */
const FROM_RIGHT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}'
const FROM_RIGHT_RUN = new RegExp(`([${FROM_RIGHT}]\\p{M}*(?:[${FROM_RIGHT}\\p{M} ]*[${FROM_RIGHT}]\\p{M}*)?)`, 'u')
const FROM_RIGHT_EACH = new RegExp(`[${FROM_RIGHT}]`, 'gu')

/** A text in pieces that together are it: each second one has only letters written right to left, with the spaces between them. */
export function byDirection(text: string): readonly string[] {
  return text.split(FROM_RIGHT_RUN)
}

/** JSON of the same meaning in which no letter is written right to left, where a terminal would also move what is beside it. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(FROM_RIGHT_EACH, (letter) => letter.split('').map(escaped).join(''))
}
