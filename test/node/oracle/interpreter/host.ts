// What instructions use of the machine that runs them.
import type { Keccak256 } from '../../../../src/node/codec/keccak'
import type { CallKind, Tracer } from './tracer'
import type { World } from './world'

/** The block fields visible to instructions. */
export interface MachineBlock {
  readonly number: bigint
  readonly timestamp: bigint
  readonly coinbase: bigint
  readonly difficulty: bigint
  readonly gasLimit: bigint
  readonly chainId: bigint
  readonly ancestorHash: (number: bigint) => Uint8Array | null
}

/** What a nested call returns to its caller. */
export interface CallResult {
  readonly output: Uint8Array
  readonly gasLeft: number
  /** Gas above what a number holds; usually 0. */
  readonly reserveLeft: bigint
  readonly error: string | null
  readonly isRevert: boolean
}

/** A nested call. It may use `gas` plus `reserve`; the reserve is the part above 2^53. */
export interface CallRequest {
  readonly kind: CallKind
  readonly to: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gas: number
  readonly reserve: bigint
}

/** A nested creation. */
export interface CreateRequest {
  readonly kind: 'CREATE' | 'CREATE2'
  readonly value: bigint
  readonly code: Uint8Array
  /** CREATE2 only. */
  readonly salt: bigint | null
  readonly gas: number
  readonly reserve: bigint
}

/** The caller: a running frame, or the transaction itself. */
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
  /** Set by every instruction whose result depends on the gas left: with other gas the run may differ. */
  seesGas: boolean
  /** How much less gas every SSTORE so far would have taken, apart from its cost: it refuses to run on little gas. */
  storeSlack: number
  callFrom(from: Caller, request: CallRequest): CallResult
  createFrom(from: Caller, request: CreateRequest): CallResult & { readonly address: bigint }
}
