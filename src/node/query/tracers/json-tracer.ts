// A tracer whose result is JSON text, written while the transaction runs or afterwards; one of them is a JavaScript tracer.
import type { Keccak256 } from '../../codec/keccak'
import type { Message, MessageResult } from '../../execution/message'
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
  /** Call it after the run. @param write receives the rest of the text, in order @param world as the message left it */
  finish(result: MessageResult, write: (text: string) => void, world: World): void
  /** Releases what it holds outside its own memory. */
  close?(): void
}

/** What a script learns about the transaction, and what it may query besides its state. */
export interface ScriptSubject {
  readonly message: Message
  readonly blockNumber: number
  /** Null for a call outside a block. 32 bytes each. */
  readonly place: { readonly blockHash: Uint8Array; readonly index: number; readonly hash: Uint8Array } | null
  readonly keccak256: Keccak256
  readonly isPrecompile: (address: bigint) => boolean
  /** Names of the 256 opcodes. */
  readonly operations: readonly string[]
}

export interface TracerScript {
  /** An expression that evaluates to the tracer. */
  readonly source: string
  /** JSON, passed to `setup`. */
  readonly config: string
}

/** Opens a tracer, to be closed. @param isOver polled; true ends the script @throws RpcFault RPC_FAILED if it is invalid */
export type ScriptRunner = (script: TracerScript, subject: ScriptSubject, isOver: () => boolean) => JsonTracer
