// One running call: its program, stack, memory and gas.
import type { Code } from './code'
import { Memory } from './memory'

/** `failed` takes all gas of the call, `reverted` gives back what is left. */
export type FrameStatus = 'running' | 'stopped' | 'reverted' | 'failed'

/** What a call is about to run. */
export interface FrameStart {
  readonly code: Code
  readonly input: Uint8Array
  readonly gas: number
  readonly reserve: bigint
  /** Whose storage and balance count. */
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  /** No state may change. */
  readonly isStatic: boolean
  /** 1 = called by the transaction */
  readonly depth: number
}

const EMPTY = new Uint8Array(0)
/**
 * Gas above this waits in a bigint, which no single charge reaches: memory would be gone first. Half of what a number holds, so
 * that a sum of two such numbers is exact.
 */
export const RESERVED_FROM = 2n ** 52n
const MAX_NUMBER = Number(RESERVED_FROM)

/** Gas as a number, and what of it waits in reserve. */
export function sharedOut(total: bigint): { readonly gas: number; readonly reserve: bigint } {
  if (total <= RESERVED_FROM) return { gas: Number(total), reserve: 0n }
  return { gas: Number(RESERVED_FROM), reserve: total - RESERVED_FROM }
}

/** The state of one call. The stack holds 256-bit words as unsigned bigints, 1,024 at most. */
export class Frame {
  readonly code: Code
  readonly input: Uint8Array
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  readonly isStatic: boolean
  readonly depth: number
  readonly memory = new Memory()
  /** Lowest first. */
  readonly stack: bigint[] = []
  pc = 0
  /** As much of it as a number holds exactly, see RESERVED_FROM. */
  gas: number
  /** The rest: 0 for any gas that a block of this chain has. */
  reserve: bigint
  status: FrameStatus = 'running'
  /** Why it failed; the reference's words. */
  fault = ''
  /** Of RETURN or REVERT. */
  output: Uint8Array = EMPTY
  /** Of the last call made from here. */
  returnData: Uint8Array = EMPTY
  /** Gas that the CALL about to run hands on, known once its cost was reckoned; 0 at any other time. */
  callGas = 0
  /** The same where there is a reserve: not yet taken from the gas then. */
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

  /** The stack's depth was checked before: nothing is popped from an empty one. */
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

  /** Shares `total` out between the number and the reserve. */
  holdGas(total: bigint): void {
    const { gas, reserve } = sharedOut(total)
    this.gas = gas
    this.reserve = reserve
  }

  /** Gas that a call gives back. */
  takeBack(gasLeft: number, reserveLeft: bigint): void {
    const sum = this.gas + gasLeft
    if (sum <= MAX_NUMBER && this.reserve === 0n && reserveLeft === 0n) this.gas = sum
    else this.holdGas(this.totalGas + BigInt(gasLeft) + reserveLeft)
  }

  stop(output: Uint8Array = EMPTY): void {
    this.status = 'stopped'
    this.output = output
  }

  fail(reason: string): void {
    this.status = 'failed'
    this.fault = reason
  }
}
