// debug_trace*: re-executes transactions on their original state with a tracer that writes text.
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Machine } from '../execution/interpreter/machine'
import type { Message } from '../execution/interpreter/transition'
import type { WireTraceOptions } from '../execution/wasm/trace-wire'
import { type Block, decodeBlock } from '../model/block'
import type { AnyTransaction } from '../model/transaction'
import {
  blockToTrace,
  onKeptStage,
  type Placed,
  parentOf,
  placedTransaction,
  rerun,
  runOn,
  type Stage,
  stageBefore,
  transactionMessage,
} from './block-stage'
import { failed } from './block-state'
import type { StreamRequest, TraceOptions } from './query-wire'
import { applyOverrides, changesHeader, messageOf, movedPrecompiles, onBundles, overriddenHeader } from './run-call'
import type { ScriptRunner, ScriptSubject } from './scripts/script-runner'
import type { QueryLimits, QuerySession } from './session'
import type { TextSink } from './text-sink'
import { type TraceEngine, type TraceOutcome, type TraceRun, type TraceStage, wireOptions } from './trace-engine'
import { openTracer } from './tracers/open-tracer'

/** ms of computing, unless the caller set a limit. */
const DEFAULT_TIMEOUT_MS = 5_000
/** The default trace may be hundreds of MB: limited by its reader, and by this. */
const STRUCTS_TIMEOUT_MS = 30_000
const UNDECIDED: TraceOutcome = { kind: 'undecided' }
/** Why a trace has no result, in the words of the answer. */
const TIMEOUT = 'execution timeout'
const TOO_MUCH = 'the transaction does more than this tracer may hold'

/** The streams of debug_trace*. */
type TraceRequest = Extract<
  StreamRequest,
  { kind: 'traceTransaction' | 'traceBlock' | 'traceRlp' | 'traceCall' | 'traceCallMany' }
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
      case 'traceCallMany':
        return void this.#callMany(request)
    }
  }

  #transaction(hash: Uint8Array, options: TraceOptions): void {
    const placed = placedTransaction(this.session, hash)
    if (placed === null) throw failed('transaction not found')
    const message = transactionMessage(this.session, placed.tx)
    const interpret = (write: Write): void =>
      onKeptStage(this.session, placed, this.limits, (stage) =>
        this.#interpret(stage, message, { options, place: placeOf(placed), write }),
      )
    this.#settle({
      options,
      interpret,
      byModule: (traces, wire, run) => this.#onStage(traces, placed, wire, run),
    })
  }

  /** Begins with the stage of an earlier trace if there is one, and leaves its own. */
  #onStage(traces: TraceEngine, placed: Placed, options: WireTraceOptions, run: TraceRun): TraceOutcome {
    const { block, index } = placed
    const stage = traces.openStage(block, parentOf(this.session, block), index)
    if (stage === null) return UNDECIDED
    for (const tx of block.transactions.slice(stage.index, index)) if (!this.#advanced(stage, tx)) return UNDECIDED
    const message = transactionMessage(this.session, placed.tx)
    const outcome = stage.trace(message, { options, commits: false }, run)
    if (outcome.kind !== 'undecided') stage.keep()
    return outcome
  }

  /** @returns false when the interpreter must do it @throws RpcFault RPC_FAILED when it can't run, or the caller disconnected */
  #advanced(stage: TraceStage, tx: AnyTransaction): boolean {
    const outcome = stage.advance(transactionMessage(this.session, tx), () => this.limits.isStopped())
    if (outcome.kind === 'stopped') throw failed('stopped')
    if (outcome.kind === 'refused') throw failed(`transaction ${toHex(tx.hash)} failed: ${outcome.reason}`)
    return outcome.kind === 'done'
  }

  #block(block: Block, options: TraceOptions): void {
    const parent = parentOf(this.session, block)
    const stages: BlockStages = { module: this.session.traces?.openStage(block, parent, 0) ?? null, here: null }
    this.sink.write('[')
    for (const [index, tx] of block.transactions.entries()) {
      if (index > 0) this.sink.write(',')
      const mark = this.sink.mark()
      const fault = this.#traceInBlock(stages, { block, index, tx }, options)
      if (fault === null) continue
      if (!this.sink.rewind(mark)) throw failed(fault)
      this.sink.write(JSON.stringify({ error: fault }))
    }
    this.sink.write(']')
  }

  /** @returns the entry's error instead of a result */
  #traceInBlock(stages: BlockStages, placed: Placed, options: TraceOptions): string | null {
    this.sink.write('{"result":')
    const byModule: ByModule = (_traces, wire, run) => this.#onBlockStage(stages, placed.tx, wire, run)
    const interpret = (write: Write): void => this.#interpretInBlock(stages, placed, { options, write })
    try {
      this.#settle({ options, interpret, byModule })
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error
      return error.message
    }
    this.sink.write('}')
    return null
  }

  /** A trace that ended early doesn't end its transaction: later ones see its effects. */
  #onBlockStage(stages: BlockStages, tx: AnyTransaction, options: WireTraceOptions, run: TraceRun): TraceOutcome {
    const stage = stages.module
    if (stage === null) return UNDECIDED
    const message = transactionMessage(this.session, tx)
    const outcome = stage.trace(message, { options, commits: true }, run)
    const isEarly = outcome.kind === 'stopped' || outcome.kind === 'full'
    const { kind } = isEarly ? stage.advance(message, () => this.limits.isStopped()) : outcome
    if (kind === 'undecided') stages.module = null // the interpreter continues from here
    return outcome
  }

  #interpretInBlock(stages: BlockStages, placed: Placed, how: Pick<HowTraced, 'options' | 'write'>): void {
    const { tx } = placed
    stages.here ??= stageBefore(this.session, placed, this.limits)
    const { here } = stages
    const before = here.world.snapshot()
    try {
      this.#interpret(here, transactionMessage(this.session, tx), { ...how, place: placeOf(placed) })
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error
      here.world.revert(before)
      this.#goOn(here, tx)
      throw error
    }
    here.world.finish()
  }

  #call(request: Extract<StreamRequest, { kind: 'traceCall' }>): void {
    const { at, call, overrides, options } = request
    const unknown = at.kind === 'number' ? `block #${at.number} not found` : undefined
    const block = this.session.blocks().find(at, unknown)
    const message = messageOf(call, this.session.options.gasCap)
    const interpret = (write: Write): void => {
      const world = this.session.newWorld(block)
      applyOverrides(world, overrides)
      const header = overriddenHeader(block.header, request.block)
      const precompiles = movedPrecompiles(this.session.precompiles(), overrides)
      this.#interpret({ header, base: block.base, world }, message, { options, place: null, write, precompiles })
    }
    const isPlain = !changesHeader(request.block)
    const byModule: ByModule = (traces, wire, run) =>
      isPlain ? traces.call({ block, message, overrides, options: wire }, run) : UNDECIDED
    this.#settle({ options, interpret, byModule })
  }

  /** Lists of traces; a call that can't be traced fails the whole, since those after it build on it. */
  #callMany(request: Extract<StreamRequest, { kind: 'traceCallMany' }>): void {
    const write: Write = (text) => this.sink.write(text)
    const { options } = request
    const mark = this.sink.mark()
    let [list, item] = ['[[', '']
    try {
      onBundles(this.session, request, this.limits, {
        begin: () => {
          write(list)
          ;[list, item] = ['],[', '']
        },
        run: (stage, message, precompiles) => {
          write(item)
          item = ','
          this.#interpret(stage, message, { options, place: null, write, precompiles })
        },
      })
      write(']]')
    } catch (error: unknown) {
      this.sink.rewind(mark)
      throw error
    }
  }

  /** In the module if it can, else by the interpreter. */
  #settle(ways: Ways): void {
    const { session, sink } = this
    const { options, interpret } = ways
    const write: Write = (text) => sink.write(text)
    const wire = wireOptions(options)
    const { traces } = session
    if (traces === null || wire === null) return void interpret(write)
    const isLate = this.#limitOf(options)
    let written = 0
    const outcome = ways.byModule(traces, wire, {
      isOver: isLate,
      write: (text) => {
        written += text.length
        sink.writeBytes(text)
        return !isLate()
      },
    })
    if (outcome.kind === 'undecided') return void interpret(behind(written, write))
    const fault = faultOf(outcome)
    if (fault !== null) throw failed(fault)
    if (outcome.kind === 'done') sink.writeAscii(outcome.rest)
  }

  #limitOf({ timeoutMs, tracer }: TraceOptions): () => boolean {
    return computingLimit(this, timeoutMs ?? (tracer === 'structs' ? STRUCTS_TIMEOUT_MS : DEFAULT_TIMEOUT_MS))
  }

  #interpret(stage: Stage, message: Message, { options, place, write, precompiles }: HowTraced): void {
    const { session } = this
    const isLate = this.#limitOf(options)
    const { number, coinbase } = stage.header
    const subject = {
      message,
      blockNumber: Number(number),
      place,
      coinbase,
      precompiles: precompiles ?? session.precompiles(),
    }
    const tracer = openTracer(session, { scripts: this.by.scripts, subject, write, isLate }, options)
    try {
      const isOver = (): boolean => tracer.isFull === true || typeof tracer.failure === 'string' || isLate()
      const { applied, aborted } = runOn(session, stage, message, { tracer, isOver, precompiles })
      if (tracer.isFull === true) throw failed(TOO_MUCH)
      if (typeof tracer.failure === 'string') throw failed(tracer.failure)
      if (aborted) throw failed(TIMEOUT)
      if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
      tracer.finish(applied.result, write)
    } finally {
      tracer.close?.()
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
  if (!('options' in request)) return false
  const { tracer, parts = [] } = request.options
  return tracer === 'script' || parts.some((part) => part.tracer === 'script')
}

/** The tracer, the transaction's position, and where the text goes. */
interface HowTraced {
  readonly options: TraceOptions
  readonly place: ScriptSubject['place']
  readonly write: Write
  /** Where they are moved; absent: as they are. */
  readonly precompiles?: Machine['precompiles']
}

/** The states before a block's next transaction; null: not needed yet, or no longer. */
interface BlockStages {
  module: TraceStage | null
  here: Stage | null
}

type ByModule = (traces: TraceEngine, options: WireTraceOptions, run: TraceRun) => TraceOutcome

/** Takes a part of a text. */
type Write = (text: string) => void

/** Null when there is a result, or the interpreter must decide. */
function faultOf(outcome: TraceOutcome): string | null {
  if (outcome.kind === 'stopped') return TIMEOUT
  if (outcome.kind === 'full') return TOO_MUCH
  return outcome.kind === 'refused' ? `tracing failed: ${outcome.reason}` : null
}

/** The two ways of one trace. */
interface Ways {
  readonly options: TraceOptions
  readonly byModule: ByModule
  readonly interpret: (write: Write) => void
}

/** Drops the first `length` characters, which the reader has. */
function behind(length: number, write: Write): Write {
  let left = length
  return (text) => {
    const dropped = Math.min(left, text.length)
    left -= dropped
    if (dropped < text.length) write(text.slice(dropped))
  }
}

function placeOf({ block, index, tx }: Placed): ScriptSubject['place'] {
  return { blockHash: block.hash, index, hash: tx.hash }
}

function decoded(bytes: Uint8Array): Block {
  const block = decodeBlock(bytes)
  if (!block.ok) throw failed(`could not decode block: ${block.error}`)
  return block.value
}
