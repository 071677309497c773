// What a tracer is told while a transaction runs, in the reference's order of events.
import type { Frame } from './frame'
import type { World } from './world'

/** How one call came about. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** A call before its first instruction. Addresses are 160-bit bigints. */
export interface CallStart {
  readonly kind: CallKind
  readonly from: bigint
  readonly to: bigint
  readonly input: Uint8Array
  readonly gas: number
  /** Null where a call has none of its own. */
  readonly value: bigint | null
}

/** A call after its last instruction. */
export interface CallEnd {
  readonly output: Uint8Array
  readonly gasUsed: number
  /** Null when it went well. */
  readonly error: string | null
}

/** One instruction before it runs. Valid only during the callback: the frame changes afterwards. */
export interface Step {
  readonly frame: Frame
  readonly op: number
  readonly name: string
  /** Before the step. */
  readonly gas: number
  /** bigint where a call's cost is beyond what a number holds exactly */
  readonly cost: number | bigint
  /** Why the step was refused before it ran; a step that fails while it runs has none. */
  readonly error: string | null
}

/** Every method is optional, so that a run pays only for what is observed. */
export interface Tracer {
  /** The transaction's own call, after value was moved. */
  begin?(call: CallStart, world: World): void
  end?(result: CallEnd): void
  /** A call from within. */
  enter?(call: CallStart): void
  exit?(result: CallEnd): void
  /** Before an instruction runs, its gas counted, memory not grown yet. Absent: the machine runs at full speed. */
  step?(step: Step, world: World): void
  /** That instruction ended its call, by failing or by REVERT; only where `step` is there and told no error before. */
  fault?(step: Step, error: string, world: World): void
}
