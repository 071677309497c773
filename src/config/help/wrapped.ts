// Wraps text for a terminal.

/** Line width when no terminal reports one. */
export const USUAL_COLUMNS = 80
/** Narrower, indented text is one word per line; wider is hard to read. */
const MIN_COLUMNS = 60
const MAX_COLUMNS = 120

/** Width of help output. @param columns of the terminal; undefined when the output isn't one */
export function helpColumns(columns: number | undefined): number {
  if (columns === undefined || columns <= 0) return USUAL_COLUMNS
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns))
}

/** Lines of at most `columns`, indented by `indent` blanks and broken at blanks; a longer word gets its own line. */
export function wrapped(text: string, indent: number, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each)
}
