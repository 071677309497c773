// A tracer whose result is JSON text, written once the transaction has run or while it runs.

import type { Tracer } from '../evm/tracer'
import type { MessageResult } from '../evm/transition'

/** Of calls, accounts or counts, for one transaction. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024

/** What debug_trace* can be asked for by name. */
export interface JsonTracer extends Tracer {
  /** It holds as much as it may: what came later is missing. Absent: it holds little. */
  readonly isFull?: boolean
  /** Why there will be no result. Null or absent: nothing is wrong. */
  readonly failure?: string | null
  /** After the run. @param write takes the rest of the result's text, in order */
  finish(result: MessageResult, write: (text: string) => void): void
  /** Gives back what it holds beside its own memory. */
  close?(): void
}
