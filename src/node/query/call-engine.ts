// Runs the calls of eth_call and `outcome` on the WebAssembly engine where it is present. The TypeScript interpreter runs
// what that engine doesn't decide, and everything else that queries execute.
import { hasCode, messageOf } from '../../base/errors'
import { encodeAccount } from '../execution/account'
import type { WireCallResult, WireFault } from '../execution/wasm/call-wire'
import type { EngineHost } from '../execution/wasm/instance'
import { type WasmCallOutcome, WasmCalls } from '../execution/wasm/wasm-calls'
import type { StateBlock } from './block-state'
import { fitsStack, stackFault } from './evm/machine'
import type { Operation } from './evm/operation'
import { undefinedFault } from './evm/operations'
import { type Applied, type Message, type MessageResult, refusedForFunds, refusedForGas } from './evm/transition'
import { addressBytes } from './evm/word'
import type { StateOverride } from './query-wire'

/** A call, and how it is stopped. */
export interface EngineCall {
  readonly block: StateBlock
  readonly message: Message
  readonly overrides: readonly StateOverride[]
  readonly isOver: () => boolean
}

/** The end of a call; what an aborted one returned means nothing. */
export type EngineAnswer = { readonly applied: Applied; readonly aborted: false } | { readonly aborted: true }

/** What calls read besides the state. */
export interface CallEngineDeps {
  readonly module: WasmModule
  readonly chainId: bigint
  readonly operations: readonly Operation[]
  /** Hash of a block's ancestor; null when unknown. */
  readonly ancestorHash: (block: StateBlock, height: bigint) => Uint8Array | null
  /** Called when the module broke, with the reason: the interpreter runs that call. */
  readonly warn: (reason: string) => void
}

const UNKNOWN_HASH = new Uint8Array(32)
const ACCOUNT = 'a'.charCodeAt(0)
const SLOT = 's'.charCodeAt(0)
const ADDRESS_BYTES = 20
const MAX_NONCE = 2n ** 64n - 1n

/** One per worker. */
export class CallEngine {
  readonly #calls: WasmCalls

  constructor(private readonly deps: CallEngineDeps) {
    this.#calls = new WasmCalls(deps.module)
  }

  /** @returns null when the interpreter must run it. @throws what reading the state throws */
  run(call: EngineCall): EngineAnswer | null {
    const { message, overrides } = call
    if (!overrides.every(isSupported)) return null
    const outcome = this.#tried(call)
    if (outcome.kind === 'stopped') return { aborted: true }
    if (outcome.kind === 'undecided') return null
    if (outcome.kind === 'refused') {
      const { isIntrinsic, balance } = outcome
      return { aborted: false, applied: isIntrinsic ? refusedForGas(message) : refusedForFunds(message, balance) }
    }
    const result = this.#resultOf(outcome.result, message)
    return result === null ? null : { aborted: false, applied: { kind: 'done', result } }
  }

  #tried(call: EngineCall): WasmCallOutcome {
    const { block, message, overrides } = call
    const { header } = block
    const { from, to, gas, gasPrice, value, data, accessList } = message
    const sent = { gasPrice, value, data, accessList, gas: BigInt(gas), from: addressBytes(from) }
    const where = { stateRoot: header.stateRoot, header, chainId: this.deps.chainId, overrides }
    try {
      return this.#calls.run({ ...sent, ...where, to: to === null ? null : addressBytes(to) }, this.#hostOf(call))
    } catch (error: unknown) {
      if (!hasCode(error, 'ENGINE_TRAPPED')) throw error
      this.deps.warn(messageOf(error))
      return { kind: 'undecided' }
    }
  }

  #hostOf({ block, isOver }: EngineCall): EngineHost {
    const { state, store } = block
    return {
      read: (key) => {
        if (key[0] === ACCOUNT) {
          const account = state.account(key.subarray(1))
          return account === null ? undefined : encodeAccount(account)
        }
        if (key[0] !== SLOT) return store.get(key)
        const value = state.slot(key.subarray(1, 1 + ADDRESS_BYTES), key.subarray(1 + ADDRESS_BYTES))
        return value.length === 0 ? undefined : value
      },
      ancestorHash: (height) => this.deps.ancestorHash(block, height) ?? UNKNOWN_HASH,
      isStopped: isOver,
    }
  }

  /** Null when the module can't tell why it failed. */
  #resultOf(ended: WireCallResult, message: Message): MessageResult | null {
    const { gasUsed, gasSpent, output, isRevert, failure } = ended
    const gas = { gasUsed: Number(gasUsed), gasSpent: Number(gasSpent) }
    if (isRevert) return { ...gas, output, isRevert, error: 'execution reverted' }
    if (failure === null) return { ...gas, output, isRevert, error: null }
    const error = this.#errorOf(failure, message)
    return error === null ? null : { ...gas, output, isRevert, error }
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

const OUT_OF_GAS = 'out of gas'

const TEXTS: ReadonlyMap<WireFault, string> = new Map([
  ['jump', 'invalid jump destination'],
  ['code size', 'max code size exceeded'],
  ['collision', 'contract address collision'],
])

/** Changed slots keep their stored value for the price of the next change, which the module can't be told. */
function isSupported({ nonce, stateDiff }: StateOverride): boolean {
  return stateDiff === null && (nonce === null || nonce <= MAX_NONCE)
}
