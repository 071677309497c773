// The table of all 256 byte values. A value that isn't an instruction under these rules keeps its usual name, and
// fails.
import { ARITHMETIC } from './arithmetic'
import { CALLS } from './calls'
import { CONTROL } from './control'
import { ENVIRONMENT } from './environment'
import { type Operation, operation } from './operation'

/** Names that prlx knows for instructions that these rules lack. */
const NAMES_ONLY: ReadonlyMap<number, string> = new Map([
  [0x48, 'BASEFEE'],
  [0x5f, 'PUSH0'],
  [0xfe, 'INVALID'],
])

/** Index = byte value. */
export function createOperations(): readonly Operation[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const known = ARITHMETIC.get(byte) ?? ENVIRONMENT.get(byte) ?? CONTROL.get(byte) ?? CALLS.get(byte)
    return known ?? undefinedOperation(byte)
  })
}

function undefinedOperation(byte: number): Operation {
  const name = NAMES_ONLY.get(byte) ?? `opcode 0x${byte.toString(16)} not defined`
  return operation(name, [0, 0], 0, { run: (frame) => frame.fail(undefinedFault(name)), isDefined: false })
}

/** The error of an undefined instruction. */
export function undefinedFault(name: string): string {
  return `invalid opcode: ${name}`
}
