// Texts cut into lines for a terminal.

/** Columns of a line where no terminal says how many it has. */
const USUAL_COLUMNS = 80
/** In fewer the indented texts are one word a line; in more the eye loses its line. */
const MIN_COLUMNS = 60
const MAX_COLUMNS = 120

/** How wide help is printed. @param columns of the terminal; undefined where the output is none */
export function helpColumns(columns: number | undefined): number {
  if (columns === undefined || columns <= 0) return USUAL_COLUMNS
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns))
}

/** Lines of at most `columns` characters, all with `indent` blanks before them, cut at blanks; a longer word stands alone. */
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
