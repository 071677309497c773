// The node's dialect of JSON-RPC, and how its calls are executed.
import { HeadframeError, messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import {
  type Answer,
  Answerer,
  type Dialect,
  type Outcome,
  positionalParams,
  type RpcCall,
  type RpcErrorObject,
} from '../../../net/json-rpc/json-rpc'
import { RpcFault } from '../../rpc-fault'
import type { CallScope, RpcContext, RpcMethod, RpcResult } from './method'

const NUMBERS: Readonly<Record<string, number>> = {
  RPC_PARSE: -32700,
  RPC_INVALID_REQUEST: -32600,
  RPC_METHOD_UNKNOWN: -32601,
  RPC_INVALID_PARAMS: -32602,
  RPC_SUBSCRIPTION_UNKNOWN: -32601,
  RPC_ANSWER_TOO_LARGE: -32003,
  RPC_USER_REFUSED: 4001,
}
const METHOD_FAILED = -32000

const REVERTED = 3

/** Error data that contain local paths. */
const PLACES: readonly string[] = ['folder', 'file', 'dir']

/** Foreign errors are reported without their text: it may contain paths. `data` is revert data, `0x` hex. */
export function rpcErrorOf(error: unknown): RpcErrorObject {
  if (!(error instanceof HeadframeError)) return { code: METHOD_FAILED, message: 'internal error' }
  if (error.code === 'RPC_REVERTED') return { code: REVERTED, message: error.message, ...revertData(error.data) }
  return { code: ownNumber(error) ?? NUMBERS[error.code] ?? METHOD_FAILED, message: withoutPlaces(error) }
}

/** The number of an error that carries its own. */
function ownNumber({ code, data }: HeadframeError): number | null {
  const isNamed = code === 'RPC_SIMULATION_REFUSED' && typeof data === 'object' && data !== null && 'number' in data
  return isNamed && typeof data.number === 'number' ? data.number : null
}

/** Local paths are not the caller's business. */
function withoutPlaces({ message, data }: HeadframeError): string {
  if (typeof data !== 'object' || data === null) return message
  const places = Object.entries(data).flatMap(([name, value]) =>
    PLACES.includes(name) && typeof value === 'string' && value !== '' ? [value] : [],
  )
  return places.reduce((text, place) => text.split(place).join('(not shown)'), message)
}

function revertData(data: unknown): { readonly data?: string } {
  const isNamed = typeof data === 'object' && data !== null && 'revertData' in data
  return isNamed && typeof data.revertData === 'string' ? { data: data.revertData } : {}
}

export interface MethodCount {
  readonly method: string
  readonly total: number
  readonly failed: number
  readonly lastMinute: number
  /** From the call to its answer; of a stream, to its beginning. */
  readonly seconds: number
}

/** Stands for every name that isn't in the table. */
const OTHER_METHODS = 'other'

const SLICE_MS = 5_000
const SLICES = 12

interface Counter {
  total: number
  failed: number
  ms: number
  /** The last minute, by slice number. */
  readonly slices: { number: number; count: number }[]
}

/** Counts calls and failures by method. */
export class CallCounts {
  readonly #counters = new Map<string, Counter>()

  constructor(private readonly clock: Clock) {}

  /** @param ms that it took */
  add(method: string, hasFailed: boolean, ms = 0): void {
    const counter = this.#counters.get(method) ?? { total: 0, failed: 0, ms: 0, slices: [] }
    this.#counters.set(method, counter)
    counter.total += 1
    counter.ms += ms
    if (hasFailed) counter.failed += 1
    const number = Math.floor(this.clock.monotonic() / SLICE_MS)
    const slot = number % SLICES
    const slice = counter.slices[slot]
    if (slice?.number === number) slice.count += 1
    else counter.slices[slot] = { number, count: 1 }
  }

  /** Most frequent first. */
  list(): readonly MethodCount[] {
    const oldest = Math.floor(this.clock.monotonic() / SLICE_MS) - SLICES
    const counts = [...this.#counters].map(([method, { total, failed, ms, slices }]) => {
      const lastMinute = slices.reduce((sum, { number, count }) => sum + (number > oldest ? count : 0), 0)
      return { method, total, failed, lastMinute, seconds: ms / 1_000 }
    })
    return counts.sort((a, b) => b.lastMinute - a.lastMinute || b.total - a.total || (a.method < b.method ? -1 : 1))
  }
}

/** @throws RpcFault RPC_TIME_LIMIT, RPC_CLIENT_GONE; the call's signal is aborted with the same error */
function withTimeLimit<T>(
  work: Promise<T>,
  { limitMs, clock, scope }: { readonly limitMs: number | null; readonly clock: Clock; readonly scope: CallScope },
): Promise<T> {
  const { ending } = scope
  if (ending.ended !== null) return Promise.reject(ending.ended)
  return new Promise((resolve, reject) => {
    const listening = ending.onEnd(reject)
    const over = (ms: number) => () => scope.abort(new RpcFault('RPC_TIME_LIMIT', { limitMs: ms }))
    const timer = limitMs === null ? null : clock.setTimeout(over(limitMs), limitMs)
    const settled = (): void => {
      timer?.dispose()
      listening.dispose()
    }
    work.then(
      (value) => {
        settled()
        resolve(value)
      },
      (error: unknown) => {
        settled()
        reject(error)
      },
    )
  })
}

/** Counted by name although no table has them. */
const SUBSCRIBING: readonly string[] = ['eth_subscribe', 'eth_unsubscribe']

const INVALID = invalid('invalid request')

/** Same as prlx's JSON-RPC server. @param maxBatch calls per batch */
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
      return withTimeLimit(result, { limitMs: found.timeLimitMs, clock: context.clock, scope }).then(
        (late) => this.#done(method, began, late),
        (error: unknown) => this.#failed(method, began, error),
      )
    } catch (error: unknown) {
      return this.#failed(method, began, error)
    }
  }

  #done(method: string, began: number, result: RpcResult): Outcome {
    this.#count(method, began, false)
    return { result }
  }

  #failed(method: string, began: number, error: unknown): Outcome {
    this.#count(method, began, true)
    if (!(error instanceof HeadframeError))
      this.deps.log.error('an RPC method failed', { method, error: messageOf(error) })
    return { error: rpcErrorOf(error) }
  }

  /** Made-up names share one counter: subscribing is answered in any namespace. */
  #count(method: string, began: number, hasFailed: boolean): void {
    const { counts, methods, context } = this.deps
    const isNamed = methods.has(method) || SUBSCRIBING.includes(method)
    counts?.add(isNamed ? method : OTHER_METHODS, hasFailed, context.clock.monotonic() - began)
  }
}

function invalid(reason: string) {
  return rpcErrorOf(new RpcFault('RPC_INVALID_REQUEST', { reason }))
}
