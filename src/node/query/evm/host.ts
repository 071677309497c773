// What instructions have of the machine that runs them.
import type { Keccak256 } from '../../codec/keccak'
import type { CallKind, Tracer } from './tracer'
import type { World } from './world'

/** What instructions can see of the block. */
export interface MachineBlock {
  readonly number: bigint
  readonly timestamp: bigint
  readonly coinbase: bigint
  readonly difficulty: bigint
  readonly gasLimit: bigint
  readonly chainId: bigint
  readonly ancestorHash: (number: bigint) => Uint8Array | null
}

/** What a call within a call leaves to its caller. */
export interface CallResult {
  readonly output: Uint8Array
  readonly gasLeft: number
  /** Gas beyond what a number holds; 0 as a rule. */
  readonly reserveLeft: bigint
  readonly error: string | null
  readonly isRevert: boolean
}

/** A call within a call. `gas` plus `reserve` is what it may use; the reserve is beyond 2^53. */
export interface CallRequest {
  readonly kind: CallKind
  readonly to: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gas: number
  readonly reserve: bigint
}

/** A creation within a call. */
export interface CreateRequest {
  readonly kind: 'CREATE' | 'CREATE2'
  readonly value: bigint
  readonly code: Uint8Array
  /** CREATE2 only. */
  readonly salt: bigint | null
  readonly gas: number
  readonly reserve: bigint
}

/** Who calls: a running frame, or the transaction itself. */
export interface Caller {
  readonly address: bigint
  readonly depth: number
  readonly isStatic: boolean
  readonly caller: bigint
  readonly value: bigint
}

/** The machine as instructions see it. */
export interface MachineHost {
  readonly world: World
  readonly block: MachineBlock
  readonly origin: bigint
  /** wei per gas */
  readonly gasPrice: bigint
  readonly tracer: Tracer | null
  readonly keccak256: Keccak256
  callFrom(from: Caller, request: CallRequest): CallResult
  createFrom(from: Caller, request: CreateRequest): CallResult & { readonly address: bigint }
}
