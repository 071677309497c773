// Message calls in WebAssembly: eth_call and the like, which read a state and change nothing.
import { decodeCallRefusal, decodeCallResult, putCall, type WireCall, type WireCallResult } from './call-wire'
import type { EngineHost } from './instance'
import type { KeptInstance } from './kept-instance'
import { Writer } from './wire'

/** Results of the module's function. */
const DONE = 0
const REFUSED = 1
const STOPPED = 3

/** The outcome of a call. */
export type WasmCallOutcome =
  | { readonly kind: 'done'; readonly result: WireCallResult }
  /** It couldn't start; `balance` is the sender's. */
  | { readonly kind: 'refused'; readonly isIntrinsic: boolean; readonly balance: bigint }
  /** The host stopped it. */
  | { readonly kind: 'stopped' }
  /** Another engine must run it: numbers or accounts that the module doesn't support. */
  | { readonly kind: 'undecided' }

/** Runs one call at a time in one instance, which keeps what it read. */
export class WasmCalls {
  readonly #input = new Writer()

  constructor(private readonly kept: KeptInstance) {}

  /** @param block of `encodeCallBlock` @throws what `host` throws; ExecutionError ENGINE_TRAPPED */
  run(block: Uint8Array, call: WireCall, host: EngineHost): WasmCallOutcome {
    const instance = this.kept.living()
    instance.attach(host)
    try {
      this.#input.reset()
      putCall(this.#input, block, call)
      const bytes = this.#input.done()
      instance.makeRoom()
      const answer = instance.run((engine) => engine.run_call(instance.put(bytes), bytes.length))
      if (answer === DONE) return { kind: 'done', result: decodeCallResult(instance.result()) }
      if (answer === REFUSED) return { kind: 'refused', ...decodeCallRefusal(instance.result()) }
      return { kind: answer === STOPPED ? 'stopped' : 'undecided' }
    } finally {
      instance.attach(null)
    }
  }
}
