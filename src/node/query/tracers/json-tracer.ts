// A tracer whose result is JSON text, written while the transaction runs or afterwards.

import type { MessageResult } from '../../execution/message'
import type { Tracer } from '../../execution/tracer'
import type { World } from '../../execution/world'

/** Memory for calls, accounts or counts of one transaction. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024

/** The tracers that debug_trace* offers by name. */
export interface JsonTracer extends Tracer {
  /** Its memory limit was reached: later data is missing. Absent: it holds little. */
  readonly isFull?: boolean
  /** Why there will be no result. Null or absent: no failure. */
  readonly failure?: string | null
  /**
   * Call it after the run. @param write receives the rest of the result's text, in order @param world as the message
   * left it, before its end
   */
  finish(result: MessageResult, write: (text: string) => void, world: World): void
  /** Releases what it holds outside its own memory. */
  close?(): void
}
