// Reads a case file of test/vectors/rpc/cases; its README describes the lines.

export interface ExpectedAnswer {
  readonly text: string
  readonly ignore: string[]
  readonly match: { readonly path: string; readonly pattern: RegExp }[]
  readonly only: string[]
  /** For the product profile: what to put at a path of the expected answer; null removes it. */
  readonly product: { readonly path: string; readonly json: string | null }[]
  readonly lets: { readonly name: string; readonly path: string }[]
}

export interface HttpChanges {
  readonly method?: string
  readonly path?: string
  /** null removes a header */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly noDefaults?: boolean
  readonly chunked?: boolean
}

export interface Step {
  readonly request: string
  readonly answers: ExpectedAnswer[]
  readonly waitMs: number
  /** JSON text of `HttpChanges`: variables are filled in when it runs. */
  readonly http: string | null
  readonly headers: { readonly name: string; readonly value: string }[]
  readonly absentHeaders: string[]
  readonly maps: string[]
  readonly unordered: string[]
  status: number
  closes: boolean
}

export interface WsOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** HTTP status of a refused upgrade */
  readonly refused?: number
}

export interface CaseFile {
  readonly needs: string[]
  readonly steps: Step[]
  /** Null: over HTTP. */
  ws: WsOptions | null
}

/** The text between a step's lines and the next `>>`. */
interface Ahead {
  waitMs: number
  http: string | null
}

/** @throws Error for a line that no rule of the README explains */
export function parseCase(text: string): CaseFile {
  const file: CaseFile = { needs: [], steps: [], ws: null }
  let ahead: Ahead = { waitMs: 0, http: null }
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('//')) continue
    if (line.startsWith('>>')) {
      file.steps.push(newStep(rest(line), ahead))
      ahead = { waitMs: 0, http: null }
    } else if (line.startsWith('<<')) stepOf(file, line).answers.push(newAnswer(rest(line)))
    else takeDirective(file, ahead, line)
  }
  return file
}

function takeDirective(file: CaseFile, ahead: Ahead, line: string): void {
  const [, word = '', value = ''] = /^\.([a-z-]+)(?:\s+(.*))?$/.exec(line) ?? []
  if (word === 'needs') file.needs.push(...list(value))
  else if (word === 'ws') file.ws = value === '' ? {} : (JSON.parse(value) as WsOptions)
  else if (word === 'http') ahead.http = value
  else if (word === 'sleep') ahead.waitMs = Number(value)
  else takeStepDirective(stepOf(file, line), word, value)
}

function takeStepDirective(step: Step, word: string, value: string): void {
  // Before the first `<<`, a line applies to the first answer.
  const answer = step.answers.at(-1)
  if (word === 'status') step.status = Number(value)
  else if (word === 'closes') step.closes = true
  else if (word === 'product-map') step.maps.push(value.trim())
  else if (word === 'unordered') step.unordered.push(...list(value))
  else if (word === 'header') step.headers.push({ name: first(value).toLowerCase(), value: behindFirst(value) })
  else if (word === 'no-header') step.absentHeaders.push(value.trim().toLowerCase())
  else if (answer === undefined) throw new Error(`cannot read line: .${word} ${value}`)
  else takeAnswerDirective(answer, word, value)
}

function takeAnswerDirective(answer: ExpectedAnswer, word: string, value: string): void {
  if (word === 'ignore') answer.ignore.push(...list(value))
  else if (word === 'only') answer.only.push(...list(value))
  else if (word === 'match') {
    answer.match.push({ path: first(value), pattern: new RegExp(behindFirst(value).replace(/^\/|\/$/g, '')) })
  } else if (word === 'product') {
    const json = behindFirst(value)
    answer.product.push({ path: first(value), json: json === 'absent' ? null : json })
  } else if (word === 'let') {
    const [, name = '', path = ''] = /^(\w+)\s*=\s*(\S+)$/.exec(value) ?? []
    answer.lets.push({ name, path })
  } else throw new Error(`cannot read line: .${word} ${value}`)
}

function newStep(request: string, { waitMs, http }: Ahead): Step {
  const lists = { answers: [], headers: [], absentHeaders: [], maps: [], unordered: [] }
  return { request, waitMs, http, ...lists, status: 200, closes: false }
}

function newAnswer(text: string): ExpectedAnswer {
  return { text, ignore: [], match: [], only: [], product: [], lets: [] }
}

function stepOf(file: CaseFile, line: string): Step {
  const step = file.steps.at(-1)
  if (step === undefined) throw new Error(`before the first request: ${line}`)
  return step
}

const rest = (line: string): string => line.slice(2).replace(/^ /, '').replace(/\r$/, '')
const first = (value: string): string => value.split(' ', 1)[0] ?? ''
const behindFirst = (value: string): string => value.slice(first(value).length + 1)
const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
