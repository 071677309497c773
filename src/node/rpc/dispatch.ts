// JSON-RPC itself: what a request is, what a batch is, and what is answered when it is neither. Source: rpc.md 3
import { HeadframeError, messageOf } from '../../base/errors'
import { elementTexts, memberTexts } from '../../base/json-text'
import type { Logger } from '../../base/logger'
import { type CallCounts, OTHER_METHODS } from './call-counts'
import type { CallScope } from './call-scope'
import { type RpcErrorObject, rpcErrorOf } from './error-map'
import { RpcFault } from './errors'
import { JsonText, type RpcContext, type RpcMethod, type RpcResult, StreamedResult } from './method'
import { gatherStream, streamAnswer } from './result-stream'
import { withTimeLimit } from './time-limit'

/** The answer's text without line end, its pieces, or null when nothing is to be answered. */
export type Answer = string | AsyncIterable<string | Uint8Array> | null

/** What a call came to; `result` is never undefined. */
type Outcome = { readonly result: RpcResult } | { readonly error: RpcErrorObject }

/** The id, as JSON text, of an answer to what has none. */
const NO_ID = 'null'

/** Counted by name although no table has them. */
const SUBSCRIBING: readonly string[] = ['eth_subscribe', 'eth_unsubscribe']

/** The answer to what is no JSON; a connection of messages ends after it. */
export const PARSE_ERROR_ANSWER = refusal(NO_ID, new RpcFault('RPC_PARSE', undefined))

export interface DispatcherDeps {
  readonly methods: ReadonlyMap<string, RpcMethod>
  /** Answers for names that the table does not have; null = unknown. */
  readonly otherMethod: (name: string) => RpcMethod | null
  readonly context: RpcContext
  readonly batchLimit: number
  /** Characters that the answers of one batch may have together. */
  readonly batchAnswerLimit: number
  readonly log: Logger
  /** Told of every call; null = nobody counts. */
  readonly counts?: CallCounts | null
}

export class Dispatcher {
  constructor(private readonly deps: DispatcherDeps) {}

  /** Answers at once what needs no waiting. Rejects only when the client is gone. */
  answer(body: string, scope: CallScope): Answer | Promise<Answer> {
    const parsed = parseJson(body)
    if (parsed === null) return body.trim() === '' ? null : PARSE_ERROR_ANSWER
    if (Array.isArray(parsed.value)) return this.#batch(body, parsed.value, scope)
    const call = this.#read(body, parsed.value)
    if (typeof call === 'string' || call === null) return call
    const outcome = this.#run(call, scope)
    return outcome instanceof Promise ? outcome.then((late) => answerOf(call, late)) : answerOf(call, outcome)
  }

  async #batch(text: string, requests: readonly unknown[], scope: CallScope): Promise<Answer> {
    if (requests.length === 0) return refusal(NO_ID, invalidRequest('empty batch'))
    if (requests.length > this.deps.batchLimit) return refusal(NO_ID, invalidRequest('batch too large'))
    const texts = elementTexts(text)
    const answers: string[] = []
    let left = this.deps.batchAnswerLimit
    for (const [index, request] of requests.entries()) {
      const answer = await this.#inBatch(texts[index] ?? '', request, { scope, left })
      if (answer === null) continue
      answers.push(answer)
      left -= answer.length
    }
    return answers.length === 0 ? null : `[${answers.join(',')}]`
  }

  /** One after the other: a later request may count on what an earlier one did. */
  async #inBatch(text: string, request: unknown, at: { scope: CallScope; left: number }): Promise<string | null> {
    const call = this.#read(text, request)
    if (typeof call === 'string' || call === null) return call
    if (at.left <= 0) return call.isNotification ? null : tooLarge(call)
    const outcome = await this.#run(call, at.scope)
    if (call.isNotification) return null
    if ('result' in outcome && outcome.result instanceof StreamedResult) {
      const whole = await gatherStream(outcome.result, at.left)
      return whole === null ? tooLarge(call) : textOf(call.idText, { result: new JsonText(whole) })
    }
    const answer = textOf(call.idText, outcome)
    return answer.length > at.left ? tooLarge(call) : answer
  }

  /** @param text of `request` as received, since its id goes back as it came: a number may have more digits than a float */
  #read(text: string, request: unknown): Call | string | null {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request)
    if (!isObject) return refusal(NO_ID, invalidRequest('invalid request'))
    const { id, method, params, result, error } = request as Readonly<Record<string, unknown>>
    const isUsable = id === undefined || id === null || typeof id !== 'object'
    const idText = isUsable ? idTextOf(id, text) : NO_ID
    if (typeof method !== 'string' || method === '') {
      const isResponse = id !== undefined && (result !== undefined || error !== undefined)
      return isResponse ? null : refusal(idText, invalidRequest('invalid request'))
    }
    if (!isUsable) return refusal(NO_ID, invalidRequest('invalid request'))
    return { idText, method, params, isNotification: id === undefined }
  }

  #run({ method, params }: Call, scope: CallScope): Outcome | Promise<Outcome> {
    const { methods, otherMethod, context } = this.deps
    try {
      if (scope.ended !== null) throw scope.ended
      const found = methods.get(method) ?? otherMethod(method)
      if (found === null) throw new RpcFault('RPC_METHOD_UNKNOWN', { method })
      if (params !== undefined && params !== null && !Array.isArray(params))
        throw new RpcFault('RPC_INVALID_PARAMS', { reason: 'non-array args' })
      const result = found.call(context, Array.isArray(params) ? params : [], scope)
      if (!(result instanceof Promise)) return this.#done(method, result)
      const limited = withTimeLimit(result, { limitMs: found.timeLimitMs, clock: context.clock, scope })
      return limited.then(
        (late) => this.#done(method, late),
        (error: unknown) => this.#failed(method, error),
      )
    } catch (error: unknown) {
      return this.#failed(method, error)
    }
  }

  #done(method: string, result: RpcResult): Outcome {
    this.deps.counts?.add(this.#counted(method), false)
    return { result: result ?? null }
  }

  #failed(method: string, error: unknown): Outcome {
    this.deps.counts?.add(this.#counted(method), true)
    if (!(error instanceof HeadframeError))
      this.deps.log.error('an RPC method failed', { method, error: messageOf(error) })
    return { error: rpcErrorOf(error) }
  }

  /** Names that callers make up share one counter: subscribing is answered in namespaces of any name. */
  #counted(method: string): string {
    return this.deps.methods.has(method) || SUBSCRIBING.includes(method) ? method : OTHER_METHODS
  }
}

interface Call {
  /** JSON text of the id */
  readonly idText: string
  readonly method: string
  readonly params: unknown
  readonly isNotification: boolean
}

function answerOf(call: Call, outcome: Outcome): Answer | Promise<Answer> {
  if (call.isNotification) return null
  if (!('result' in outcome) || !(outcome.result instanceof StreamedResult)) return textOf(call.idText, outcome)
  const frame = { before: `${headOf(call.idText)}"result":`, after: '}' }
  return streamAnswer(outcome.result, frame).catch((error: unknown) => refusal(call.idText, error))
}

/** Null when it is no JSON, which has its own answer. */
function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Common ids are found again in the text as they print; others are cut out of it. */
function idTextOf(id: unknown, text: string): string {
  if (id === undefined) return NO_ID
  if (typeof id === 'string' || Number.isSafeInteger(id)) {
    const printed = JSON.stringify(id)
    if (text.includes(`"id":${printed},`) || text.includes(`"id":${printed}}`)) return printed
  }
  return memberTexts(text).get('id') ?? NO_ID
}

function invalidRequest(reason: string) {
  return new RpcFault('RPC_INVALID_REQUEST', { reason })
}

function tooLarge(call: Call): string {
  return refusal(call.idText, new RpcFault('RPC_ANSWER_TOO_LARGE', undefined))
}

function refusal(idText: string, error: unknown): string {
  return textOf(idText, { error: rpcErrorOf(error) })
}

function headOf(idText: string): string {
  return `{"jsonrpc":"2.0","id":${idText},`
}

function textOf(idText: string, outcome: Outcome): string {
  if ('error' in outcome) return `${headOf(idText)}"error":${JSON.stringify(outcome.error)}}`
  const { result } = outcome
  return `${headOf(idText)}"result":${result instanceof JsonText ? result.text : JSON.stringify(result)}}`
}
