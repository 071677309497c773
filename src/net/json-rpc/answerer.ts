// From the text of a request, or of a batch of them, to the text of the answer. Every front that speaks JSON-RPC answers with
// this; they differ in their `Dialect` and in what carries a call out.
import { elementTexts } from '../../base/json-text'
import {
  type Dialect,
  firstValue,
  isFault,
  NO_ID,
  parseJson,
  type RequestFault,
  type RpcCall,
  type RpcErrorObject,
  readRequest,
} from './envelope'
import { gatherStream, JsonText, StreamedResult, streamAnswer } from './result-stream'

/** What a call came to. A result is plain JSON, `JsonText` or `StreamedResult`; undefined is answered as null. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcErrorObject }

/** The answer's text without line end, its pieces, or null when nothing is to be answered. */
export type Answer = string | AsyncIterable<string | Uint8Array> | null

export interface AnswererDeps<Scope> {
  readonly dialect: Dialect
  /** Carries one call out; what fails is an outcome too. Only a call for a caller that is gone may throw. */
  readonly run: (call: RpcCall, scope: Scope) => Outcome | Promise<Outcome>
  /** What a stream failed with before its first chunk. */
  readonly errorOf: (error: unknown) => RpcErrorObject
  /** Of one batch: characters of all answers together, and the answer of a call that goes over them. */
  readonly batchAnswers: { readonly maxCharacters: number; readonly tooLarge: RpcErrorObject }
  /** True when nobody waits for the answers any more: the rest of a batch isn't begun. */
  readonly isOver: (scope: Scope) => boolean
}

/** Where a batch stands. */
interface InBatch<Scope> {
  readonly scope: Scope
  /** Characters that the answers may still have. */
  readonly left: number
}

export class Answerer<Scope> {
  /** The answer to what is no JSON; a connection of messages ends after it. */
  readonly parseError: string

  constructor(private readonly deps: AnswererDeps<Scope>) {
    this.parseError = this.#errorText(NO_ID, deps.dialect.errors.parse)
  }

  /** Answers at once what needs no waiting. Rejects only when `run` does. */
  answer(text: string, scope: Scope): Answer | Promise<Answer> {
    const whole = this.deps.dialect.trailingText === 'refused' ? text : firstValue(text)
    const parsed = whole === null ? null : parseJson(whole)
    if (whole === null || parsed === null) return text.trim() === '' ? null : this.parseError
    if (Array.isArray(parsed.value)) return this.#batch(whole, parsed.value, scope)
    const call = readRequest(parsed.value, whole, this.deps.dialect)
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

  /** One after the other: a later request may count on what an earlier one did. */
  async #batch(text: string, requests: readonly unknown[], scope: Scope): Promise<Answer> {
    const { dialect, batchAnswers, isOver } = this.deps
    if (requests.length === 0) return this.#errorText(NO_ID, dialect.errors.emptyBatch)
    if (requests.length > dialect.maxBatch) return this.#errorText(NO_ID, dialect.errors.largeBatch)
    const texts = elementTexts(text)
    const answers: string[] = []
    let left = batchAnswers.maxCharacters
    for (const [index, request] of requests.entries()) {
      if (isOver(scope)) break
      const call = readRequest(request, texts[index] ?? '', dialect)
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
    if ('result' in outcome && outcome.result instanceof StreamedResult) {
      const whole = await gatherStream(outcome.result, left)
      return this.text(call.idText, whole === null ? tooLarge : { result: new JsonText(whole) })
    }
    const answer = this.text(call.idText, outcome)
    return answer.length > left ? this.text(call.idText, tooLarge) : answer
  }

  #answerOf(call: RpcCall, outcome: Outcome): Answer | Promise<Answer> {
    if (call.isNotification) return null
    if (!('result' in outcome) || !(outcome.result instanceof StreamedResult)) return this.text(call.idText, outcome)
    const frame = { before: `${this.#head(call.idText)}"result":`, after: '}' }
    return streamAnswer(outcome.result, frame).catch((error: unknown) =>
      this.#errorText(call.idText, this.deps.errorOf(error)),
    )
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
