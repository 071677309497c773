// One message in the module: called, traced, or repeated on the way to a traced one.
import { decodeCallRefusal } from './call-wire'
import type { EngineHost, EngineInstance } from './instance'

/** Results of the module's functions. */
const DONE = 0
const REFUSED = 1
const STOPPED = 3
const FULL = 4

/** How a message ended. */
export type MessageEnd =
  /** `result`: what the module wrote, in the function's own form. */
  | { readonly kind: 'done'; readonly result: Uint8Array }
  | Unfinished
  /** The tracer may hold no more. */
  | { readonly kind: 'full' }

/** A message without a result. */
export type Unfinished =
  /** It couldn't start; `balance` is the sender's. */
  | { readonly kind: 'refused'; readonly isIntrinsic: boolean; readonly balance: bigint }
  /** The host stopped it. */
  | { readonly kind: 'stopped' }
  /** Another engine must run it: numbers or accounts that the module doesn't support. */
  | { readonly kind: 'undecided' }

/** Functions of the module that run a message. */
type MessageFunction = 'run_call' | 'trace_call' | 'advance' | 'trace_transaction'

/**
 * Runs one message. @param input of the function, encoded
 * @throws what `host` throws; ExecutionError ENGINE_TRAPPED
 */
export function runMessage(
  instance: EngineInstance,
  name: MessageFunction,
  { host, input }: { readonly host: EngineHost; readonly input: Uint8Array },
): MessageEnd {
  instance.attach(host)
  try {
    instance.makeRoom()
    const answer = instance.run((engine) => engine[name](instance.put(input), input.length))
    if (answer === DONE) return { kind: 'done', result: instance.result() }
    if (answer === REFUSED) return { kind: 'refused', ...decodeCallRefusal(instance.result()) }
    if (answer === FULL) return { kind: 'full' }
    return { kind: answer === STOPPED ? 'stopped' : 'undecided' }
  } finally {
    instance.attach(null)
  }
}
