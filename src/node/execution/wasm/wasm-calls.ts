// Message calls in WebAssembly: eth_call and the like, which read a state and change nothing.
import { decodeCallResult, putCall, type WireCall, type WireCallResult } from './call-wire'
import type { EngineHost } from './instance'
import type { KeptInstance } from './kept-instance'
import { runMessage, type Unfinished } from './message-run'
import { Writer } from './wire'

/** As in call.rs. */
const BOUNDED = 1

/** The outcome of a call. */
type WasmCallOutcome = { readonly kind: 'done'; readonly result: WireCallResult } | Unfinished

/** Runs one call at a time in one instance, which keeps what it read. */
export class WasmCalls {
  readonly #input = new Writer()

  /**
   * @param isBounded between two calls of `isStopped`, the module works for a millisecond at most; where it can't keep
   * that, it asks once more and ends the call
   */
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
