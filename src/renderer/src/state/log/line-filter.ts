// Finds the lines that pass a filter, piece by piece from the newest on, so that a worker can be interrupted in between
// and first results appear immediately. Runs in a worker; pure except for the two functions it is given.

interface FilterLine {
  /** Increases with each line. */
  readonly at: number
  /** 0 = least important. */
  readonly rank: number
  readonly module: string
  readonly text: string
}

export interface LineQuery {
  /** Modules that begin with one of these; empty = all. */
  readonly modules: readonly string[]
  readonly minRank: number
  /** UTC ms; null = any time. */
  readonly from: number | null
  readonly text: string
  /** True: `text` is a regular expression. False: it is matched literally, ignoring case. */
  readonly isPattern: boolean
}

export type FilterQuestion =
  | { readonly t: 'add'; readonly lines: readonly FilterLine[] }
  /** How many of the oldest lines were dropped. */
  | { readonly t: 'cut'; readonly count: number }
  | { readonly t: 'find'; readonly job: number; readonly query: LineQuery }

export type FilterAnswer =
  /** Called when a piece starts, which starts its time limit. */
  | { readonly t: 'begin'; readonly job: number }
  /** Positions of lines, counted from the first one ever added; newest first. */
  | { readonly t: 'found'; readonly job: number; readonly places: readonly number[]; readonly isDone: boolean }
  /** Positions of lines added after the query; oldest first. */
  | { readonly t: 'fresh'; readonly job: number; readonly places: readonly number[] }

interface LineFilterDeps {
  readonly answer: (answer: FilterAnswer) => void
  /** Runs it after everything already queued. */
  readonly later: (work: () => void) => void
}

/** A pattern may take arbitrarily long for one line, so its pieces are small. */
const PIECE = { literal: 10_000, pattern: 1_000 } as const

interface Held extends FilterLine {
  readonly lower: string
}

/** The lines that `query` selects. @throws SyntaxError for an invalid pattern */
export function lineTest({ modules, minRank, from, text, isPattern }: LineQuery): (line: Held) => boolean {
  const isOf = (module: string): boolean => modules.some((name) => module === name || module.startsWith(`${name}.`))
  const hasText = textTest(text, isPattern)
  return (line) =>
    line.rank >= minRank &&
    (from === null || line.at >= from) &&
    (modules.length === 0 || isOf(line.module)) &&
    hasText(line)
}

function textTest(text: string, isPattern: boolean): (line: Held) => boolean {
  if (text.trim() === '') return () => true
  if (isPattern) {
    const pattern = new RegExp(text, 'iu')
    return ({ text: line, module }) => pattern.test(line) || pattern.test(module)
  }
  const wanted = text.trim().toLowerCase()
  return ({ lower, module }) => lower.includes(wanted) || module.toLowerCase().includes(wanted)
}

export class LineFilter {
  readonly #deps: LineFilterDeps
  #lines: Held[] = []
  /** Position of the first kept line. */
  #first = 0
  #job = 0
  #test: (line: Held) => boolean = () => true
  #piece: number = PIECE.literal
  /** Where the search continues, downwards; nothing is left below `#first`. */
  #next = -1

  constructor(deps: LineFilterDeps) {
    this.#deps = deps
  }

  take(question: FilterQuestion): void {
    if (question.t === 'add') this.#add(question.lines)
    else if (question.t === 'cut') this.#cut(question.count)
    else this.#find(question.job, question.query)
  }

  #add(lines: readonly FilterLine[]): void {
    const { answer } = this.#deps
    const held = lines.map((line) => ({ ...line, lower: line.text.toLowerCase() }))
    const from = this.#first + this.#lines.length
    // One by one: spreading this many would exceed the argument limit.
    for (const line of held) this.#lines.push(line)
    if (this.#job === 0) return
    for (let done = 0; done < held.length; done += this.#piece) {
      answer({ t: 'begin', job: this.#job })
      const places: number[] = []
      for (const [index, line] of held.slice(done, done + this.#piece).entries())
        if (this.#test(line)) places.push(from + done + index)
      answer({ t: 'fresh', job: this.#job, places })
    }
  }

  #cut(count: number): void {
    this.#lines = this.#lines.slice(count)
    this.#first += count
  }

  #find(job: number, query: LineQuery): void {
    this.#job = job
    this.#test = lineTest(query)
    this.#piece = query.isPattern ? PIECE.pattern : PIECE.literal
    this.#next = this.#first + this.#lines.length - 1
    this.#goOn(job)
  }

  #goOn(job: number): void {
    if (job !== this.#job) return
    const { answer, later } = this.#deps
    answer({ t: 'begin', job })
    const places: number[] = []
    const end = Math.max(this.#first - 1, this.#next - this.#piece)
    for (let place = this.#next; place > end; place--) {
      const line = this.#lines[place - this.#first]
      if (line !== undefined && this.#test(line)) places.push(place)
    }
    this.#next = end
    const isDone = end < this.#first
    answer({ t: 'found', job, places, isDone })
    if (!isDone) later(() => this.#goOn(job))
  }
}
