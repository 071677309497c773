// One running call: its program, stack, memory and gas.
import type { Code } from './code'
import { Memory } from './memory'

export type FrameStatus = 'running' | 'stopped' | 'reverted' | 'failed'

/** What a call is about to run. */
export interface FrameStart {
  readonly code: Code
  readonly input: Uint8Array
  readonly gas: number
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
  gas: number
  status: FrameStatus = 'running'
  /** Why it failed; the reference's words. */
  fault = ''
  /** Of RETURN or REVERT. */
  output: Uint8Array = EMPTY
  /** Of the last call made from here. */
  returnData: Uint8Array = EMPTY
  /** Gas that the CALL about to run hands on, known once its cost was reckoned. */
  callGas = 0

  constructor(start: FrameStart) {
    this.code = start.code
    this.input = start.input
    this.gas = start.gas
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

  stop(output: Uint8Array = EMPTY): void {
    this.status = 'stopped'
    this.output = output
  }

  fail(reason: string): void {
    this.status = 'failed'
    this.fault = reason
  }
}
