// Instructions that call, create and destroy contracts.
import { EMPTY_BYTES } from '../../../../src/base/bytes'
import { type Frame, sharedOut } from './frame'
import { callGas, growGas, memoryFor, OUT_OF_REACH, perWordGas, selfdestructGas } from './gas'
import type { CallResult, MachineHost } from './host'
import { type Operation, type OperationTable, operation } from './operation'
import { ADDRESS_MASK } from './word'

const WARM = 100
const STIPEND = 2_300
const WRITE_PROTECTION = 'write protection'

type CallName = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'

function calls(name: CallName): Operation {
  const hasValue = name === 'CALL' || name === 'CALLCODE'
  const at = hasValue ? 3 : 2
  return operation(name, [hasValue ? 7 : 6, 1], WARM, {
    memory: (frame) => {
      const output = memoryFor(frame.peek(at + 2), frame.peek(at + 3))
      const input = memoryFor(frame.peek(at), frame.peek(at + 1))
      return input < 0 || output < 0 ? OUT_OF_REACH : Math.max(input, output)
    },
    extraGas: callGas({ hasValue, makesAccount: name === 'CALL' }),
    run: (frame, machine) => runCall(frame, machine, name),
  })
}

function runCall(frame: Frame, machine: MachineHost, name: CallName): void {
  const hasValue = name === 'CALL' || name === 'CALLCODE'
  const movesValue = hasValue && frame.peek(2) !== 0n
  if (name === 'CALL' && frame.isStatic && movesValue) return void frame.fail(WRITE_PROTECTION)
  frame.pop() // gas: `callGas` holds the forwarded amount
  const to = frame.pop() & ADDRESS_MASK
  const value = hasValue ? frame.pop() : 0n
  const input = frame.memory.view(Number(frame.pop()), Number(frame.pop())) // unchanged while its frame waits
  const outputAt = Number(frame.pop())
  const outputLength = Number(frame.pop())
  const given = handedOn(frame, movesValue ? STIPEND : 0)
  const result = machine.callFrom(frame, { kind: name, to, value, input, ...given })
  frame.push(result.error === null ? 1n : 0n)
  if (result.error === null || result.isRevert) {
    const length = Math.min(outputLength, result.output.length)
    frame.memory.fill(outputAt, result.output, 0, length)
  }
  frame.takeBack(result.gasLeft, result.reserveLeft)
  frame.returnData = result.output
}

/** Gas forwarded to a call; `callGas` in gas.ts has charged it. */
function handedOn(frame: Frame, stipend: number) {
  const gas = frame.callGas + stipend
  frame.callGas = 0
  if (frame.reserve === 0n) return { gas, reserve: 0n }
  frame.holdGas(frame.totalGas - frame.callTotal)
  return sharedOut(frame.callTotal + BigInt(stipend))
}

function creates(name: 'CREATE' | 'CREATE2'): Operation {
  const isSecond = name === 'CREATE2'
  return operation(name, [isSecond ? 4 : 3, 1], 32_000, {
    memory: (frame) => memoryFor(frame.peek(1), frame.peek(2)),
    extraGas: isSecond ? perWordGas(2, 6) : growGas,
    run: (frame, machine) => {
      if (frame.isStatic) return void frame.fail(WRITE_PROTECTION)
      const value = frame.pop()
      const code = frame.memory.view(Number(frame.pop()), Number(frame.pop())) // unchanged while its frame waits
      const salt = isSecond ? frame.pop() : null
      machine.seesGas = true
      const given = allButOne64th(frame)
      takeCreation(frame, machine.createFrom(frame, { kind: name, value, code, salt, ...given }))
    },
  })
}

function allButOne64th(frame: Frame) {
  if (frame.reserve === 0n) {
    const gas = frame.gas - Math.floor(frame.gas / 64)
    frame.gas -= gas
    return { gas, reserve: 0n }
  }
  const total = frame.totalGas
  frame.holdGas(total / 64n)
  return sharedOut(total - total / 64n)
}

function takeCreation(frame: Frame, result: CallResult & { readonly address: bigint }): void {
  frame.push(result.error === null ? result.address : 0n)
  frame.takeBack(result.gasLeft, result.reserveLeft)
  frame.returnData = result.isRevert ? result.output : EMPTY_BYTES
}

const selfdestruct = operation('SELFDESTRUCT', [1, 0], 5_000, {
  extraGas: selfdestructGas,
  run: (frame, machine) => {
    if (frame.isStatic) return void frame.fail(WRITE_PROTECTION)
    const { world, tracer } = machine
    const receiver = frame.pop() & ADDRESS_MASK
    const { balance } = world.account(frame.address)
    world.addBalance(receiver, balance)
    world.destruct(frame.address)
    tracer?.enter?.({
      kind: 'SELFDESTRUCT',
      from: frame.address,
      to: receiver,
      input: EMPTY_BYTES,
      gas: 0,
      value: balance,
    })
    tracer?.exit?.({ output: EMPTY_BYTES, gasUsed: 0, error: null })
    frame.stop()
  },
})

export const CALLS: OperationTable = new Map([
  [0xf0, creates('CREATE')],
  [0xf1, calls('CALL')],
  [0xf2, calls('CALLCODE')],
  [0xf4, calls('DELEGATECALL')],
  [0xf5, creates('CREATE2')],
  [0xfa, calls('STATICCALL')],
  [0xff, selfdestruct],
])
