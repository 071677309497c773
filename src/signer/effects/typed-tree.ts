// An EIP-712 message as a tree of values, parsed with the functions that hash it: whatever a number's spelling, the
// value is what is signed. Members are found by name, in any case and order.
import { fromHex, toHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { parseType, type TypeTable, type ValueType } from '../typed-data/types'
import { integerOfText } from '../typed-data/values'

/** A value in the tree. */
export type TypedLeaf =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'address'; readonly value: LowerAddress }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'text'; readonly value: string }

/** A struct in the tree. */
export interface TypedStruct {
  /** Its type name in the document. */
  readonly type: string
  /** Leaves by lower-case name. */
  readonly leaves: ReadonlyMap<string, readonly TypedLeaf[]>
  /** Nested structs with the member's lower-case name; for arrays each element. */
  readonly inside: readonly { readonly name: string; readonly struct: TypedStruct }[]
}

/** @param message already hashed, so every value has its type's form */
export function structOf(types: TypeTable, type: string, message: object): TypedStruct {
  const leaves = new Map<string, readonly TypedLeaf[]>()
  const inside: { name: string; struct: TypedStruct }[] = []
  for (const member of types.get(type) ?? []) {
    const name = member.name.toLowerCase()
    const value: unknown = Object.getOwnPropertyDescriptor(message, member.name)?.value
    for (const { found, of } of flat(parseType(types, member.type), value)) {
      if (of.kind === 'struct') {
        if (typeof found === 'object' && found !== null) inside.push({ name, struct: structOf(types, of.name, found) })
        continue
      }
      const leaf = leafOf(of, found)
      if (leaf !== null) leaves.set(name, [...(leaves.get(name) ?? []), leaf])
    }
  }
  return { type, leaves, inside }
}

/** The struct itself and all nested ones. */
export function structsIn(root: TypedStruct): readonly TypedStruct[] {
  return [root, ...root.inside.flatMap(({ struct }) => structsIn(struct))]
}

function flat(type: ValueType, value: unknown): readonly { readonly of: ValueType; readonly found: unknown }[] {
  if (type.kind !== 'array') return [{ of: type, found: value }]
  return Array.isArray(value) ? value.flatMap((element: unknown) => flat(type.element, element)) : []
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
