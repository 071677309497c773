// What the table of instructions holds for each of the 256 byte values.
import type { Frame } from './frame'
import type { MachineHost } from './host'

/** One instruction: what it takes, costs and does. */
export interface Operation {
  readonly name: string
  readonly pops: number
  readonly pushes: number
  /** Fixed part of its gas. */
  readonly gas: number
  /** Bytes of memory it needs, whole words; -1 when 64 bits do not hold them. Null: none. */
  readonly memory: ((frame: Frame) => number) | null
  /** The rest of its gas; negative when it cannot be paid for. Null: none. */
  readonly extraGas: ((machine: MachineHost, frame: Frame, memoryBytes: number) => number | bigint) | null
  readonly run: (frame: Frame, machine: MachineHost) => void
}

/** Declares one; what is left out is nothing. */
export function operation(
  name: string,
  stack: readonly [pops: number, pushes: number],
  gas: number,
  parts: Pick<Operation, 'run'> & Partial<Pick<Operation, 'memory' | 'extraGas'>>,
): Operation {
  const { memory = null, extraGas = null, run } = parts
  return { name, pops: stack[0], pushes: stack[1], gas, memory, extraGas, run }
}

/** By opcode; what isn't in it is an invalid instruction. */
export type OperationTable = ReadonlyMap<number, Operation>
