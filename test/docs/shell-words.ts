// A shell line as words, as far as the documents need it: quotes, a variable before the program, and where the
// program's arguments end.

/** Of a line's first program, without what follows `|`, `>`, `&` or `;`. */
export function wordsOfCommand(command: string): readonly string[] {
  const words: string[] = []
  for (const match of command.matchAll(/'([^']*)'|"([^"]*)"|([|>&;]+)|([^\s'"|>&;]+)/g)) {
    const [whole, single, double, end] = match
    if (end !== undefined) break
    const text = single ?? double ?? whole
    const isGlued = match.index > 0 && !/\s/.test(command[match.index - 1] ?? '')
    if (isGlued && words.length > 0) words[words.length - 1] += text
    else words.push(text)
  }
  return words
}

/** Alternatives and dots, which a reader fills in. */
export function hasPlaceholder(command: string): boolean {
  return /\.\.\.|…|\w\|\w|<|\[/.test(command)
}
