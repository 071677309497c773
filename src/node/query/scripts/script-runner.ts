// How a JavaScript tracer is requested; its interpreter is loaded separately, see load-scripts.ts.
import type { Keccak256 } from '../../codec/keccak'
import type { Message } from '../../execution/message'
import type { JsonTracer } from '../tracers/json-tracer'

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

/** A script with its configuration. */
export interface TracerScript {
  /** An expression that evaluates to the tracer. */
  readonly source: string
  /** JSON, passed to `setup`. */
  readonly config: string
}

/**
 * Returns a tracer that must be closed. @param isOver polled while the script runs @throws RpcFault RPC_FAILED for an
 * invalid script
 */
export type ScriptRunner = (script: TracerScript, subject: ScriptSubject, isOver: () => boolean) => JsonTracer
