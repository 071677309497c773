// debug_trace*: re-executes transactions on their original state with a tracer that writes text.
import { hasCode } from '../../base/errors'
import { type Block, decodeBlock } from '../model/block'
import type { AnyTransaction } from '../model/transaction'
import {
  blockToTrace,
  onKeptStage,
  type Placed,
  placedTransaction,
  rerun,
  runOn,
  type Stage,
  stageOf,
  transactionMessage,
} from './block-stage'
import { failed } from './block-state'
import type { Message, MessageResult } from './evm/transition'
import type { StreamRequest, TraceOptions } from './query-wire'
import { applyOverrides, messageOf } from './run-call'
import type { ScriptRunner, ScriptSubject } from './scripts/script-runner'
import type { QueryLimits, QuerySession } from './session'
import type { TextSink } from './text-sink'
import { CallTracer } from './tracers/call-tracer'
import { FourByteTracer } from './tracers/four-byte'
import type { JsonTracer } from './tracers/json-tracer'
import { PrestateTracer } from './tracers/prestate'
import { StructLogTracer } from './tracers/struct-logs'

/** ms of computing, unless the caller set a limit. */
const DEFAULT_TIMEOUT_MS = 5_000
/** The default trace may be hundreds of MB: limited by its reader, and by this. */
const STRUCTS_TIMEOUT_MS = 30_000

/** The streams of debug_trace*. */
export type TraceRequest = Extract<
  StreamRequest,
  { kind: 'traceTransaction' | 'traceBlock' | 'traceRlp' | 'traceCall' }
>

/** The result is streamed as it is generated; a trace is never held as a whole. */
export class TraceRuns {
  readonly limits: QueryLimits

  /** @param by.scripts may be null when `needsScript` is false */
  constructor(
    private readonly session: QuerySession,
    private readonly by: { readonly limits: QueryLimits; readonly scripts: ScriptRunner | null },
    readonly sink: TextSink,
  ) {
    this.limits = by.limits
  }

  /** Writes the JSON text of the answer. @throws RpcFault RPC_FAILED, STORE_MISSING_NODE */
  run(request: TraceRequest): void {
    switch (request.kind) {
      case 'traceTransaction':
        return void this.#transaction(request.hash, request.options)
      case 'traceBlock':
        return void this.#block(blockToTrace(this.session, request.at), request.options)
      case 'traceRlp':
        return void this.#block(decoded(request.block), request.options)
      case 'traceCall':
        return void this.#call(request)
    }
  }

  #transaction(hash: Uint8Array, options: TraceOptions): void {
    const placed = placedTransaction(this.session, hash)
    if (placed === null) throw failed('transaction not found')
    onKeptStage(this.session, placed, this.limits, (stage) => {
      this.#traced(stage, transactionMessage(this.session, placed.tx), { options, place: placeOf(placed) })
    })
  }

  #block(block: Block, options: TraceOptions): void {
    if (block.header.number === 0n) throw failed('genesis is not traceable')
    const stage = stageOf(this.session, block)
    this.sink.write('[')
    for (const [index, tx] of block.transactions.entries()) {
      if (index > 0) this.sink.write(',')
      const mark = this.sink.mark()
      const fault = this.#traceInBlock(stage, { block, index, tx }, options)
      if (fault === null) continue
      if (!this.sink.rewind(mark)) throw failed(fault)
      this.sink.write(JSON.stringify({ error: fault }))
    }
    this.sink.write(']')
  }

  /** @returns the entry's error instead of a result */
  #traceInBlock(stage: Stage, placed: Placed, options: TraceOptions): string | null {
    const { tx } = placed
    this.sink.write('{"result":')
    const before = stage.world.snapshot()
    try {
      this.#traced(stage, transactionMessage(this.session, tx), { options, place: placeOf(placed) })
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error
      stage.world.revert(before)
      this.#goOn(stage, tx)
      return error.message
    }
    this.sink.write('}')
    stage.world.finish()
    return null
  }

  #call(request: Extract<StreamRequest, { kind: 'traceCall' }>): void {
    const { at, call, overrides, options } = request
    const unknown = at.kind === 'number' ? `block #${at.number} not found` : undefined
    const block = this.session.blocks().find(at, unknown)
    const world = this.session.newWorld(block)
    applyOverrides(world, overrides)
    const message = messageOf(call, this.session.options.gasCap)
    this.#traced({ header: block.header, base: block.base, world }, message, { options, place: null })
  }

  #traced(stage: Stage, message: Message, { options, place }: HowTraced): void {
    const write = (text: string): void => this.sink.write(text)
    const timeoutMs = options.timeoutMs ?? (options.tracer === 'structs' ? STRUCTS_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
    const isLate = computingLimit(this, timeoutMs)
    const subject = { message, blockNumber: Number(stage.header.number), place }
    const tracer = this.#tracer(subject, options, { write, isLate })
    try {
      const isOver = (): boolean => tracer.isFull === true || typeof tracer.failure === 'string' || isLate()
      const { applied, aborted } = runOn(this.session, stage, message, { tracer, isOver })
      if (tracer.isFull === true) throw failed('the transaction does more than this tracer may hold')
      if (typeof tracer.failure === 'string') throw failed(tracer.failure)
      if (aborted) throw failed('execution timeout')
      if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
      tracer.finish(applied.result, write)
    } finally {
      tracer.close?.()
    }
  }

  #tracer(
    subject: Pick<ScriptSubject, 'message' | 'blockNumber' | 'place'>,
    { tracer, script, ...options }: TraceOptions,
    { write, isLate }: { readonly write: (text: string) => void; readonly isLate: () => boolean },
  ): JsonTracer {
    const { message } = subject
    if (tracer === 'structs') return new StructLogTracer(options, write)
    if (tracer === 'callTracer') return new CallTracer()
    if (tracer === 'prestateTracer') return new PrestateTracer(message, this.session.keccak256)
    if (tracer === '4byteTracer') return new FourByteTracer((address) => this.session.isPrecompile(address))
    if (tracer === 'noopTracer') return NOOP
    if (script !== null && this.by.scripts !== null)
      return this.by.scripts(script, this.#scriptSubject(subject), isLate)
    throw failed('tracer not found')
  }

  #scriptSubject(subject: Pick<ScriptSubject, 'message' | 'blockNumber' | 'place'>): ScriptSubject {
    const { session } = this
    return {
      ...subject,
      keccak256: session.keccak256,
      isPrecompile: (address) => session.isPrecompile(address),
      operations: session.operationNames(),
    }
  }

  /** A trace that ended early doesn't end its transaction: later ones see its effects. */
  #goOn(stage: Stage, tx: AnyTransaction): void {
    try {
      rerun(this.session, stage, [tx], this.limits)
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error // it can't run at all, and leaves no changes
    }
  }
}

/** From now on: true once `timeoutMs` of computing have passed, or the reader is gone. */
export function computingLimit(
  { limits, sink }: { readonly limits: QueryLimits; readonly sink: TextSink },
  timeoutMs: number,
): () => boolean {
  const started = limits.now() - sink.waitedMs
  return () => limits.isStopped() || !sink.isOpen || limits.now() - sink.waitedMs - started > timeoutMs
}

/** Whether `run` needs scripts for this request. */
export function needsScript(request: StreamRequest): boolean {
  return 'options' in request && request.options.tracer === 'script'
}

/** The tracer, and the transaction's position. */
interface HowTraced {
  readonly options: TraceOptions
  readonly place: ScriptSubject['place']
}

function placeOf({ block, index, tx }: Placed): ScriptSubject['place'] {
  return { blockHash: block.hash, index, hash: tx.hash }
}

const NOOP: JsonTracer = {
  finish: (_result: MessageResult, write: (text: string) => void) => write('{}'),
}

function decoded(bytes: Uint8Array): Block {
  const block = decodeBlock(bytes)
  if (!block.ok) throw failed(`could not decode block: ${block.error}`)
  return block.value
}
