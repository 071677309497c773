// The instruction table's entry for each of the 256 byte values.
import type { Frame } from './frame'
import type { MachineHost } from './host'

/** One instruction: its operands, cost and effect. */
export interface Operation {
  readonly name: string
  readonly pops: number
  readonly pushes: number
  /** Static gas. */
  readonly gas: number
  /** Bytes of memory it needs, rounded up to words; -1 when it exceeds 64 bits. Null: none. */
  readonly memory: ((frame: Frame) => number) | null
  /** Dynamic gas; negative when not affordable. Null: none. */
  readonly extraGas: ((machine: MachineHost, frame: Frame, memoryBytes: number) => number | bigint) | null
  readonly run: (frame: Frame, machine: MachineHost) => void
  /** False for a byte that isn't an instruction under these rules. */
  readonly isDefined: boolean
}

/** Declares an instruction; omitted fields mean none. */
export function operation(
  name: string,
  stack: readonly [pops: number, pushes: number],
  gas: number,
  parts: Pick<Operation, 'run'> & Partial<Pick<Operation, 'memory' | 'extraGas' | 'isDefined'>>,
): Operation {
  const { memory = null, extraGas = null, isDefined = true, run } = parts
  return { name, pops: stack[0], pushes: stack[1], gas, memory, extraGas, run, isDefined }
}

/** By opcode; missing ones are invalid instructions. */
export type OperationTable = ReadonlyMap<number, Operation>
