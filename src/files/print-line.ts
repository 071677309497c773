// The only way to standard output and standard error for text.
import { forTerminal } from '../base/language/visible-text'

/** Prints lines in which nothing is a command to the terminal, nothing is hidden, and nothing moves its neighbors. */
export function printLine(stream: NodeJS.WritableStream, lines: string): void {
  stream.write(`${forTerminal(lines)}\n`)
}
