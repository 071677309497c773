// Traces in WebAssembly of a block's transactions, on a stage that the module keeps.

import { decodeCallResult, putCall, type WireCall, type WireCallResult } from './call-wire'
import type { EngineHost, EngineInstance, KeptInstance } from './instance'
import { type MessageEnd, runMessage, type Unfinished } from './message-run'
import {
  putStage,
  putTracedTransaction,
  putTraceOptions,
  type WireTracedTransaction,
  type WireTraceOptions,
} from './trace-wire'
import { Reader, Writer } from './wire'

/** As in call.rs. */
const BOUNDED = 1

type WasmCallOutcome = { readonly kind: 'done'; readonly result: WireCallResult } | Unfinished

/** Runs one call at a time in one instance, which keeps what it read. */
export class WasmCalls {
  readonly #input = new Writer()

  /** @param isBounded the module asks `isStopped` once a ms; where it can't keep that, it asks once more and ends */
  constructor(
    private readonly kept: KeptInstance,
    private readonly isBounded: boolean,
  ) {}

  /** @param block of `encodeCallBlock` @throws what `host` throws; ExecutionError ENGINE_TRAPPED */
  run(block: Uint8Array, call: WireCall, host: EngineHost): WasmCallOutcome {
    const instance = this.kept.living()
    this.#input.reset()
    this.#input.byte(this.isBounded ? BOUNDED : 0)
    putCall(this.#input, block, call)
    const end = runMessage(instance, 'run_call', { host, input: this.#input.done() })
    if (end.kind === 'done') return { kind: 'done', result: decodeCallResult(end.result) }
    return end.kind === 'full' ? { kind: 'stopped' } : end // only a tracer can be full
  }
}

/** `result`: the end of the text, ASCII; its earlier parts were written. */
export type WasmTraceOutcome = MessageEnd

/** One at a time. */
export class WasmTraces {
  readonly #input = new Writer()

  /** @param isBounded whether transactions run within the bounds of `WireWay` */
  constructor(
    private readonly kept: KeptInstance,
    private readonly isBounded: boolean,
  ) {}

  /** Before a transaction, or an earlier one: see `index`. @throws what `host` throws; ExecutionError ENGINE_TRAPPED */
  openStage(place: Parameters<typeof putStage>[1]): WasmStage {
    const instance = this.kept.living()
    const input = this.#input
    input.reset()
    putStage(input, place)
    const bytes = input.done()
    instance.makeRoom()
    const index = instance.run((engine) => {
      engine.open_stage(instance.put(bytes), bytes.length)
      return new Reader(instance.result()).count()
    })
    return new WasmStage({ instance, input, isBounded: this.isBounded }, index)
  }
}

/** The state between two transactions of a block; only the last one that was opened can be used. */
export class WasmStage {
  /** @param index of the transaction that it stands before when it is opened */
  constructor(
    private readonly by: { readonly instance: EngineInstance; readonly input: Writer; readonly isBounded: boolean },
    readonly index: number,
  ) {}

  /** Applies a transaction without tracing it. Unless it is done, the stage stays as it was. @throws as WasmTraces */
  advance(transaction: WireTracedTransaction, host: EngineHost): WasmTraceOutcome {
    const { instance, input, isBounded } = this.by
    input.reset()
    putTracedTransaction(input, { commits: true, isBounded }, transaction)
    return runMessage(instance, 'advance', { host, input: input.done() })
  }

  /** @param run.commits whether the stage stands behind the transaction afterwards @throws as WasmTraces */
  trace(
    transaction: WireTracedTransaction,
    run: { readonly options: WireTraceOptions; readonly commits: boolean; readonly host: EngineHost },
  ): WasmTraceOutcome {
    const { instance, input, isBounded } = this.by
    input.reset()
    putTraceOptions(input, run.options)
    putTracedTransaction(input, { commits: run.commits, isBounded }, transaction)
    return runMessage(instance, 'trace_transaction', { host: run.host, input: input.done() })
  }

  /** Keeps it for later traces of its block, unless the module broke. */
  keep(): void {
    const { instance } = this.by
    if (!instance.isDead) instance.run((engine) => engine.keep_stage())
  }
}
