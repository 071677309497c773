// JSON-RPC itself: what a request is, what a batch is, and what is answered when it is neither. Source: rpc.md 3
import { HeadframeError, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type RpcErrorObject, rpcErrorOf } from './error-map'
import { RpcFault } from './errors'
import type { RpcContext, RpcMethod } from './method'

type RequestId = string | number | boolean | null

interface Answer {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result?: unknown
  readonly error?: RpcErrorObject
}

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
    if (parsed === null) return textOf(refusal(null, new RpcFault('RPC_PARSE', undefined)))
    const answer = Array.isArray(parsed.value) ? await this.#batch(parsed.value) : await this.#single(parsed.value)
    return answer === null ? null : textOf(answer)
  }

  async #batch(requests: readonly unknown[]): Promise<readonly Answer[] | Answer | null> {
    if (requests.length === 0) return refusal(null, invalidRequest('empty batch'))
    if (requests.length > this.deps.batchLimit) return refusal(null, invalidRequest('batch too large'))
    const answers: Answer[] = []
    for (const request of requests) {
      const answer = await this.#single(request)
      if (answer !== null) answers.push(answer)
    }
    return answers.length === 0 ? null : answers
  }

  async #single(request: unknown): Promise<Answer | null> {
    const fields = typeof request === 'object' && request !== null && !Array.isArray(request) ? request : {}
    const { id, method, params, result, error } = fields as Readonly<Record<string, unknown>>
    const usableId = idOf(id)
    if (typeof method !== 'string' || method === '') {
      const isResponse = id !== undefined && (result !== undefined || error !== undefined)
      return isResponse ? null : refusal(usableId, invalidRequest('invalid request'))
    }
    if (id !== undefined && usableId === null && id !== null) return refusal(null, invalidRequest('invalid request'))
    const outcome = await this.#run(method, params)
    return id === undefined ? null : { jsonrpc: '2.0', id: usableId, ...outcome }
  }

  async #run(name: string, params: unknown): Promise<Pick<Answer, 'result' | 'error'>> {
    const { methods, context, log } = this.deps
    try {
      const found = methods.get(name)
      if (found === undefined) throw new RpcFault('RPC_METHOD_UNKNOWN', { method: name })
      if (params !== undefined && params !== null && !Array.isArray(params))
        throw new RpcFault('RPC_INVALID_PARAMS', { reason: 'non-array args' })
      const args: readonly unknown[] = Array.isArray(params) ? params : []
      return { result: await found.call(context, args) }
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

function idOf(id: unknown): RequestId {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'boolean' ? id : null
}

function invalidRequest(reason: string) {
  return new RpcFault('RPC_INVALID_REQUEST', { reason })
}

function refusal(id: RequestId, error: unknown): Answer {
  return { jsonrpc: '2.0', id, error: rpcErrorOf(error) }
}

function textOf(answer: Answer | readonly Answer[]): string {
  return JSON.stringify(answer)
}
