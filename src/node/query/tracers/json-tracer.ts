// A tracer whose result is JSON text, written once the transaction has run or while it runs.

import type { Tracer } from '../evm/tracer'
import type { MessageResult } from '../evm/transition'

/** What debug_trace* can be asked for by name. */
export interface JsonTracer extends Tracer {
  /** After the run. @param write takes the rest of the result's text, in order */
  finish(result: MessageResult, write: (text: string) => void): void
}
