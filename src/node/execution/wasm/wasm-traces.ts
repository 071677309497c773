// Traces in WebAssembly: of a message on a stored state, or of a block's transactions on a stage that the module keeps.
import { decodeCallRefusal, putCall, type WireCall } from './call-wire'
import type { EngineHost, EngineInstance } from './instance'
import type { KeptInstance } from './kept-instance'
import {
  putStage,
  putTracedTransaction,
  putTraceOptions,
  type WireTracedTransaction,
  type WireTraceOptions,
} from './trace-wire'
import { Reader, Writer } from './wire'

/** Results of the module's functions. */
const DONE = 0
const REFUSED = 1
const STOPPED = 3
const FULL = 4

/** How a traced or repeated message ended. */
export type WasmTraceOutcome =
  /** `rest`: the end of the text, ASCII; its earlier parts were written. */
  | { readonly kind: 'done'; readonly rest: Uint8Array }
  /** It couldn't start; `balance` is the sender's. */
  | { readonly kind: 'refused'; readonly isIntrinsic: boolean; readonly balance: bigint }
  /** The host stopped it. */
  | { readonly kind: 'stopped' }
  /** The tracer may hold no more. */
  | { readonly kind: 'full' }
  /** Another engine must run it. Text may have been written. */
  | { readonly kind: 'undecided' }

type Named = 'trace_call' | 'advance' | 'trace_transaction'

/** One at a time. */
export class WasmTraces {
  readonly #input = new Writer()

  constructor(private readonly kept: KeptInstance) {}

  /** @param block of `encodeCallBlock` @throws what `host` throws; ExecutionError ENGINE_TRAPPED */
  call(run: {
    readonly block: Uint8Array
    readonly call: WireCall
    readonly options: WireTraceOptions
    readonly host: EngineHost
  }): WasmTraceOutcome {
    const instance = this.kept.living()
    const input = this.#input
    input.reset()
    putTraceOptions(input, run.options)
    putCall(input, run.block, run.call)
    return outcomeOf(instance, run.host, 'trace_call', input)
  }

  /**
   * The stage before a block's transaction, or before an earlier one: `index` says which. @throws what `host` throws;
   * ExecutionError ENGINE_TRAPPED
   */
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
    return new WasmStage(instance, input, index)
  }
}

/** The state between two transactions of a block; only the last one that was opened can be used. */
export class WasmStage {
  /** @param index of the transaction that it stands before when it is opened */
  constructor(
    private readonly instance: EngineInstance,
    private readonly input: Writer,
    readonly index: number,
  ) {}

  /** Applies a transaction without tracing it. Unless it is done, the stage stays as it was. @throws as WasmTraces */
  advance(transaction: WireTracedTransaction, host: EngineHost): WasmTraceOutcome {
    this.input.reset()
    putTracedTransaction(this.input, transaction)
    return outcomeOf(this.instance, host, 'advance', this.input)
  }

  /** @param run.commits whether the stage stands behind the transaction afterwards @throws as WasmTraces */
  trace(
    transaction: WireTracedTransaction,
    run: { readonly options: WireTraceOptions; readonly commits: boolean; readonly host: EngineHost },
  ): WasmTraceOutcome {
    this.input.reset()
    putTraceOptions(this.input, run.options)
    this.input.byte(run.commits ? 1 : 0)
    putTracedTransaction(this.input, transaction)
    return outcomeOf(this.instance, run.host, 'trace_transaction', this.input)
  }

  /** Keeps it for later traces of its block. */
  keep(): void {
    this.instance.run((engine) => engine.keep_stage())
  }
}

function outcomeOf(instance: EngineInstance, host: EngineHost, name: Named, input: Writer): WasmTraceOutcome {
  const bytes = input.done()
  instance.attach(host)
  try {
    instance.makeRoom()
    const answer = instance.run((engine) => engine[name](instance.put(bytes), bytes.length))
    if (answer === DONE) return { kind: 'done', rest: instance.result() }
    if (answer === REFUSED) return { kind: 'refused', ...decodeCallRefusal(instance.result()) }
    if (answer === FULL) return { kind: 'full' }
    return { kind: answer === STOPPED ? 'stopped' : 'undecided' }
  } finally {
    instance.attach(null)
  }
}
