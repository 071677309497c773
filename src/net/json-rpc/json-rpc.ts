// From a request's or batch's text to the response's. Fronts differ in their `Dialect` and in how a call is executed.
import { elementTexts, endOfString, endOfValue, memberTexts } from '../../base/json-text'

/** The error member of a response. */
export interface RpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What one front accepts as a request, and how it answers everything else. Every text is part of its public API. */
export interface Dialect {
  /** Text after the first JSON value: `refused` makes it all a parse error, `ignored` answers the first value. */
  readonly trailingText: 'refused' | 'ignored'
  /** Null when this may be an id. `undefined` when there is none: null then makes the call a notification. */
  readonly idFault: (id: unknown) => RpcErrorObject | null
  /** `received`: with the caller's own spelling; `printed`: as JSON prints its value. */
  readonly idEcho: 'received' | 'printed'
  /** Whether `"jsonrpc": "2.0"` is required. */
  readonly needsVersion: boolean
  /** Whether a method name may be empty; it is then unknown. */
  readonly takesEmptyMethod: boolean
  /** A message with an id and a result but no method: `ignored` gets no response. */
  readonly responses: 'ignored' | 'refused'
  /** Which member of a response comes first. */
  readonly answersBegin: 'version' | 'id'
  /** Maximum calls per batch. */
  readonly maxBatch: number
  readonly errors: {
    readonly parse: RpcErrorObject
    readonly invalid: RpcErrorObject
    readonly emptyBatch: RpcErrorObject
    readonly largeBatch: RpcErrorObject
  }
}

/** One parsed call. */
export interface RpcCall {
  /** The id as JSON text, `null` when there is none. */
  readonly idText: string
  readonly method: string
  /** As parsed; of any type. */
  readonly params: unknown
  /** The request as received. */
  readonly text: string
  readonly isNotification: boolean
}

/** The response to an invalid request; null: no response. */
export interface RequestFault {
  readonly idText: string
  readonly error: RpcErrorObject
}

/** What a body holds. `null` in place of a call: it gets no response. */
export type BodyRead =
  | { readonly kind: 'nothing' | 'broken' | 'manyValues' | 'emptyBatch' | 'largeBatch' }
  | { readonly kind: 'one'; readonly call: RpcCall | RequestFault | null }
  | { readonly kind: 'batch'; readonly calls: readonly (RpcCall | RequestFault | null)[] }

/** Reads a request or a batch; nothing is carried out. */
export function readBody(text: string, dialect: Dialect): BodyRead {
  const whole = dialect.trailingText === 'refused' ? text : firstValue(text)
  if (whole === null) return { kind: text.trim() === '' ? 'nothing' : 'broken' }
  const parsed = readJson(whole)
  if ('fault' in parsed) return { kind: text.trim() === '' ? 'nothing' : parsed.fault }
  const { value } = parsed
  if (!Array.isArray(value)) return { kind: 'one', call: readRequest(value, whole, dialect) }
  if (value.length === 0) return { kind: 'emptyBatch' }
  if (value.length > dialect.maxBatch) return { kind: 'largeBatch' }
  const texts = elementTexts(whole)
  return { kind: 'batch', calls: value.map((request, index) => readRequest(request, texts[index] ?? '', dialect)) }
}

/** Id, as JSON text, of a response to a request without one. */
export const NO_ID = 'null'

/** Maximum nesting of arrays and objects. Same as prlx's JSON reader. */
const MAX_DEPTH = 10_000
/** Members, elements, arrays and objects of a body. A short one costs up to 1.4 us and 130 bytes, and 15 MiB hold 5 million. */
const MAX_VALUES = 200_000
/** A value this deep has at least this many characters, and one with too many has more: shorter texts needn't be scanned. */
const MIN_SCANNED_TEXT = 2 * MAX_DEPTH

/** One JSON value, boxed since null is a value. Null when the text isn't JSON, is nested too deeply, or has too many values. */
export function parseJson(text: string): { readonly value: unknown } | null {
  const read = readJson(text)
  return 'fault' in read ? null : read
}

function readJson(text: string): { readonly value: unknown } | { readonly fault: 'broken' | 'manyValues' } {
  const fault = text.length > MIN_SCANNED_TEXT ? scannedFault(text) : null
  if (fault !== null) return { fault }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'broken' }
  }
}

/** The text of the first JSON value; null when it is incomplete. */
function firstValue(text: string): string | null {
  const end = endOfValue(text, 0)
  return end < 0 ? null : text.slice(0, end)
}

/** @param text as received, for an id that is echoed verbatim: a number may have more digits than a float */
function readRequest(request: unknown, text: string, dialect: Dialect): RpcCall | RequestFault | null {
  const { errors } = dialect
  const isObject = typeof request === 'object' && request !== null && !Array.isArray(request)
  if (!isObject) return { idText: NO_ID, error: errors.invalid }
  const { id, jsonrpc, method, params, result, error } = request as Readonly<Record<string, unknown>>
  const isNamed = typeof method === 'string' && (method !== '' || dialect.takesEmptyMethod)
  const isResponse = !isNamed && id !== undefined && (result !== undefined || error !== undefined)
  if (isResponse && dialect.responses === 'ignored') return null
  const idFault = dialect.idFault(id)
  if (idFault !== null) return { idText: NO_ID, error: idFault }
  const idText = id === undefined ? NO_ID : dialect.idEcho === 'printed' ? JSON.stringify(id) : receivedId(id, text)
  if (!isNamed || (dialect.needsVersion && jsonrpc !== '2.0')) return { idText, error: errors.invalid }
  return { idText, method, params, text, isNotification: id === undefined }
}

/** Tells an invalid request from a call. */
export function isFault(read: RpcCall | RequestFault): read is RequestFault {
  return 'error' in read
}

/** Positional parameters, none when omitted; null when they are anything else. */
export function positionalParams(params: unknown): readonly unknown[] | null {
  if (params === undefined || params === null) return []
  return Array.isArray(params) ? params : null
}

const FIRST_ID = /^\{(?:"jsonrpc":"2\.0",)?"id":([\w."-]+),/
const LAST_ID = /,"id":([\w."-]+)(?:,"jsonrpc":"2\.0")?\}$/
/** Longer ids are found with the full scan. */
const MAX_QUICK_ID = 80

/** Finds the id at the beginning or the end, where most clients write it, without cutting the request into parts. */
function receivedId(id: unknown, text: string): string {
  if (typeof id === 'string' || Number.isSafeInteger(id)) {
    const printed = JSON.stringify(id)
    const quick = LAST_ID.exec(text.slice(-MAX_QUICK_ID)) ?? FIRST_ID.exec(text.slice(0, MAX_QUICK_ID))
    if (quick?.[1] === printed) return printed
  }
  return memberTexts(text).get('id') ?? NO_ID
}

/** What is wrong before anything is parsed; null: nothing that can be seen. */
function scannedFault(text: string): 'broken' | 'manyValues' | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const end = endOfString(text, at)
      if (end < 0) return 'broken'
      at = end - 1
    } else if (char === 0x2c) values += 1
    else if (char === 0x5b || char === 0x7b) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) return 'broken'
    } else if (char === 0x5d || char === 0x7d) depth -= 1
    if (values > MAX_VALUES) return 'manyValues'
  }
  return null
}

/** A result that is already JSON text (made by a worker, or cached); sent as it is. */
export class JsonText {
  /** @param text one complete JSON value */
  constructor(readonly text: string) {}
}

/** The same for a text that may still be on its way. */
export function jsonText(text: string | Promise<string>): JsonText | Promise<JsonText> {
  return typeof text === 'string' ? new JsonText(text) : text.then((late) => new JsonText(late))
}

/**
 * A result that is never whole in memory: one JSON value cut anywhere, bytes are UTF-8. The next chunk is requested
 * only when the client has taken the last ones; `return()` of the iterator is called when it disconnects. A failure
 * before the first chunk becomes an error response; a later one cuts the connection, because the response has begun.
 */
export class StreamedResult {
  constructor(readonly chunks: AsyncIterable<string | Uint8Array>) {}
}

/** A response begins once this much of it is there, or all of it: until then a failure is still an error, bytes. */
export const HELD_BACK = 1024 * 1024
/** A whole text below this needs no stream, characters. */
const SHORT = 64 * 1024

/** The response around the chunks; a short one is no stream. @throws what the held-back beginning fails with */
async function streamAnswer(
  result: StreamedResult,
  frame: { readonly before: string; readonly after: string },
): Promise<string | AsyncIterable<string | Uint8Array>> {
  const chunks = result.chunks[Symbol.asyncIterator]()
  const begun: IteratorResult<string | Uint8Array>[] = []
  let held = 0
  while (held < HELD_BACK) {
    const next = await chunks.next()
    begun.push(next)
    if (next.done === true) break
    held += next.value.length
  }
  const texts = begun.flatMap(({ done, value }) => (done === true || typeof value !== 'string' ? [] : [value]))
  const isWhole = begun.at(-1)?.done === true && texts.length === begun.length - 1
  return isWhole && held < SHORT ? `${frame.before}${texts.join('')}${frame.after}` : joined(frame, begun, chunks)
}

/** @param begun the first chunks, of which only the last may be the end */
async function* joined(
  frame: { readonly before: string; readonly after: string },
  begun: readonly IteratorResult<string | Uint8Array>[],
  chunks: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let isDone = false
  try {
    yield frame.before
    let next: IteratorResult<string | Uint8Array> | undefined
    for (next of begun) if (next.done !== true) yield next.value
    while (next?.done !== true) {
      next = await chunks.next()
      if (next.done !== true) yield next.value
    }
    isDone = true
    yield frame.after
  } finally {
    if (!isDone) await chunks.return?.()
  }
}

/** The whole result as text; null when it exceeds `maxBytes`. */
async function gatherStream(result: StreamedResult, maxBytes: number): Promise<string | null> {
  const parts: Buffer[] = []
  let left = maxBytes
  for await (const chunk of result.chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    left -= bytes.length
    if (left < 0) return null
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The outcome of a call. A result is plain JSON, `JsonText` or `StreamedResult`; undefined is sent as null. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcErrorObject }

/** The response text without a line end, its chunks, or null when there is no response. */
export type Answer = string | AsyncIterable<string | Uint8Array> | null

/** How a front executes calls, and its limits. */
interface AnswererDeps<Scope> {
  readonly dialect: Dialect
  /** Executes one call; failures are outcomes too. It may throw only for a caller that has disconnected. */
  readonly run: (call: RpcCall, scope: Scope) => Outcome | Promise<Outcome>
  /** Maps what a stream failed with, or what couldn't be written as text. */
  readonly errorOf: (error: unknown) => RpcErrorObject
  /** Batch limit: characters of all responses together, and the response of a call that exceeds them. */
  readonly batchAnswers: { readonly maxCharacters: number; readonly tooLarge: RpcErrorObject }
  /** True when the caller has disconnected: the rest of a batch isn't started. */
  readonly isOver: (scope: Scope) => boolean
}

/** State of a batch in progress. */
interface InBatch<Scope> {
  readonly scope: Scope
  /** Characters left for the remaining responses. */
  readonly left: number
}

/** Parses requests, has each call executed and writes the responses. */
export class Answerer<Scope> {
  /** The response to invalid JSON; a message connection closes after it. */
  readonly parseError: string

  constructor(private readonly deps: AnswererDeps<Scope>) {
    this.parseError = this.#errorText(NO_ID, deps.dialect.errors.parse)
  }

  /** Answers synchronously when nothing has to wait. Rejects only when `run` does. */
  answer(text: string, scope: Scope): Answer | Promise<Answer> {
    return this.answerRead(readBody(text, this.deps.dialect), scope)
  }

  /** The same for a body that was read elsewhere. */
  answerRead(read: BodyRead, scope: Scope): Answer | Promise<Answer> {
    const { errors } = this.deps.dialect
    switch (read.kind) {
      case 'nothing':
        return null
      case 'broken':
        return this.parseError
      case 'manyValues':
        return this.#errorText(NO_ID, {
          code: errors.invalid.code,
          message: `a request has at most ${MAX_VALUES} JSON values`,
        })
      case 'emptyBatch':
        return this.#errorText(NO_ID, errors.emptyBatch)
      case 'largeBatch':
        return this.#errorText(NO_ID, errors.largeBatch)
      case 'batch':
        return this.#batch(read.calls, scope)
      default:
        return this.#one(read.call, scope)
    }
  }

  #one(call: RpcCall | RequestFault | null, scope: Scope): Answer | Promise<Answer> {
    if (call === null) return null
    if (isFault(call)) return this.#fault(call)
    const outcome = this.deps.run(call, scope)
    return outcome instanceof Promise
      ? outcome.then((late) => this.#answerOf(call, late))
      : this.#answerOf(call, outcome)
  }

  /** One call's answer as text. @param idText JSON */
  text(idText: string, outcome: Outcome): string {
    if ('error' in outcome) return this.#errorText(idText, outcome.error)
    const { result } = outcome
    return `${this.#head(idText)}"result":${result instanceof JsonText ? result.text : JSON.stringify(result ?? null)}}`
  }

  /** In sequence: a later request may depend on an earlier one. */
  async #batch(calls: readonly (RpcCall | RequestFault | null)[], scope: Scope): Promise<Answer> {
    const { batchAnswers, isOver } = this.deps
    const answers: string[] = []
    let left = batchAnswers.maxCharacters
    for (const call of calls) {
      if (isOver(scope)) break
      if (call === null) continue
      const answer = isFault(call) ? this.#fault(call) : await this.#inBatch(call, { scope, left })
      if (answer === null) continue
      answers.push(answer)
      left -= answer.length
    }
    return answers.length === 0 ? null : `[${answers.join(',')}]`
  }

  async #inBatch(call: RpcCall, { scope, left }: InBatch<Scope>): Promise<string | null> {
    const tooLarge = { error: this.deps.batchAnswers.tooLarge }
    if (left <= 0) return call.isNotification ? null : this.text(call.idText, tooLarge)
    const outcome = await this.deps.run(call, scope)
    if (call.isNotification) return null
    try {
      const answer = this.text(call.idText, await this.#gathered(outcome, left))
      return answer.length > left ? this.text(call.idText, tooLarge) : answer
    } catch (error: unknown) {
      return this.#errorText(call.idText, this.deps.errorOf(error)) // its own failure: the other calls are answered
    }
  }

  /** A stream as text; any other outcome as it is. @throws what the stream failed with, whenever it did */
  async #gathered(outcome: Outcome, left: number): Promise<Outcome> {
    if (!('result' in outcome) || !(outcome.result instanceof StreamedResult)) return outcome
    const whole = await gatherStream(outcome.result, left)
    return whole === null ? { error: this.deps.batchAnswers.tooLarge } : { result: new JsonText(whole) }
  }

  #answerOf(call: RpcCall, outcome: Outcome): Answer | Promise<Answer> {
    if (call.isNotification) return null
    const failed = (error: unknown): string => this.#errorText(call.idText, this.deps.errorOf(error))
    if ('result' in outcome && outcome.result instanceof StreamedResult) {
      const frame = { before: `${this.#head(call.idText)}"result":`, after: '}' }
      return streamAnswer(outcome.result, frame).catch(failed)
    }
    try {
      return this.text(call.idText, outcome)
    } catch (error: unknown) {
      return failed(error) // longer than a string can be
    }
  }

  #fault({ idText, error }: RequestFault): string {
    return this.#errorText(idText, error)
  }

  #errorText(idText: string, error: RpcErrorObject): string {
    return `${this.#head(idText)}"error":${JSON.stringify(error)}}`
  }

  #head(idText: string): string {
    return this.deps.dialect.answersBegin === 'id'
      ? `{"id":${idText},"jsonrpc":"2.0",`
      : `{"jsonrpc":"2.0","id":${idText},`
  }
}
