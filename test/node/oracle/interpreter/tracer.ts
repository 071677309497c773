// The events a tracer receives while a transaction runs, in prlx's order.
import type { Frame } from './frame'
import type { World } from './world'

/** How a call was made. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** A call before its first instruction. Addresses are 160-bit bigints. */
export interface CallStart {
  readonly kind: CallKind
  readonly from: bigint
  readonly to: bigint
  readonly input: Uint8Array
  readonly gas: number
  /** Null for kinds without a value of their own. */
  readonly value: bigint | null
}

/** A call after its last instruction. */
export interface CallEnd {
  readonly output: Uint8Array
  readonly gasUsed: number
  /** Null on success. */
  readonly error: string | null
}

/** One instruction before it runs. Valid only during the callback: the frame changes afterwards. */
export interface Step {
  readonly frame: Frame
  readonly op: number
  readonly name: string
  /** Before the step. */
  readonly gas: number
  /** a bigint when a call's cost exceeds what a number holds exactly */
  readonly cost: number | bigint
  /** Why the step was rejected before it ran; a step that fails while running has none. */
  readonly error: string | null
}

/** Every method is optional, so that a run only pays for what is observed. */
export interface Tracer {
  /** The transaction's top-level call, after its value was moved. */
  begin?(call: CallStart, world: World): void
  end?(result: CallEnd): void
  /** A nested call. */
  enter?(call: CallStart): void
  exit?(result: CallEnd): void
  /**
   * Before an instruction runs: its gas is charged, memory not expanded yet. When absent, the machine runs at full
   * speed.
   */
  step?(step: Step, world: World): void
  /**
   * That instruction ended its call, by failing or by REVERT; called only when `step` exists and reported no error
   * before.
   */
  fault?(step: Step, error: string, world: World): void
}
