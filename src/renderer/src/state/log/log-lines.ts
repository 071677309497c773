// A bounded buffer of lines, and which of them pass a filter. Filtering runs elsewhere: a slow pattern is stopped.
import type { Disposable } from '../../../../base/disposable'
import { messageOf } from '../../../../base/errors'
import type { Clock } from '../../../../base/time'
import { type FilterPort, type OpenFilterPort, openFilterHere } from './filter-port'
import { type FilterAnswer, type LineQuery, lineTest } from './line-filter'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const
type LogLevelName = (typeof logLevels)[number]

export interface Line {
  readonly at: number
  readonly level: LogLevelName
  /** Parts separated by dots. */
  readonly module: string
  readonly text: string
}

export interface LogFilter {
  /** Modules that begin with one of these; empty = all. */
  readonly modules: readonly string[]
  readonly least: LogLevelName
  /** UTC ms; null = any time. */
  readonly from: number | null
  readonly text: string
  readonly isPattern: boolean
}

export const ALL_LINES: LogFilter = { modules: [], least: 'trace', from: null, text: '', isPattern: false }

export type FilterProblem =
  | { readonly kind: 'bad'; readonly reason: string }
  /** Stopped after its time limit; shows what was found until then. */
  | { readonly kind: 'slow' }
  /** There is no thread in which it could be stopped. */
  | { readonly kind: 'unavailable' }

/** Time limit for a piece of a thousand lines. */
export const PATTERN_LIMIT_MS = 200

interface LogLinesDeps {
  readonly clock: Clock
  /** Null = there is no thread. */
  readonly openThread: OpenFilterPort | null
  readonly onChange: () => void
}

export class LogLines<L extends Line> {
  readonly #limit: number
  readonly #deps: LogLinesDeps
  #all: L[] = []
  /** Position of the first kept line, counted from the first one ever added. */
  #first = 0
  /** Positions found by the search, newest first. */
  #found: number[] = []
  /** Positions of lines that arrived after the query, oldest first. */
  #fresh: number[] = []
  #job = 0
  /** The query that the positions belong to. */
  #shownJob = 0
  /** Position of the line that the port counts as its first. */
  #offset = 0
  #filter: LogFilter = ALL_LINES
  #port: FilterPort | null = null
  #hasThread: boolean
  #timer: Disposable | null = null
  #problem: FilterProblem | null = null

  constructor(limit: number, deps: LogLinesDeps) {
    this.#limit = limit
    this.#deps = deps
    this.#hasThread = deps.openThread !== null
  }

  get count(): number {
    return this.#all.length
  }

  get shownCount(): number {
    return this.#fresh.length + this.#found.length
  }

  get problem(): FilterProblem | null {
    return this.#problem
  }

  /** @param index 0 = the newest of those shown */
  shown(index: number): L | undefined {
    const place =
      index < this.#fresh.length ? this.#fresh[this.#fresh.length - 1 - index] : this.#found[index - this.#fresh.length]
    return place === undefined ? undefined : this.#all[place - this.#first]
  }

  /** All that are shown, oldest first. */
  allShown(): L[] {
    const lines: L[] = []
    for (let index = this.shownCount - 1; index >= 0; index--) {
      const line = this.shown(index)
      if (line !== undefined) lines.push(line)
    }
    return lines
  }

  /** Results of the previous filter stay until the first ones of this filter arrive. */
  setFilter(filter: LogFilter): void {
    this.#filter = filter
    this.#search()
  }

  /** Drops the oldest lines when there are too many. */
  add(lines: readonly L[]): void {
    if (lines.length === 0) return
    for (const line of lines) this.#all.push(line)
    this.#port?.ask({ t: 'add', lines: lines.map(plainLine) })
    if (this.#all.length > this.#limit + this.#limit / 10) this.#cut(this.#all.length - this.#limit)
  }

  clear(): void {
    this.#cut(this.#all.length)
    this.#found = []
    this.#fresh = []
  }

  close(): void {
    this.#stop()
  }

  #search(): void {
    const query = queryOf(this.#filter)
    const fault = this.#faultOf(query)
    if (fault !== null) {
      this.#fail(fault)
      return
    }
    this.#problem = null
    this.#job += 1
    this.#timer?.dispose()
    const port = this.#port ?? this.#open()
    port.ask({ t: 'find', job: this.#job, query })
  }

  #faultOf(query: LineQuery): FilterProblem | null {
    if (!query.isPattern) return null
    if (!this.#hasThread) return { kind: 'unavailable' }
    try {
      lineTest(query)
      return null
    } catch (error: unknown) {
      return { kind: 'bad', reason: messageOf(error) }
    }
  }

  #open(): FilterPort {
    const { openThread } = this.#deps
    const open = this.#hasThread && openThread !== null ? openThread : openFilterHere
    const port: FilterPort = open({
      onAnswer: (answer) => this.#answered(answer),
      onLost: () => this.#lost(),
    })
    this.#port = port
    port.ask({ t: 'add', lines: this.#all.map(plainLine) })
    // The port's positions begin at zero; ours may not.
    this.#offset = this.#first
    return port
  }

  /** Threads aren't available here: from now on, filtering works without one. */
  #lost(): void {
    this.#hasThread = false
    this.#stop()
    this.#search()
  }

  #answered(answer: FilterAnswer): void {
    if (answer.job !== this.#job) return
    this.#timer?.dispose()
    this.#timer = null
    if (answer.t === 'begin') {
      if (this.#filter.isPattern) this.#timer = this.#deps.clock.setTimeout(() => this.#tooSlow(), PATTERN_LIMIT_MS)
      return
    }
    const places = answer.places.map((place) => place + this.#offset).filter((place) => place >= this.#first)
    const kept = this.#listOf(answer.t, answer.job)
    for (const place of places) kept.push(place)
    if (answer.t === 'found' || places.length > 0) this.#deps.onChange()
  }

  /** The first answer to this filter replaces the results of the previous one. */
  #listOf(kind: 'found' | 'fresh', job: number): number[] {
    if (this.#shownJob !== job) {
      this.#shownJob = job
      this.#found = []
      this.#fresh = []
    }
    return kind === 'found' ? this.#found : this.#fresh
  }

  #tooSlow(): void {
    this.#fail({ kind: 'slow' })
  }

  #fail(problem: FilterProblem): void {
    this.#stop()
    this.#problem = problem
    this.#deps.onChange()
  }

  #stop(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#port?.close()
    this.#port = null
    this.#job += 1
  }

  #cut(count: number): void {
    this.#all = this.#all.slice(count)
    this.#first += count
    this.#port?.ask({ t: 'cut', count })
    this.#found = this.#found.filter((place) => place >= this.#first)
    this.#fresh = this.#fresh.filter((place) => place >= this.#first)
  }
}

function queryOf({ modules, least, from, text, isPattern }: LogFilter): LineQuery {
  return { modules, minRank: logLevels.indexOf(least), from, text, isPattern }
}

function plainLine({ at, level, module, text }: Line) {
  return { at, rank: logLevels.indexOf(level), module, text }
}

/** One JSON object per line, as in the program's own JSON log. */
export function asJsonLines(lines: readonly Line[]): string {
  return lines
    .map(({ at, level, module, text }) => JSON.stringify({ time: new Date(at).toISOString(), level, module, text }))
    .join('\n')
}
