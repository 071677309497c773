// An EIP-712 message as a tree of values, parsed with the functions that hash it: whatever a number's spelling, the
// value is what is signed. Members are found by name, in any case and order. Building it takes one step per value.
import { fromHex, type LowerAddress, toHex } from '../../base/hex'
import { parseType, type TypeTable, type ValueType } from '../typed-data/types'
import { integerOfText } from '../typed-data/values'

export type TypedLeaf =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'address'; readonly value: LowerAddress }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'text'; readonly value: string }

export interface TypedStruct {
  readonly type: string
  /** Leaves by lower-case name. */
  readonly leaves: ReadonlyMap<string, readonly TypedLeaf[]>
  /** Nested structs with the member's lower-case name; for arrays each element. */
  readonly inside: readonly { readonly name: string; readonly struct: TypedStruct }[]
}

/** @param message already hashed, so every value has its type's form */
export function structOf(types: TypeTable, type: string, message: object): TypedStruct {
  return new TreeBuilder(types).struct(type, message)
}

class TreeBuilder {
  readonly #parsed = new Map<string, ValueType>()

  constructor(private readonly types: TypeTable) {}

  struct(type: string, message: object): TypedStruct {
    const leaves = new Map<string, TypedLeaf[]>()
    const inside: { name: string; struct: TypedStruct }[] = []
    for (const member of this.types.get(type) ?? []) {
      const name = member.name.toLowerCase()
      const known = leaves.get(name) ?? []
      const value: unknown = Object.getOwnPropertyDescriptor(message, member.name)?.value
      this.#collect(this.#typeOf(member.type), value, {
        leaves: known,
        structs: (struct) => inside.push({ name, struct }),
      })
      if (known.length > 0) leaves.set(name, known)
    }
    return { type, leaves, inside }
  }

  #collect(
    type: ValueType,
    value: unknown,
    found: { readonly leaves: TypedLeaf[]; readonly structs: (struct: TypedStruct) => void },
  ): void {
    if (type.kind === 'array') {
      if (Array.isArray(value))
        for (const element of value as readonly unknown[]) this.#collect(type.element, element, found)
      return
    }
    if (type.kind === 'struct') {
      if (typeof value === 'object' && value !== null) found.structs(this.struct(type.name, value))
      return
    }
    const leaf = leafOf(type, value)
    if (leaf !== null) found.leaves.push(leaf)
  }

  #typeOf(text: string): ValueType {
    const known = this.#parsed.get(text) ?? parseType(this.types, text)
    this.#parsed.set(text, known)
    return known
  }
}

/** The struct itself and all nested ones, in the order of the document. */
export function* structsIn(root: TypedStruct): Generator<TypedStruct> {
  const left = [root]
  for (let struct = left.pop(); struct !== undefined; struct = left.pop()) {
    yield struct
    for (let i = struct.inside.length - 1; i >= 0; i--) {
      const next = struct.inside[i]?.struct
      if (next !== undefined) left.push(next)
    }
  }
}

function leafOf(type: ValueType, value: unknown): TypedLeaf | null {
  if (type.kind === 'integer') return integerLeaf(value)
  if (type.kind === 'bool') return typeof value === 'boolean' ? { kind: 'bool', value } : null
  if (typeof value !== 'string') return null
  if (type.kind === 'string') return { kind: 'text', value }
  const bytes = fromHex(value)
  if (bytes === null) return null
  return type.kind === 'address' ? { kind: 'address', value: toHex(bytes) } : { kind: 'bytes', value: bytes }
}

function integerLeaf(value: unknown): TypedLeaf | null {
  if (typeof value === 'string') return { kind: 'integer', value: integerOfText(value) }
  return typeof value === 'number' && Number.isSafeInteger(value) ? { kind: 'integer', value: BigInt(value) } : null
}

/** The first member with one of these names (lower case). */
export function addressIn({ leaves }: TypedStruct, names: readonly string[]): LowerAddress | null {
  for (const name of names) {
    const found = leaves.get(name)?.find((leaf) => leaf.kind === 'address')
    if (found?.kind === 'address') return found.value
  }
  return null
}

/** The first member with one of these names, as an integer; null if missing. */
export function numberIn({ leaves }: TypedStruct, names: readonly string[]): bigint | null {
  for (const name of names) {
    const found = leaves.get(name)?.find((leaf) => leaf.kind === 'integer')
    if (found?.kind === 'integer') return found.value
  }
  return null
}
