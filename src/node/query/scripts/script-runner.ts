// How a tracer in JavaScript is asked for; its interpreter is loaded apart, see load-scripts.ts.
import type { Keccak256 } from '../../codec/keccak'
import type { Message } from '../evm/transition'
import type { JsonTracer } from '../tracers/json-tracer'

/** What a script is told of the transaction, and what it may ask beside its state. */
export interface ScriptSubject {
  readonly message: Message
  readonly blockNumber: number
  /** Null for a call that is in no block. 32 bytes each. */
  readonly place: { readonly blockHash: Uint8Array; readonly index: number; readonly hash: Uint8Array } | null
  readonly keccak256: Keccak256
  readonly isPrecompile: (address: bigint) => boolean
  /** Names of the 256 opcodes. */
  readonly operations: readonly string[]
}

/** A script with its settings. */
export interface TracerScript {
  /** An expression whose value is the tracer. */
  readonly source: string
  /** JSON, handed to `setup`. */
  readonly config: string
}

/** A tracer that must be closed. @param isOver asked while the script runs @throws RpcFault RPC_FAILED for a script that is none */
export type ScriptRunner = (script: TracerScript, subject: ScriptSubject, isOver: () => boolean) => JsonTracer
