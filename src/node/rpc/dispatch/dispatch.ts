// The node's dialect of JSON-RPC, and how its calls are executed.
import { HeadframeError, messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { type Answer, Answerer, type Outcome } from '../../../net/json-rpc/answerer'
import { type Dialect, positionalParams, type RpcCall } from '../../../net/json-rpc/envelope'
import { RpcFault } from '../../rpc-fault'
import { type CallCounts, OTHER_METHODS } from './call-counts'
import type { CallScope } from './call-scope'
import { rpcErrorOf } from './error-map'
import type { RpcContext, RpcMethod, RpcResult } from './method'
import { withTimeLimit } from './time-limit'

/** Counted by name although no table has them. */
const SUBSCRIBING: readonly string[] = ['eth_subscribe', 'eth_unsubscribe']

const INVALID = invalid('invalid request')

/** Same as the reference's JSON-RPC server. @param maxBatch calls per batch */
function nodeDialect(maxBatch: number): Dialect {
  return {
    trailingText: 'refused',
    idFault: (id) => (typeof id === 'object' && id !== null ? INVALID : null),
    idEcho: 'received',
    needsVersion: false,
    takesEmptyMethod: false,
    responses: 'ignored',
    answersBegin: 'version',
    maxBatch,
    errors: {
      parse: rpcErrorOf(new RpcFault('RPC_PARSE', undefined)),
      invalid: INVALID,
      emptyBatch: invalid('empty batch'),
      largeBatch: invalid('batch too large'),
    },
  }
}

/** What calls are dispatched to. */
export interface DispatcherDeps {
  readonly methods: ReadonlyMap<string, RpcMethod>
  /** Methods outside the table; null = unknown. */
  readonly otherMethod: (name: string) => RpcMethod | null
  readonly context: RpcContext
  readonly batchLimit: number
  /** Characters of all answers in one batch. */
  readonly batchAnswerLimit: number
  readonly log: Logger
  /** Counts every call; null = no counting. */
  readonly counts?: CallCounts | null
}

/** Finds the method of a call, runs it and maps its errors. */
export class Dispatcher {
  readonly #answerer: Answerer<CallScope>

  constructor(private readonly deps: DispatcherDeps) {
    const tooLarge = rpcErrorOf(new RpcFault('RPC_ANSWER_TOO_LARGE', undefined))
    this.#answerer = new Answerer({
      dialect: nodeDialect(deps.batchLimit),
      run: (call, scope) => this.#run(call, scope),
      errorOf: rpcErrorOf,
      batchAnswers: { maxCharacters: deps.batchAnswerLimit, tooLarge },
      isOver: () => false, // the rest of a timed-out batch still gets its answers
    })
  }

  /** The response to invalid JSON; a message connection closes after it. */
  get parseError(): string {
    return this.#answerer.parseError
  }

  /** Answers synchronously when nothing has to wait. Rejects only when the client is gone. */
  answer(body: string, scope: CallScope): Answer | Promise<Answer> {
    return this.#answerer.answer(body, scope)
  }

  #run({ method, params }: RpcCall, scope: CallScope): Outcome | Promise<Outcome> {
    const { methods, otherMethod, context } = this.deps
    const began = context.clock.monotonic()
    try {
      const { ended } = scope.ending
      if (ended !== null) throw ended
      const found = methods.get(method) ?? otherMethod(method)
      if (found === null) throw new RpcFault('RPC_METHOD_UNKNOWN', { method })
      const isAbsent = params === undefined || params === null
      const args = isAbsent && found.wantsList === true && scope.connection !== null ? null : positionalParams(params)
      if (args === null) throw new RpcFault('RPC_INVALID_PARAMS', { reason: 'non-array args' })
      const result = found.call(context, args, scope)
      if (!(result instanceof Promise)) return this.#done(method, began, result)
      const limited = withTimeLimit(result, { limitMs: found.timeLimitMs, clock: context.clock, scope })
      return limited.then(
        (late) => this.#done(method, began, late),
        (error: unknown) => this.#failed(method, began, error),
      )
    } catch (error: unknown) {
      return this.#failed(method, began, error)
    }
  }

  #done(method: string, began: number, result: RpcResult): Outcome {
    this.deps.counts?.add(this.#counted(method), false, this.deps.context.clock.monotonic() - began)
    return { result }
  }

  #failed(method: string, began: number, error: unknown): Outcome {
    this.deps.counts?.add(this.#counted(method), true, this.deps.context.clock.monotonic() - began)
    if (!(error instanceof HeadframeError))
      this.deps.log.error('an RPC method failed', { method, error: messageOf(error) })
    return { error: rpcErrorOf(error) }
  }

  /** Made-up names share one counter: subscribing is answered in any namespace. */
  #counted(method: string): string {
    return this.deps.methods.has(method) || SUBSCRIBING.includes(method) ? method : OTHER_METHODS
  }
}

function invalid(reason: string) {
  return rpcErrorOf(new RpcFault('RPC_INVALID_REQUEST', { reason }))
}
