// Pure computation: arithmetic, comparison, bits, keccak.

import type { Frame } from './frame'
import { expGas, memoryFor, perWordGas } from './gas'
import { type OperationTable, operation } from './operation'
import { wordOfBytes, wrap } from './word'

const VERY_LOW = 3
const LOW = 5
const MID = 8

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)
const unsigned = (value: bigint): bigint => BigInt.asUintN(256, value)

function binary(name: string, gas: number, apply: (a: bigint, b: bigint) => bigint) {
  const run = (frame: Frame): void => {
    const a = frame.pop()
    frame.replaceTop(apply(a, frame.peek(0)))
  }
  return operation(name, [2, 1], gas, { run })
}

function unary(name: string, apply: (a: bigint) => bigint) {
  return operation(name, [1, 1], VERY_LOW, { run: (frame) => frame.replaceTop(apply(frame.peek(0))) })
}

function ternary(name: string, apply: (a: bigint, b: bigint, c: bigint) => bigint) {
  const run = (frame: Frame): void => {
    const a = frame.pop()
    const b = frame.pop()
    frame.replaceTop(apply(a, b, frame.peek(0)))
  }
  return operation(name, [3, 1], MID, { run })
}

const truth = (value: boolean): bigint => (value ? 1n : 0n)

const keccak = operation('KECCAK256', [2, 1], 30, {
  memory: (frame) => memoryFor(frame.peek(0), frame.peek(1)),
  extraGas: perWordGas(1, 6),
  run: (frame, machine) => {
    const at = Number(frame.pop())
    const data = frame.memory.view(at, Number(frame.peek(0)))
    frame.replaceTop(wordOfBytes(machine.keccak256(data)))
  },
})

export const ARITHMETIC: OperationTable = new Map([
  [0x01, binary('ADD', VERY_LOW, (a, b) => wrap(a + b))],
  [0x02, binary('MUL', LOW, (a, b) => wrap(a * b))],
  [0x03, binary('SUB', VERY_LOW, (a, b) => (a >= b ? a - b : wrap(a - b)))],
  [0x04, binary('DIV', LOW, (a, b) => (b === 0n ? 0n : a / b))],
  [0x05, binary('SDIV', LOW, (a, b) => (b === 0n ? 0n : unsigned(signed(a) / signed(b))))],
  [0x06, binary('MOD', LOW, (a, b) => (b === 0n ? 0n : a % b))],
  [0x07, binary('SMOD', LOW, (a, b) => (b === 0n ? 0n : unsigned(signed(a) % signed(b))))],
  [0x08, ternary('ADDMOD', (a, b, n) => (n === 0n ? 0n : (a + b) % n))],
  [0x09, ternary('MULMOD', (a, b, n) => (n === 0n ? 0n : (a * b) % n))],
  [0x0a, operation('EXP', [2, 1], 0, { extraGas: expGas, run: runExp })],
  [0x0b, binary('SIGNEXTEND', LOW, signExtend)],
  [0x10, binary('LT', VERY_LOW, (a, b) => truth(a < b))],
  [0x11, binary('GT', VERY_LOW, (a, b) => truth(a > b))],
  [0x12, binary('SLT', VERY_LOW, (a, b) => truth(signed(a) < signed(b)))],
  [0x13, binary('SGT', VERY_LOW, (a, b) => truth(signed(a) > signed(b)))],
  [0x14, binary('EQ', VERY_LOW, (a, b) => truth(a === b))],
  [0x15, unary('ISZERO', (a) => truth(a === 0n))],
  [0x16, binary('AND', VERY_LOW, (a, b) => a & b)],
  [0x17, binary('OR', VERY_LOW, (a, b) => a | b)],
  [0x18, binary('XOR', VERY_LOW, (a, b) => a ^ b)],
  [0x19, unary('NOT', (a) => wrap(~a))],
  [0x1a, binary('BYTE', VERY_LOW, (at, value) => (at > 31n ? 0n : (value >> (8n * (31n - at))) & 0xffn))],
  [0x1b, binary('SHL', VERY_LOW, (by, value) => (by > 255n ? 0n : wrap(value << by)))],
  [0x1c, binary('SHR', VERY_LOW, (by, value) => (by > 255n ? 0n : value >> by))],
  [0x1d, binary('SAR', VERY_LOW, (by, value) => unsigned(signed(value) >> (by > 255n ? 255n : by)))],
  [0x20, keccak],
])

function runExp(frame: Frame): void {
  let base = frame.pop()
  let exponent = frame.peek(0)
  let result = 1n
  while (exponent > 0n) {
    if ((exponent & 1n) === 1n) result = wrap(result * base)
    exponent >>= 1n
    if (exponent > 0n) base = wrap(base * base)
  }
  frame.replaceTop(result)
}

function signExtend(at: bigint, value: bigint): bigint {
  return at > 30n ? value : unsigned(BigInt.asIntN(8 * (Number(at) + 1), value))
}
