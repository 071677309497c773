// From the text of a request or batch to the text of the response. Every front that speaks JSON-RPC uses this; fronts
// differ in their `Dialect` and in how a call is executed.
import {
  type BodyRead,
  type Dialect,
  isFault,
  NO_ID,
  type RequestFault,
  type RpcCall,
  type RpcErrorObject,
  readBody,
} from './envelope'
import { gatherStream, JsonText, StreamedResult, streamAnswer } from './result-stream'

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
