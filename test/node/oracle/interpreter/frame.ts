// A call in progress: its code, stack, memory and gas.
import { EMPTY_BYTES } from '../../../../src/base/bytes'
import type { Code } from './code'
import { Memory } from './memory'

/** `failed` consumes all gas of the call, `reverted` returns what is left. */
type FrameStatus = 'running' | 'stopped' | 'reverted' | 'failed'

/** What a call is started with. */
interface FrameStart {
  readonly code: Code
  readonly input: Uint8Array
  readonly gas: number
  readonly reserve: bigint
  /** The account whose storage and balance apply. */
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  /** State changes are forbidden. */
  readonly isStatic: boolean
  /** 1 = called by the transaction */
  readonly depth: number
}

/**
 * Gas above this is held in a bigint, which no single charge reaches: memory would run out first. Half the range of a
 * number, so that the sum of two such numbers is exact.
 */
export const RESERVED_FROM = 2n ** 52n
const MAX_NUMBER = Number(RESERVED_FROM)

/** Splits gas into a number and a reserve. */
export function sharedOut(total: bigint): { readonly gas: number; readonly reserve: bigint } {
  if (total <= RESERVED_FROM) return { gas: Number(total), reserve: 0n }
  return { gas: Number(RESERVED_FROM), reserve: total - RESERVED_FROM }
}

/** The state of one call. The stack holds 256-bit words as unsigned bigints, at most 1,024. */
export class Frame {
  readonly code: Code
  readonly input: Uint8Array
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  readonly isStatic: boolean
  readonly depth: number
  readonly memory = new Memory()
  /** Bottom first. */
  readonly stack: bigint[] = []
  pc = 0
  /** The part that a number holds exactly, see RESERVED_FROM. */
  gas: number
  /** The rest: 0 for any gas that a block of this chain can have. */
  reserve: bigint
  status: FrameStatus = 'running'
  /** Why it failed; prlx's text. */
  fault = ''
  /** Of RETURN or REVERT. */
  output: Uint8Array = EMPTY_BYTES
  /** Of the last call made by this frame. */
  returnData: Uint8Array = EMPTY_BYTES
  /** Gas forwarded by the CALL about to run, set once its cost is known; 0 at any other time. */
  callGas = 0
  /** The same when there is a reserve: not yet deducted then. */
  callTotal = 0n

  constructor(start: FrameStart) {
    this.code = start.code
    this.input = start.input
    this.gas = start.gas
    this.reserve = start.reserve
    this.address = start.address
    this.caller = start.caller
    this.value = start.value
    this.isStatic = start.isStatic
    this.depth = start.depth
  }

  push(value: bigint): void {
    this.stack.push(value)
  }

  /** The stack depth was checked before: it is never empty here. */
  pop(): bigint {
    return this.stack.pop() ?? 0n
  }

  /** Counted from the top, 0 = top. */
  peek(depth: number): bigint {
    return this.stack[this.stack.length - 1 - depth] ?? 0n
  }

  replaceTop(value: bigint): void {
    this.stack[this.stack.length - 1] = value
  }

  get totalGas(): bigint {
    return BigInt(this.gas) + this.reserve
  }

  /** Splits `total` between the number and the reserve. */
  holdGas(total: bigint): void {
    const { gas, reserve } = sharedOut(total)
    this.gas = gas
    this.reserve = reserve
  }

  /** Gas returned by a call. */
  takeBack(gasLeft: number, reserveLeft: bigint): void {
    const sum = this.gas + gasLeft
    if (sum <= MAX_NUMBER && this.reserve === 0n && reserveLeft === 0n) this.gas = sum
    else this.holdGas(this.totalGas + BigInt(gasLeft) + reserveLeft)
  }

  stop(output: Uint8Array = EMPTY_BYTES): void {
    this.status = 'stopped'
    this.output = output
  }

  fail(reason: string): void {
    this.status = 'failed'
    this.fault = reason
  }
}
