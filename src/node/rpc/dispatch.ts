// JSON-RPC itself: what a request is, what a batch is, and what is answered when it is neither. Source: rpc.md 3
import { HeadframeError, messageOf } from '../../base/errors'
import { elementTexts, memberTexts } from '../../base/json-text'
import type { Logger } from '../../base/logger'
import { type RpcErrorObject, rpcErrorOf } from './error-map'
import { RpcFault } from './errors'
import type { RpcContext, RpcMethod } from './method'

/** What a call came to; `result` is never undefined. */
type Outcome = { readonly result: unknown } | { readonly error: RpcErrorObject }

/** The id, as JSON text, of an answer to what has none. */
const NO_ID = 'null'

export interface DispatcherDeps {
  readonly methods: ReadonlyMap<string, RpcMethod>
  readonly context: RpcContext
  readonly batchLimit: number
  readonly log: Logger
}

export class Dispatcher {
  constructor(private readonly deps: DispatcherDeps) {}

  /** The answer's text without line end, or null when nothing is to be answered. */
  async answer(body: string): Promise<string | null> {
    if (body.trim() === '') return null
    const parsed = parseJson(body)
    if (parsed === null) return refusal(NO_ID, new RpcFault('RPC_PARSE', undefined))
    return Array.isArray(parsed.value) ? this.#batch(body, parsed.value) : this.#single(body, parsed.value)
  }

  async #batch(text: string, requests: readonly unknown[]): Promise<string | null> {
    if (requests.length === 0) return refusal(NO_ID, invalidRequest('empty batch'))
    if (requests.length > this.deps.batchLimit) return refusal(NO_ID, invalidRequest('batch too large'))
    const texts = elementTexts(text)
    const answers: string[] = []
    for (const [index, request] of requests.entries()) {
      const answer = await this.#single(texts[index] ?? '', request)
      if (answer !== null) answers.push(answer)
    }
    return answers.length === 0 ? null : `[${answers.join(',')}]`
  }

  /** @param text of `request` as received, since its id goes back as it came: a number may have more digits than a float */
  async #single(text: string, request: unknown): Promise<string | null> {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request)
    if (!isObject) return refusal(NO_ID, invalidRequest('invalid request'))
    const { id, method, params, result, error } = request as Readonly<Record<string, unknown>>
    const isUsable = id === undefined || id === null || typeof id !== 'object'
    const idText = isUsable ? (memberTexts(text).get('id') ?? NO_ID) : NO_ID
    if (typeof method !== 'string' || method === '') {
      const isResponse = id !== undefined && (result !== undefined || error !== undefined)
      return isResponse ? null : refusal(idText, invalidRequest('invalid request'))
    }
    if (!isUsable) return refusal(NO_ID, invalidRequest('invalid request'))
    const outcome = await this.#run(method, params)
    return id === undefined ? null : answerText(idText, outcome)
  }

  async #run(name: string, params: unknown): Promise<Outcome> {
    const { methods, context, log } = this.deps
    try {
      const found = methods.get(name)
      if (found === undefined) throw new RpcFault('RPC_METHOD_UNKNOWN', { method: name })
      if (params !== undefined && params !== null && !Array.isArray(params))
        throw new RpcFault('RPC_INVALID_PARAMS', { reason: 'non-array args' })
      const args: readonly unknown[] = Array.isArray(params) ? params : []
      return { result: (await found.call(context, args)) ?? null }
    } catch (error: unknown) {
      if (!(error instanceof HeadframeError))
        log.error('an RPC method failed', { method: name, error: messageOf(error) })
      return { error: rpcErrorOf(error) }
    }
  }
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null // what is no JSON has its own answer
  }
}

function invalidRequest(reason: string) {
  return new RpcFault('RPC_INVALID_REQUEST', { reason })
}

function refusal(idText: string, error: unknown): string {
  return answerText(idText, { error: rpcErrorOf(error) })
}

/** @param idText JSON text of the id */
function answerText(idText: string, outcome: Outcome): string {
  return `{"jsonrpc":"2.0","id":${idText},${JSON.stringify(outcome).slice(1)}`
}
