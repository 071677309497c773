// Instructions that read the call, the block and other accounts.
import type { Frame } from './frame'
import { accountGas, extCodeCopyGas, memoryFor, perWordGas } from './gas'
import type { MachineHost } from './host'
import { type Operation, type OperationTable, operation } from './operation'
import { ADDRESS_MASK, wordOfBytes } from './word'

const BASE = 2
const VERY_LOW = 3
const WARM = 100

function reads(name: string, read: (frame: Frame, machine: MachineHost) => bigint, gas = BASE): Operation {
  return operation(name, [0, 1], gas, { run: (frame, machine) => frame.push(read(frame, machine)) })
}

function ofAccount(name: string, read: (address: bigint, machine: MachineHost) => bigint): Operation {
  const run = (frame: Frame, machine: MachineHost): void =>
    frame.replaceTop(read(frame.peek(0) & ADDRESS_MASK, machine))
  return operation(name, [1, 1], WARM, { extraGas: accountGas, run })
}

/** The sender's depends on the price of its gas. */
function balanceOf(address: bigint, machine: MachineHost): bigint {
  machine.seesGas = true
  return machine.world.account(address).balance
}

/** Copies to memory: destination, source offset, length. */
function copies(name: string, source: (frame: Frame) => Uint8Array): Operation {
  return operation(name, [3, 0], VERY_LOW, {
    memory: (frame) => memoryFor(frame.peek(0), frame.peek(2)),
    extraGas: perWordGas(2, 3),
    run: (frame) => copyPart(frame, source(frame)),
  })
}

function copyPart(frame: Frame, source: Uint8Array): void {
  const to = Number(frame.pop())
  const from = frame.pop()
  const length = Number(frame.pop())
  frame.memory.fill(to, source, from > BigInt(source.length) ? source.length : Number(from), length)
}

const extCodeCopy = operation('EXTCODECOPY', [4, 0], WARM, {
  memory: (frame) => memoryFor(frame.peek(1), frame.peek(3)),
  extraGas: extCodeCopyGas,
  run: (frame, machine) => {
    const address = frame.pop() & ADDRESS_MASK
    copyPart(frame, machine.world.account(address).code.bytes)
  },
})

const returnDataCopy = operation('RETURNDATACOPY', [3, 0], VERY_LOW, {
  memory: (frame) => memoryFor(frame.peek(0), frame.peek(2)),
  extraGas: perWordGas(2, 3),
  run: (frame) => {
    if (frame.peek(1) + frame.peek(2) > BigInt(frame.returnData.length))
      return void frame.fail('return data out of bounds')
    copyPart(frame, frame.returnData)
  },
})

const callDataLoad = operation('CALLDATALOAD', [1, 1], VERY_LOW, {
  run: (frame) => {
    const at = frame.peek(0)
    if (at >= BigInt(frame.input.length)) return void frame.replaceTop(0n)
    const part = frame.input.subarray(Number(at), Number(at) + 32)
    frame.replaceTop(wordOfBytes(part) << BigInt(8 * (32 - part.length)))
  },
})

const blockHash = operation('BLOCKHASH', [1, 1], 20, {
  run: (frame, machine) => {
    const number = frame.peek(0)
    const current = machine.block.number
    const isNear = number < current && number + 256n >= current
    frame.replaceTop(isNear ? wordOfBytes(machine.block.ancestorHash(number) ?? new Uint8Array(0)) : 0n)
  },
})

export const ENVIRONMENT: OperationTable = new Map([
  [0x30, reads('ADDRESS', (frame) => frame.address)],
  [0x31, ofAccount('BALANCE', balanceOf)],
  [0x32, reads('ORIGIN', (_frame, machine) => machine.origin)],
  [0x33, reads('CALLER', (frame) => frame.caller)],
  [0x34, reads('CALLVALUE', (frame) => frame.value)],
  [0x35, callDataLoad],
  [0x36, reads('CALLDATASIZE', (frame) => BigInt(frame.input.length))],
  [0x37, copies('CALLDATACOPY', (frame) => frame.input)],
  [0x38, reads('CODESIZE', (frame) => BigInt(frame.code.bytes.length))],
  [0x39, copies('CODECOPY', (frame) => frame.code.bytes)],
  [0x3a, reads('GASPRICE', (_frame, machine) => machine.gasPrice)],
  [0x3b, ofAccount('EXTCODESIZE', (address, machine) => BigInt(machine.world.account(address).code.bytes.length))],
  [0x3c, extCodeCopy],
  [0x3d, reads('RETURNDATASIZE', (frame) => BigInt(frame.returnData.length))],
  [0x3e, returnDataCopy],
  [0x3f, ofAccount('EXTCODEHASH', codeHash)],
  [0x40, blockHash],
  [0x41, reads('COINBASE', (_frame, machine) => machine.block.coinbase)],
  [0x42, reads('TIMESTAMP', (_frame, machine) => machine.block.timestamp)],
  [0x43, reads('NUMBER', (_frame, machine) => machine.block.number)],
  [0x44, reads('DIFFICULTY', (_frame, machine) => machine.block.difficulty)],
  [0x45, reads('GASLIMIT', (_frame, machine) => machine.block.gasLimit)],
  [0x46, reads('CHAINID', (_frame, machine) => machine.block.chainId)],
  [0x47, reads('SELFBALANCE', (frame, machine) => balanceOf(frame.address, machine), 5)],
])

function codeHash(address: bigint, machine: MachineHost): bigint {
  if (machine.world.isEmpty(address)) return 0n
  return wordOfBytes(machine.world.account(address).codeHash)
}
