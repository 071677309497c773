// Parses method signatures as callers and databases write them: `transfer(address,uint256)`, tuples in parentheses.
// Contract ABI specification of Solidity; only commas separate.
import { keccak_256 } from '@noble/hashes/sha3.js'

/** `name` of a parameter, where names are read. */
export type AbiType = { readonly name?: string } & (
  | { readonly kind: 'uint' | 'int'; readonly bits: number; readonly text: string }
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string'; readonly text: string }
  | { readonly kind: 'fixedBytes'; readonly size: number; readonly text: string }
  /** `length` null = dynamic. */
  | { readonly kind: 'array'; readonly element: AbiType; readonly length: number | null; readonly text: string }
  | { readonly kind: 'tuple'; readonly members: readonly AbiType[]; readonly text: string }
)

export interface MethodSignature {
  readonly name: string
  readonly inputs: readonly AbiType[]
  /** Canonical spelling: `uint` is `uint256`. */
  readonly text: string
  /** First four bytes of its keccak256. */
  readonly selector: Uint8Array
}

/** Why a text isn't a signature. */
export class SignatureFault extends Error {}

const LONGEST = 2_048
const DEEPEST = 16

/** @param isNamed each parameter may have a name, and blanks before it, as in descriptors @throws SignatureFault */
export function parseSignature(text: string, isNamed = false): MethodSignature {
  if (text.length > LONGEST) throw new SignatureFault(`longer than ${LONGEST} characters`)
  const reader = new Reader(text, isNamed)
  const name = reader.take(/^[A-Za-z_$][\w$]*/)
  if (name === '') throw new SignatureFault(`${JSON.stringify(text)} does not begin with a name`)
  const inputs = readMembers(reader, 0)
  if (!reader.isAtEnd()) throw new SignatureFault(`unexpected ${JSON.stringify(reader.rest())} behind the signature`)
  const canonical = `${name}(${inputs.map((input) => input.text).join(',')})`
  return { name, inputs, text: canonical, selector: keccak_256(new TextEncoder().encode(canonical)).subarray(0, 4) }
}

class Reader {
  #at = 0

  constructor(
    private readonly text: string,
    readonly isNamed: boolean,
  ) {}

  rest(): string {
    return this.text.slice(this.#at)
  }

  isAtEnd(): boolean {
    return this.#at === this.text.length
  }

  /** Consumes and returns what matches here; empty when nothing does. @param pattern begins with ^ */
  take(pattern: RegExp): string {
    const found = pattern.exec(this.rest())?.[0] ?? ''
    this.#at += found.length
    return found
  }

  expect(character: string): void {
    if (this.text.charAt(this.#at) !== character) {
      throw new SignatureFault(`expected '${character}', got ${JSON.stringify(this.text.charAt(this.#at))}`)
    }
    this.#at += 1
  }

  has(character: string): boolean {
    return this.text.charAt(this.#at) === character
  }
}

function readMembers(reader: Reader, depth: number): readonly AbiType[] {
  if (depth > DEEPEST) throw new SignatureFault(`tuples nested deeper than ${DEEPEST}`)
  reader.expect('(')
  const members: AbiType[] = []
  if (reader.has(')')) {
    reader.expect(')')
    return members
  }
  for (;;) {
    members.push(reader.isNamed ? readNamed(reader, depth) : readType(reader, depth))
    if (reader.has(')')) break
    reader.expect(',')
  }
  reader.expect(')')
  return members
}

function readNamed(reader: Reader, depth: number): AbiType {
  reader.take(/^\s+/)
  if (reader.isAtEnd()) reader.expect(')')
  const type = readType(reader, depth)
  const name = reader.take(/^\s+[A-Za-z_]\w*/).trim()
  reader.take(/^\s*/)
  return name === '' ? type : { ...type, name }
}

function readType(reader: Reader, depth: number): AbiType {
  let type = reader.has('(') ? tupleOf(readMembers(reader, depth + 1)) : readElementary(reader)
  for (let nested = 0; reader.has('['); nested++) {
    if (nested > DEEPEST) throw new SignatureFault(`arrays nested deeper than ${DEEPEST}`)
    const suffix = reader.take(/^\[(?:[1-9]\d{0,8})?\]/)
    if (suffix === '') throw new SignatureFault(`malformed array behind ${type.text}`)
    const length = suffix === '[]' ? null : Number(suffix.slice(1, -1))
    type = { kind: 'array', element: type, length, text: `${type.text}${suffix}` }
  }
  return type
}

function tupleOf(members: readonly AbiType[]): AbiType {
  return { kind: 'tuple', members, text: `(${members.map((member) => member.text).join(',')})` }
}

function readElementary(reader: Reader): AbiType {
  const word = reader.take(/^[A-Za-z][A-Za-z0-9]*/)
  if (word === '') throw new SignatureFault('failed to parse type: empty type')
  if (word === 'address' || word === 'bool' || word === 'bytes' || word === 'string') return { kind: word, text: word }
  const integer = /^(u?int)([1-9]\d{0,2})?$/.exec(word)
  if (integer !== null) {
    const bits = Number(integer[2] ?? 256)
    const kind = integer[1] === 'int' ? 'int' : 'uint'
    if (bits % 8 === 0 && bits <= 256) return { kind, bits, text: `${kind}${bits}` }
  }
  const size = /^bytes([1-9]|[12]\d|3[0-2])$/.exec(word)?.[1]
  if (size !== undefined) return { kind: 'fixedBytes', size: Number(size), text: word }
  throw new SignatureFault(`unsupported arg type: ${word}`)
}

export const WORD = 32

/** Whether it is behind an offset. */
export function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'bytes':
    case 'string':
      return true
    case 'array':
      return type.length === null || isDynamic(type.element)
    case 'tuple':
      return type.members.some(isDynamic)
    default:
      return false
  }
}

/** Bytes it takes in the head: one word when dynamic. May exceed any data's length; never compared exactly. */
export function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD
  if (type.kind === 'array') return (type.length ?? 0) * headSize(type.element)
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headSize(member), 0)
  return WORD
}
