// Instructions for stack, memory, storage and control flow.
import type { Frame } from './frame'
import { growGas, logGas, memoryFor, sloadGas, sstoreGas } from './gas'
import type { MachineHost } from './host'
import { type Operation, type OperationTable, operation } from './operation'

const BASE = 2
const VERY_LOW = 3
const WRITE_PROTECTION = 'write protection'

function push(length: number): Operation {
  const run = (frame: Frame): void => {
    frame.push(frame.code.push(frame.pc, length))
    frame.pc += length
  }
  return operation(`PUSH${length}`, [0, 1], VERY_LOW, { run })
}

function dup(depth: number): Operation {
  return operation(`DUP${depth}`, [depth, depth + 1], VERY_LOW, { run: (frame) => frame.push(frame.peek(depth - 1)) })
}

function swap(depth: number): Operation {
  const run = ({ stack }: Frame): void => {
    const top = stack.length - 1
    const held = stack[top] ?? 0n
    stack[top] = stack[top - depth] ?? 0n
    stack[top - depth] = held
  }
  return operation(`SWAP${depth}`, [depth + 1, depth + 1], VERY_LOW, { run })
}

function log(topics: number): Operation {
  const run = (frame: Frame, { world }: MachineHost): void => {
    if (frame.isStatic) return void frame.fail(WRITE_PROTECTION)
    const at = Number(frame.pop())
    const length = Number(frame.pop())
    const listed = frame.stack.splice(frame.stack.length - topics, topics).reverse()
    if (world.keepsLogs) world.addLog({ address: frame.address, topics: listed, data: frame.memory.copy(at, length) })
  }
  const memory = (frame: Frame): number => memoryFor(frame.peek(0), frame.peek(1))
  return operation(`LOG${topics}`, [2 + topics, 0], 0, { memory, extraGas: logGas(topics), run })
}

/** RETURN and REVERT. */
function ends(name: string, status: 'stopped' | 'reverted'): Operation {
  return operation(name, [2, 0], 0, {
    memory: (frame) => memoryFor(frame.peek(0), frame.peek(1)),
    extraGas: growGas,
    run: (frame) => {
      const at = Number(frame.pop())
      frame.output = frame.memory.copy(at, Number(frame.pop()))
      frame.status = status
    },
  })
}

const gas = operation('GAS', [0, 1], BASE, {
  run: (frame, machine) => {
    machine.seesGas = true
    frame.push(frame.totalGas)
  },
})

const wordAt = (frame: Frame): number => memoryFor(frame.peek(0), 32n)
const count = (length: number): number[] => Array.from({ length }, (_, i) => i)

export const CONTROL: OperationTable = new Map([
  [0x00, operation('STOP', [0, 0], 0, { run: (frame) => frame.stop() })],
  [0x50, operation('POP', [1, 0], BASE, { run: (frame) => void frame.pop() })],
  [0x51, operation('MLOAD', [1, 1], VERY_LOW, { memory: wordAt, extraGas: growGas, run: load })],
  [0x52, operation('MSTORE', [2, 0], VERY_LOW, { memory: wordAt, extraGas: growGas, run: store })],
  [
    0x53,
    operation('MSTORE8', [2, 0], VERY_LOW, {
      memory: (frame) => memoryFor(frame.peek(0), 1n),
      extraGas: growGas,
      run: (frame) => frame.memory.setByte(Number(frame.pop()), Number(frame.pop() & 0xffn)),
    }),
  ],
  [
    0x54,
    operation('SLOAD', [1, 1], 0, {
      extraGas: sloadGas,
      run: (frame, { world }) => frame.replaceTop(world.slot(frame.address, frame.peek(0))),
    }),
  ],
  [
    0x55,
    operation('SSTORE', [2, 0], 0, {
      extraGas: sstoreGas,
      run: (frame, { world }) => {
        if (frame.isStatic) return void frame.fail(WRITE_PROTECTION)
        world.setSlot(frame.address, frame.pop(), frame.pop())
      },
    }),
  ],
  [0x56, operation('JUMP', [1, 0], 8, { run: (frame) => jump(frame, frame.pop()) })],
  [
    0x57,
    operation('JUMPI', [2, 0], 10, {
      run: (frame) => {
        const to = frame.pop()
        if (frame.pop() !== 0n) jump(frame, to)
      },
    }),
  ],
  [0x58, operation('PC', [0, 1], BASE, { run: (frame) => frame.push(BigInt(frame.pc)) })],
  [0x59, operation('MSIZE', [0, 1], BASE, { run: (frame) => frame.push(BigInt(frame.memory.size)) })],
  [0x5a, gas],
  [0x5b, operation('JUMPDEST', [0, 0], 1, { run: () => undefined })],
  ...count(32).map((i): [number, Operation] => [0x60 + i, push(i + 1)]),
  ...count(16).map((i): [number, Operation] => [0x80 + i, dup(i + 1)]),
  ...count(16).map((i): [number, Operation] => [0x90 + i, swap(i + 1)]),
  ...count(5).map((i): [number, Operation] => [0xa0 + i, log(i)]),
  [0xf3, ends('RETURN', 'stopped')],
  [0xfd, ends('REVERT', 'reverted')],
])

function load(frame: Frame): void {
  frame.replaceTop(frame.memory.word(Number(frame.peek(0))))
}

function store(frame: Frame): void {
  frame.memory.setWord(Number(frame.pop()), frame.pop())
}

/** Sets pc to one before the target: the loop increments it. */
function jump(frame: Frame, to: bigint): void {
  if (!frame.code.mayJumpTo(to)) return void frame.fail('invalid jump destination')
  frame.pc = Number(to) - 1
}
