// Log lines of this page: a bounded memory, and those of them that a filter lets through. Pure, for a view of any speed.
import type { LogLineView } from '../../../contract/logs'

export interface LogFilter {
  /** Modules that begin with one of these; empty = all. */
  readonly modules: readonly string[]
  readonly least: LogLineView['level']
  /** Literal, in any case; empty = all. */
  readonly text: string
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const

/** True for lines that `filter` wants. */
export function passes({ modules, least, text }: LogFilter): (line: LogLineView) => boolean {
  const rank = logLevels.indexOf(least)
  const wanted = text.trim().toLowerCase()
  const isOf = (module: string) => modules.some((name) => module === name || module.startsWith(`${name}.`))
  return (line) =>
    logLevels.indexOf(line.level) >= rank &&
    (modules.length === 0 || isOf(line.module)) &&
    (wanted === '' || line.text.toLowerCase().includes(wanted) || line.module.toLowerCase().includes(wanted))
}

export class LogLines {
  readonly #limit: number
  #all: LogLineView[] = []
  #shown: LogLineView[] = []
  #filter: (line: LogLineView) => boolean = () => true

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Oldest first; the same array as long as nothing changed it. */
  get shown(): readonly LogLineView[] {
    return this.#shown
  }

  get count(): number {
    return this.#all.length
  }

  setFilter(filter: LogFilter): void {
    this.#filter = passes(filter)
    this.#shown = this.#all.filter(this.#filter)
  }

  /** Only what is new is filtered; the oldest go when there are too many. */
  add(lines: readonly LogLineView[]): void {
    if (lines.length === 0) return
    this.#all.push(...lines)
    const added = lines.filter(this.#filter)
    if (this.#all.length > this.#limit + this.#limit / 10) this.#cut()
    else if (added.length > 0) this.#shown = [...this.#shown, ...added]
  }

  #cut(): void {
    this.#all = this.#all.slice(-this.#limit)
    this.#shown = this.#all.filter(this.#filter)
  }
}

/** One JSON object a line, as the program's own JSON log has them. */
export function asJsonLines(lines: readonly LogLineView[]): string {
  return lines
    .map(({ at, level, module, text }) => JSON.stringify({ time: new Date(at).toISOString(), level, module, text }))
    .join('\n')
}
