// Runs the calls of eth_call and `outcome` on the WebAssembly engine if it is available. The TypeScript interpreter
// runs what that engine doesn't decide, and everything else that queries execute.
import { hasCode, messageOf } from '../../base/errors'
import { encodeAccount } from '../execution/account'
import { readOnce } from '../execution/block-limits'
import { fitsStack, stackFault } from '../execution/interpreter/machine'
import type { Operation } from '../execution/interpreter/operation'
import { undefinedFault } from '../execution/interpreter/operations'
import {
  type Applied,
  type Message,
  type MessageResult,
  type Refused,
  refusedForFunds,
  refusedForGas,
} from '../execution/interpreter/transition'
import { addressBytes } from '../execution/interpreter/word'
import { encodeCallBlock, type WireCall, type WireCallResult, type WireFault } from '../execution/wasm/call-wire'
import type { EngineHost } from '../execution/wasm/instance'
import type { KeptInstance } from '../execution/wasm/kept-instance'
import { type WasmCallOutcome, WasmCalls } from '../execution/wasm/wasm-calls'
import { stateKeys } from '../store/keys'
import type { StateBlock } from './block-state'
import type { StateOverride } from './query-wire'

/** A call, and how to stop it. */
interface EngineCall {
  readonly block: StateBlock
  readonly message: Message
  readonly overrides: readonly StateOverride[]
  readonly isOver: () => boolean
}

/** The end of a call; the result of an aborted one means nothing. */
type EngineAnswer = { readonly applied: Applied; readonly aborted: false } | { readonly aborted: true }

/** What calls read besides the state. */
interface CallEngineDeps {
  readonly kept: KeptInstance
  readonly chainId: bigint
  readonly operations: readonly Operation[]
  readonly boundsCalls: boolean
  /** Hash of a block's ancestor; null when unknown. */
  readonly ancestorHash: (block: StateBlock, height: bigint) => Uint8Array | null
  /** Called when the module broke, with the reason: the interpreter runs that call. */
  readonly warn: (reason: string) => void
}

/** What BLOCKHASH returns for it. */
export const UNKNOWN_HASH = new Uint8Array(32)
const ACCOUNT = 'a'.charCodeAt(0)
const SLOT = 's'.charCodeAt(0)
const ADDRESS_BYTES = 20
const MAX_NONCE = 2n ** 64n - 1n

/** What calls in one block share. */
interface PreparedBlock extends Pick<EngineHost, 'read' | 'ancestorHash'> {
  readonly block: StateBlock
  readonly bytes: Uint8Array
}

/** One per session. */
export class CallEngine {
  readonly #calls: WasmCalls
  #last: PreparedBlock | null = null

  constructor(private readonly deps: CallEngineDeps) {
    this.#calls = new WasmCalls(deps.kept, deps.boundsCalls)
  }

  /** @returns null when the interpreter must run it. @throws what reading the state throws */
  run(call: EngineCall): EngineAnswer | null {
    const { message, overrides } = call
    if (!overrides.every(isSupported)) return null
    const outcome = this.#tried(call)
    if (outcome.kind === 'stopped') return { aborted: true }
    if (outcome.kind === 'undecided') return null
    if (outcome.kind === 'refused') return { aborted: false, applied: refusalOf(message, outcome) }
    const result = this.#resultOf(outcome.result, message)
    return result === null ? null : { aborted: false, applied: { kind: 'done', result } }
  }

  #tried({ block, message, overrides, isOver }: EngineCall): WasmCallOutcome {
    const run = (): WasmCallOutcome => {
      const { bytes, read, ancestorHash } = this.#prepared(block)
      return this.#calls.run(bytes, wireCall(message, overrides), { read, ancestorHash, isStopped: isOver })
    }
    return unlessTrapped(run, this.deps.warn) ?? { kind: 'undecided' }
  }

  /** Most calls are for the block of the last one. */
  #prepared(block: StateBlock): PreparedBlock {
    if (this.#last?.block === block) return this.#last
    const { header } = block
    const { chainId, ancestorHash } = this.deps
    this.#last = {
      block,
      bytes: encodeCallBlock({ stateRoot: header.stateRoot, header, chainId }),
      read: readerOf(block),
      ancestorHash: readOnce((height) => ancestorHash(block, height) ?? UNKNOWN_HASH),
    }
    return this.#last
  }

  /** Null when the module can't tell why it failed. */
  #resultOf(ended: WireCallResult, message: Message): MessageResult | null {
    const { gasUsed, gasSpent, output, isRevert, failure } = ended
    const error = isRevert ? 'execution reverted' : failure === null ? null : this.#errorOf(failure, message)
    return failure !== null && error === null ? null : { gasUsed, gasSpent, output, isRevert, error }
  }

  /** The reference checks the stack first, then whether the instruction exists, then the memory it needs, then gas. */
  #errorOf({ fault, step }: NonNullable<WireCallResult['failure']>, { to }: Message): string | null {
    const operation = step === null ? undefined : this.deps.operations[step.opcode]
    if (step !== null && operation !== undefined) {
      if (!fitsStack(operation, step.height)) return stackFault(operation, step.height)
      if (!operation.isDefined) return undefinedFault(operation.name)
    }
    if (fault === 'gas') {
      if (operation !== undefined) return operation.memory === null ? OUT_OF_GAS : null
      return to === null ? 'contract creation code storage out of gas' : OUT_OF_GAS
    }
    return TEXTS.get(fault) ?? null
  }
}

/**
 * What `body` returns; null when the module broke, with the reason to `warn`.
 * @throws anything else that `body` throws
 */
export function unlessTrapped<T>(body: () => T, warn: (reason: string) => void): T | null {
  try {
    return body()
  } catch (error: unknown) {
    if (!hasCode(error, 'ENGINE_TRAPPED')) throw error
    warn(messageOf(error))
    return null
  }
}

/** The module's refusal in words. */
export function refusalOf(
  message: Message,
  { isIntrinsic, balance }: Extract<WasmCallOutcome, { kind: 'refused' }>,
): Refused {
  return isIntrinsic ? refusedForGas(message) : refusedForFunds(message, balance)
}

/** The message in the module's form. */
export function wireCall(message: Message, overrides: readonly StateOverride[]): WireCall {
  const { to, gas, gasPrice, value, data, accessList } = message
  const from = addressBytes(message.from)
  return { from, to: to === null ? null : addressBytes(to), gas, gasPrice, value, data, accessList, overrides }
}

/** Reads the block's state by the keys of the head's; every storage looks like the first of its address. */
export function readerOf({ state, store }: StateBlock): EngineHost['read'] {
  return (key) => {
    if (key[0] === ACCOUNT) {
      const account = state.account(key.subarray(1))
      return account === null ? undefined : encodeAccount(account)
    }
    if (stateKeys.isIncarnation(key)) return undefined
    if (key[0] !== SLOT) return store.get(key)
    const value = state.slot(key.subarray(1, 1 + ADDRESS_BYTES), key.subarray(1 + ADDRESS_BYTES))
    return value.length === 0 ? undefined : value
  }
}

const OUT_OF_GAS = 'out of gas'

const TEXTS: ReadonlyMap<WireFault, string> = new Map([
  ['jump', 'invalid jump destination'],
  ['code size', 'max code size exceeded'],
  ['collision', 'contract address collision'],
])

/** Changed slots keep their stored value for the price of the next change, which the module can't be told. */
export function isSupported({ nonce, stateDiff, moveTo }: StateOverride): boolean {
  return stateDiff === null && moveTo == null && (nonce === null || nonce <= MAX_NONCE)
}
