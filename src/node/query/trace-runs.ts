// debug_trace*: re-executes transactions on their original state with a tracer that writes text.
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Message, MessageResult } from '../execution/message'
import { type CallEnd, type CallStart, OPERATION_NAMES, type StateView, type Step } from '../execution/tracer'
import type { WireTraceOptions } from '../execution/wasm/trace-wire'
import type { World } from '../execution/world'
import { type Block, decodeBlock } from '../model/block'
import { heightName } from '../model/block-argument'
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
  stageOf,
  transactionMessage,
} from './block-stage'
import { failed, type StateBlock } from './block-state'
import { BUILT_INS, type TraceOutcome, type TraceRun, type TraceStage, wireOptions } from './message-engine'
import type { Streamed, StreamRequest, TraceOptions, TracerChoice } from './query-wire'
import { changedStage, messageOf, onBundles, overriddenHeader } from './run-call'
import type { QueryLimits, QuerySession } from './session'
import type { TextSink, TextStream } from './text-sink'
import {
  CallTracer,
  FlatCallJsonTracer,
  FourByteTracer,
  type JsonTracer,
  LoggingCallTracer,
  type ScriptRunner,
  type ScriptSubject,
} from './tracers/call-tracer'
import { PrestateTracer } from './tracers/prestate'

interface TracerDeps {
  /** `coinbase`: 20 bytes. */
  readonly subject: ScriptSubject & { readonly coinbase: Uint8Array }
  /** Null: no script can run. */
  readonly scripts: ScriptRunner | null
  readonly isLate: () => boolean
}

const NOOP: JsonTracer = { finish: (_result, write) => write('{}') }
const NO_FLAT_OPTIONS = { convertParityErrors: false, includePrecompiles: false }

/** It must be closed. @throws RpcFault RPC_FAILED for a script that is invalid or unknown */
function openTracer(deps: TracerDeps, options: TraceOptions): JsonTracer {
  const { tracer, parts = [] } = options
  if (tracer === 'structs') throw new RangeError("struct logs are the module's")
  if (tracer !== 'muxTracer') return openPart(deps, { ...options, name: tracer, tracer })
  const opened: { readonly name: string; readonly tracer: JsonTracer }[] = []
  try {
    for (const part of parts) opened.push({ name: part.name, tracer: openPart(deps, part) })
  } catch (error: unknown) {
    for (const { tracer: one } of opened) one.close?.()
    throw error
  }
  return new MuxTracer(opened)
}

function openPart({ subject, scripts, isLate }: TracerDeps, choice: TracerChoice): JsonTracer {
  switch (choice.tracer) {
    case 'callTracer':
      return choice.call?.withLog === true ? new LoggingCallTracer(choice.call) : new CallTracer(choice.call)
    case 'prestateTracer':
      return new PrestateTracer(subject, choice.prestate)
    case 'flatCallTracer':
      return new FlatCallJsonTracer(choice.flat ?? NO_FLAT_OPTIONS, subject)
    case '4byteTracer':
      return new FourByteTracer(subject.isPrecompile)
    case 'noopTracer':
      return NOOP
    case 'script':
      if (choice.script === null || scripts === null) throw failed('tracer not found')
      return scripts(choice.script, subject, isLate)
  }
}

/** go-ethereum's `muxTracer`: one object with the result of each tracer under its name. */
class MuxTracer implements JsonTracer {
  readonly step?: NonNullable<JsonTracer['step']>
  readonly fault?: NonNullable<JsonTracer['fault']>
  readonly isSparse: boolean
  readonly #tracers: readonly JsonTracer[]

  /** @param parts by name; tracers that write before the end can't be among them */
  constructor(private readonly parts: readonly { readonly name: string; readonly tracer: JsonTracer }[]) {
    this.#tracers = parts.map(({ tracer }) => tracer)
    // The engine is slower for a tracer with `step`, so it has one only if a part does.
    const stepping = this.#tracers.filter((tracer) => tracer.step !== undefined)
    this.isSparse = stepping.every(({ isSparse }) => isSparse === true)
    if (stepping.length === 0) return
    this.step = (step: Step, state: StateView) => {
      for (const tracer of stepping) tracer.step?.(step, state)
    }
    this.fault = (step: Step, error: string, state: StateView) => {
      for (const tracer of stepping) tracer.fault?.(step, error, state)
    }
  }

  get isFull(): boolean {
    return this.#tracers.some((tracer) => tracer.isFull === true)
  }

  /** The first part's that fails. */
  get failure(): string | null {
    return this.#tracers.map((tracer) => tracer.failure ?? null).find((failure) => failure !== null) ?? null
  }

  begin(call: CallStart, state: StateView): void {
    for (const tracer of this.#tracers) tracer.begin?.(call, state)
  }

  end(result: CallEnd): void {
    for (const tracer of this.#tracers) tracer.end?.(result)
  }

  enter(call: CallStart): void {
    for (const tracer of this.#tracers) tracer.enter?.(call)
  }

  exit(result: CallEnd): void {
    for (const tracer of this.#tracers) tracer.exit?.(result)
  }

  finish(result: MessageResult, write: (text: string) => void, world: World): void {
    for (const [index, { name, tracer }] of this.parts.entries()) {
      write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      tracer.finish(result, write, world)
    }
    write(this.parts.length === 0 ? '{}' : '}')
  }

  close(): void {
    for (const tracer of this.#tracers) tracer.close?.()
  }
}

/** ms of computing, unless the caller set a limit. */
const DEFAULT_TIMEOUT_MS = 5_000
/** The default trace may be hundreds of MB: limited by its reader, and by this. */
const STRUCTS_TIMEOUT_MS = 30_000
/** Why a trace has no result, in the words of the answer. */
const TIMEOUT = 'execution timeout'
const TOO_MUCH = 'the transaction does more than this tracer may hold'

type TraceRequest = Streamed<'traceTransaction' | 'traceBlock' | 'traceRlp' | 'traceCall' | 'traceCallMany'>

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
        return void this.#rlp(request)
      case 'traceCall':
        return void this.#call(request)
      case 'traceCallMany':
        return void this.#callMany(request)
    }
  }

  #transaction(hash: Uint8Array, options: TraceOptions): void {
    const placed = placedTransaction(this.session, hash)
    if (placed === null) throw failed('transaction not found')
    const wire = wireOptions(options)
    if (wire !== null) {
      const run = this.#run(options)
      return void this.#finish(this.#onStage(placed, wire, run), run)
    }
    const message = transactionMessage(this.session, placed.tx)
    const how = { options, place: placeOf(placed) }
    onKeptStage(this.session, placed, this.limits, (stage) => this.#trace(stage, message, how))
  }

  /** Begins with the stage of an earlier trace if there is one, and leaves its own. */
  #onStage({ block, index, tx }: Placed, options: WireTraceOptions, run: TraceRun): TraceOutcome {
    const stage = this.session.messages.openStage(block, parentOf(this.session, block), index)
    for (const earlier of block.transactions.slice(stage.index, index)) this.#advance(stage, earlier)
    const outcome = stage.trace(transactionMessage(this.session, tx), { options, commits: false }, run)
    stage.keep()
    return outcome
  }

  /** @throws RpcFault RPC_FAILED when it can't run, or the caller disconnected */
  #advance(stage: TraceStage, tx: AnyTransaction): void {
    const outcome = stage.advance(transactionMessage(this.session, tx), () => this.limits.isStopped())
    if (outcome.kind === 'refused') throw failed(`transaction ${toHex(tx.hash)} failed: ${outcome.reason}`)
    if (outcome.kind !== 'done') throw failed('stopped')
  }

  #rlp({ block, options }: Streamed<'traceRlp'>): void {
    const decoded = decodeBlock(block)
    if (!decoded.ok) throw failed(`could not decode block: ${decoded.error}`)
    this.#block(decoded.value, options)
  }

  #block(block: Block, options: TraceOptions): void {
    const wire = wireOptions(options)
    const parent = parentOf(this.session, block)
    const trace =
      wire === null
        ? this.#byTracer(stageOf(this.session, block), options)
        : this.#byModule(block, parent, options, wire)
    this.sink.write('[')
    for (const [index, tx] of block.transactions.entries()) {
      if (index > 0) this.sink.write(',')
      const mark = this.sink.mark()
      const fault = this.#traceInBlock(() => trace({ block, index, tx }))
      if (fault === null) continue
      if (!this.sink.rewind(mark)) throw failed(fault)
      this.sink.write(JSON.stringify({ error: fault }))
    }
    this.sink.write(']')
  }

  /** @returns the entry's error instead of a result */
  #traceInBlock(trace: () => void): string | null {
    this.sink.write('{"result":')
    try {
      trace()
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error
      return error.message
    }
    this.sink.write('}')
    return null
  }

  /** A trace that ended early doesn't end its transaction: later ones see its effects. */
  #byModule(block: Block, parent: StateBlock, options: TraceOptions, wire: WireTraceOptions) {
    const stage = this.session.messages.openStage(block, parent, 0)
    return ({ tx }: Placed): void => {
      const message = transactionMessage(this.session, tx)
      const run = this.#run(options)
      const outcome = stage.trace(message, { options: wire, commits: true }, run)
      const isEarly = outcome.kind === 'stopped' || outcome.kind === 'full'
      if (isEarly) stage.advance(message, () => this.limits.isStopped())
      this.#finish(outcome, run)
    }
  }

  #byTracer(stage: Stage, options: TraceOptions) {
    return (placed: Placed): void => {
      const before = stage.world.snapshot()
      try {
        this.#trace(stage, transactionMessage(this.session, placed.tx), { options, place: placeOf(placed) })
      } catch (error: unknown) {
        if (!hasCode(error, 'RPC_FAILED')) throw error
        stage.world.revert(before)
        this.#skip(stage, placed.tx)
        throw error
      }
      stage.world.finish()
    }
  }

  #call(request: Streamed<'traceCall'>): void {
    const { at, call, overrides, options } = request
    const unknown = at.kind === 'number' ? `block #${heightName(at.number)} not found` : undefined
    const block = this.session.blocks().find(at, unknown)
    const message = messageOf(call, this.session.options)
    const stage = changedStage(this.session, block, overrides)
    const header = overriddenHeader(block.header, request.block)
    this.#trace({ ...stage, header }, message, { options, place: null })
  }

  /** Lists of traces; a call that can't be traced fails the whole, since those after it build on it. */
  #callMany(request: Streamed<'traceCallMany'>): void {
    const write = (text: string): void => this.sink.write(text)
    const { options } = request
    const mark = this.sink.mark()
    let [list, item] = ['[[', '']
    try {
      onBundles(this.session, request, this.limits, {
        begin: () => {
          write(list)
          ;[list, item] = ['],[', '']
        },
        run: (stage, message) => {
          write(item)
          item = ','
          this.#trace(stage, message, { options, place: null })
        },
      })
      write(']]')
    } catch (error: unknown) {
      this.sink.rewind(mark)
      throw error
    }
  }

  /** Where the module's text goes, and what ends it. */
  #run(options: TraceOptions): TraceRun {
    const isOver = this.#limitOf(options)
    const write = (text: Uint8Array): boolean => {
      this.sink.writeBytes(text)
      return !isOver()
    }
    return { isOver, write }
  }

  /** A short trace ends before it is asked whether its time is over. @throws RpcFault RPC_FAILED without a whole text */
  #finish(outcome: TraceOutcome, { isOver }: Pick<TraceRun, 'isOver'>): void {
    if (outcome.kind === 'stopped' || (outcome.kind === 'done' && isOver())) throw failed(TIMEOUT)
    if (outcome.kind === 'full') throw failed(TOO_MUCH)
    if (outcome.kind === 'refused') throw failed(`tracing failed: ${outcome.reason}`)
    if (outcome.kind === 'done') this.sink.writeAscii(outcome.rest)
  }

  #limitOf({ timeoutMs, tracer }: TraceOptions): () => boolean {
    return computingLimit(this, timeoutMs ?? (tracer === 'structs' ? STRUCTS_TIMEOUT_MS : DEFAULT_TIMEOUT_MS))
  }

  /** On the stage's world, which keeps what the message does. */
  #trace(stage: Stage, message: Message, how: HowTraced): void {
    const wire = wireOptions(how.options)
    if (wire === null) return void this.#traceHere(stage, message, how)
    const run = this.#run(how.options)
    const text = { options: wire, write: run.write }
    const ran = runOn(this.session, stage, message, { tracer: null, isOver: run.isOver, text })
    if (ran.isFull) return void this.#finish({ kind: 'full' }, run)
    if (ran.aborted) return void this.#finish({ kind: 'stopped' }, run)
    this.#finish(ran.applied.kind === 'refused' ? ran.applied : { kind: 'done', rest: ran.rest }, run)
  }

  #traceHere(stage: Stage, message: Message, { options, place }: HowTraced): void {
    const { session } = this
    const isLate = this.#limitOf(options)
    const { number, coinbase } = stage.header
    const isPrecompile = (address: bigint): boolean => (stage.builtIns ?? BUILT_INS).has(address)
    const { keccak256 } = session
    const about = { message, blockNumber: Number(number), place, keccak256, isPrecompile, operations: OPERATION_NAMES }
    const tracer = openTracer({ scripts: this.by.scripts, subject: { ...about, coinbase }, isLate }, options)
    const write = (text: string): void => this.sink.write(text)
    try {
      const isOver = (): boolean => tracer.isFull === true || typeof tracer.failure === 'string' || isLate()
      const { applied, aborted } = runOn(session, stage, message, { tracer, isOver })
      if (tracer.isFull === true) throw failed(TOO_MUCH)
      if (typeof tracer.failure === 'string') throw failed(tracer.failure)
      if (aborted || (applied.kind !== 'refused' && isLate())) throw failed(TIMEOUT)
      if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
      tracer.finish(applied.result, write, stage.world)
    } finally {
      tracer.close?.()
    }
  }

  #skip(stage: Stage, tx: AnyTransaction): void {
    try {
      rerun(this.session, stage, [tx], this.limits)
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error // it can't run at all, and leaves no changes
    }
  }
}

/** From now on: true once `timeoutMs` of computing have passed, or the reader is gone. */
export function computingLimit({ limits, sink }: TextStream, timeoutMs: number): () => boolean {
  const started = limits.now() - sink.waitedMs
  return () => limits.isStopped() || !sink.isOpen || limits.now() - sink.waitedMs - started > timeoutMs
}

export function needsScript(request: StreamRequest): boolean {
  if (!('options' in request)) return false
  const { tracer, parts = [] } = request.options
  return tracer === 'script' || parts.some((part) => part.tracer === 'script')
}

interface HowTraced {
  readonly options: TraceOptions
  readonly place: ScriptSubject['place']
}

function placeOf({ block, index, tx }: Placed): ScriptSubject['place'] {
  return { blockHash: block.hash, index, hash: tx.hash }
}
