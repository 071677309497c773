// Traces on the WebAssembly engine: calls on a block's state, and a block's transactions one after another.

import type { Message } from '../execution/message'
import type { EngineHost } from '../execution/wasm/instance'
import type { KeptInstance } from '../execution/wasm/kept-instance'
import { isWireTracer, type WireTraceOptions } from '../execution/wasm/trace-wire'
import { type WasmStage, type WasmTraceOutcome, WasmTraces } from '../execution/wasm/wasm-traces'
import { addressBytes } from '../execution/word'
import type { Block } from '../model/block'
import type { StateBlock } from './block-state'
import { readerOf, refusalOf } from './message-engine'
import type { TraceOptions } from './query-wire'

/** How to stop a run, and where its text goes. */
export interface TraceRun {
  readonly isOver: () => boolean
  /** Takes a part of the text, ASCII; false ends the run. */
  readonly write: (text: Uint8Array) => boolean
}

/** How a trace ended. Only `done` has a whole text, whose end is `rest`. */
export type TraceOutcome =
  | { readonly kind: 'done'; readonly rest: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped' | 'full' }

/** What traces read besides the state. */
interface TraceEngineDeps {
  readonly kept: KeptInstance
  readonly chainId: bigint
  /** A block's transactions end where they would keep the thread for longer than a millisecond. */
  readonly isBounded: boolean
  /** Hash of a block's ancestor, as BLOCKHASH returns it. */
  readonly ancestorHash: (base: StateBlock['base'], height: bigint) => Uint8Array
}

const nowhere = (): boolean => false

/** One per worker, which answers one request at a time. */
export class TraceEngine {
  readonly #traces: WasmTraces

  constructor(private readonly deps: TraceEngineDeps) {
    this.#traces = new WasmTraces(deps.kept, deps.isBounded)
  }

  /**
   * The state before a block's transaction, or before an earlier one. @param parent with its state
   * @throws ExecutionError ENGINE_*
   */
  openStage(block: Block, parent: StateBlock, index: number): TraceStage {
    const stage = this.#traces.openStage({ block: block.hash, root: parent.header.stateRoot, index })
    return new TraceStage(this, stage, { header: block.header, chainId: this.deps.chainId, parent })
  }

  /** What the module reads, on that block's state. */
  hostOf(block: StateBlock, { isOver, write }: TraceRun): EngineHost {
    const ancestorHash = (height: bigint): Uint8Array => this.deps.ancestorHash(block.base, height)
    return { read: readerOf(block), ancestorHash, isStopped: isOver, write }
  }

  /** With the refusal in words. */
  named(message: Message, outcome: WasmTraceOutcome): TraceOutcome {
    if (outcome.kind === 'done') return { kind: 'done', rest: outcome.result }
    return outcome.kind === 'refused' ? refusalOf(message, outcome) : outcome
  }
}

/** The state between two transactions of a block. */
export class TraceStage {
  constructor(
    private readonly engine: TraceEngine,
    private readonly stage: WasmStage,
    private readonly place: {
      readonly header: Block['header']
      readonly chainId: bigint
      readonly parent: StateBlock
    },
  ) {}

  /** The transaction that it stood before when it was opened. */
  get index(): number {
    return this.stage.index
  }

  /** Applies it; otherwise the stage stays as it was. @throws what reading the state throws */
  advance(message: Message, isOver: () => boolean): TraceOutcome {
    const host = this.engine.hostOf(this.place.parent, { isOver, write: nowhere })
    return this.engine.named(message, this.stage.advance(this.#transaction(message), host))
  }

  /** @param how.commits whether the stage stands behind the transaction afterwards @throws what reading the state throws */
  trace(
    message: Message,
    how: { readonly options: WireTraceOptions; readonly commits: boolean },
    run: TraceRun,
  ): TraceOutcome {
    const host = this.engine.hostOf(this.place.parent, run)
    return this.engine.named(message, this.stage.trace(this.#transaction(message), { ...how, host }))
  }

  /** Keeps it for later traces of its block. */
  keep(): void {
    this.stage.keep()
  }

  #transaction(message: Message) {
    const { header, chainId } = this.place
    const { gas, gasPrice, value, data, accessList } = message
    const to = message.to === null ? null : addressBytes(message.to)
    const type = accessList.length === 0 ? (0 as const) : (1 as const)
    const tx = { type, nonce: 0n, gasPrice, gasLimit: BigInt(gas), to, value, data, accessList }
    return { header, chainId, tx, sender: addressBytes(message.from) }
  }
}

/** The options in the module's form; null for a tracer, or an option of one, that it doesn't have. */
export function wireOptions(options: TraceOptions): WireTraceOptions | null {
  const { tracer, memory, stack, storage, limit, call = {}, prestate = {} } = options
  if ([...Object.values(call), ...Object.values(prestate)].includes(true)) return null
  return isWireTracer(tracer) ? { tracer, memory, stack, storage, limit } : null
}
