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
 * overrides, zero-width characters, and combining marks beyond the fourth on a letter become marks such as `U+202E`. Line feeds stay when
 * `keepLines`.
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
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/u.test(character)
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
