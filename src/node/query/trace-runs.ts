// debug_trace*: runs transactions again on the state they had, with a tracer that writes text.
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import { type Block, decodeBlock } from '../model/block'
import type { BlockArgument } from '../model/block-argument'
import type { AnyTransaction } from '../model/transaction'
import { rerun, runOn, type Stage, stageOf, transactionMessage } from './block-stage'
import { failed } from './block-state'
import type { Message, MessageResult } from './evm/transition'
import type { StreamRequest, TraceOptions } from './query-wire'
import { applyOverrides, messageOf } from './run-call'
import type { QueryLimits, QuerySession } from './session'
import type { TextSink } from './text-sink'
import { CallTracer } from './tracers/call-tracer'
import { FourByteTracer } from './tracers/four-byte'
import type { JsonTracer } from './tracers/json-tracer'
import { PrestateTracer } from './tracers/prestate'
import { StructLogTracer } from './tracers/struct-logs'

/** ms of computing where the caller named none. */
const DEFAULT_TIMEOUT_MS = 5_000
/** The default trace may be hundreds of MB: bounded by its reader, and by this. */
const STRUCTS_TIMEOUT_MS = 30_000

/** The result is streamed as it grows; nothing of a trace is held whole. */
export class TraceRuns {
  constructor(
    private readonly session: QuerySession,
    private readonly limits: QueryLimits,
    private readonly sink: TextSink,
  ) {}

  /** Writes the JSON text of the answer. @throws RpcFault RPC_FAILED, STORE_MISSING_NODE */
  run(request: StreamRequest): void {
    switch (request.kind) {
      case 'traceTransaction':
        return void this.#transaction(request.hash, request.options)
      case 'traceBlock':
        return void this.#block(this.#findBlock(request.at), request.options)
      case 'traceRlp':
        return void this.#block(decoded(request.block), request.options)
      case 'traceCall':
        return void this.#call(request)
    }
  }

  #transaction(hash: Uint8Array, options: TraceOptions): void {
    const { reads } = this.session.view()
    const place = reads.transactionPlace(hash)
    const block = place === null ? null : reads.block(place.blockHash)
    const tx = place === null ? undefined : block?.transactions[place.index]
    if (place === null || block === null || tx === undefined) throw failed('transaction not found')
    const stage = stageOf(this.session, block)
    rerun(this.session, stage, block.transactions.slice(0, place.index), this.limits)
    this.#traced(stage, transactionMessage(this.session, tx), options)
  }

  #block(block: Block, options: TraceOptions): void {
    if (block.header.number === 0n) throw failed('genesis is not traceable')
    const stage = stageOf(this.session, block)
    this.sink.write('[')
    for (const [index, tx] of block.transactions.entries()) {
      if (index > 0) this.sink.write(',')
      const mark = this.sink.mark()
      const fault = this.#traceInBlock(stage, tx, options)
      if (fault === null) continue
      if (!this.sink.rewind(mark)) throw failed(fault)
      this.sink.write(JSON.stringify({ error: fault }))
    }
    this.sink.write(']')
  }

  /** @returns what the entry says instead of a result */
  #traceInBlock(stage: Stage, tx: AnyTransaction, options: TraceOptions): string | null {
    if (options.tracer === null) return 'tracer not found'
    this.sink.write('{"result":')
    const before = stage.world.snapshot()
    try {
      this.#traced(stage, transactionMessage(this.session, tx), options)
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
    if (at.kind === 'tag' && at.tag === 'pending') throw failed('tracing on top of pending is not supported')
    const unknown = at.kind === 'number' ? `block #${at.number} not found` : undefined
    const block = this.session.blocks().find(at, unknown)
    const world = this.session.newWorld(block)
    applyOverrides(world, overrides)
    const message = messageOf(call, this.session.options.gasCap)
    this.#traced({ header: block.header, base: block.base, world }, message, options)
  }

  #traced(stage: Stage, message: Message, options: TraceOptions): void {
    const write = (text: string): void => this.sink.write(text)
    const tracer = this.#tracer(message, options, write)
    const timeoutMs = options.timeoutMs ?? (options.tracer === 'structs' ? STRUCTS_TIMEOUT_MS : DEFAULT_TIMEOUT_MS)
    const started = this.limits.now() - this.sink.waitedMs
    const spentMs = (): number => this.limits.now() - this.sink.waitedMs - started
    const isOver = (): boolean => this.limits.isStopped() || !this.sink.isOpen || spentMs() > timeoutMs
    const { applied, aborted } = runOn(this.session, stage, message, { tracer, isOver })
    if (aborted) throw failed('execution timeout')
    if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
    tracer.finish(applied.result, write)
  }

  #tracer(message: Message, { tracer, ...options }: TraceOptions, write: (text: string) => void): JsonTracer {
    if (tracer === 'structs') return new StructLogTracer(options, write)
    if (tracer === 'callTracer') return new CallTracer()
    if (tracer === 'prestateTracer') return new PrestateTracer(message, this.session.keccak256)
    if (tracer === '4byteTracer') return new FourByteTracer((address) => this.session.isPrecompile(address))
    if (tracer === 'noopTracer') return NOOP
    throw failed('tracer not found')
  }

  /** What ended a trace did not end its transaction: those behind it find what it left. */
  #goOn(stage: Stage, tx: AnyTransaction): void {
    try {
      rerun(this.session, stage, [tx], this.limits)
    } catch (error: unknown) {
      if (!hasCode(error, 'RPC_FAILED')) throw error // it cannot run at all, and leaves nothing
    }
  }

  #findBlock(at: BlockArgument): Block {
    const { reads } = this.session.view()
    const blocks = this.session.blocks()
    const found =
      at.kind === 'hash'
        ? at.hash
        : at.kind === 'number'
          ? reads.canonicalHash(BigInt(at.number))
          : blocks.find(at).hash
    const block = found === null ? null : reads.block(found)
    if (block !== null) return block
    if (at.kind === 'hash') throw failed(`block ${toHex(at.hash)} not found`)
    throw failed(at.kind === 'number' ? `block #${at.number} not found` : 'pending block is not traceable')
  }
}

const NOOP: JsonTracer = {
  finish: (_result: MessageResult, write: (text: string) => void) => write('{}'),
}

function decoded(bytes: Uint8Array): Block {
  const block = decodeBlock(bytes)
  if (!block.ok) throw failed(`could not decode block: ${block.error}`)
  return block.value
}
