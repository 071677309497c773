// An EIP-712 message as a tree of values, read with the very functions that hash it: any spelling of a number means what
// is signed. Members are found by what they are called, whatever the case and the order.
import { fromHex, toHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { parseType, type TypeTable, type ValueType } from '../typed-data/types'
import { integerOfText } from '../typed-data/values'

export type TypedLeaf =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'address'; readonly value: LowerAddress }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'text'; readonly value: string }

export interface TypedStruct {
  /** As the document calls its type. */
  readonly type: string
  /** Leaves by their name in lower case. */
  readonly leaves: ReadonlyMap<string, readonly TypedLeaf[]>
  /** Structs inside, with the member's name in lower case; of arrays each element. */
  readonly inside: readonly { readonly name: string; readonly struct: TypedStruct }[]
}

/** @param message hashed before, so every value has the shape of its type */
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

/** The struct itself and all that are inside it. */
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

/** The first value of a member that has one of these names (lower case). */
export function addressIn({ leaves }: TypedStruct, names: readonly string[]): LowerAddress | null {
  for (const name of names) {
    const found = leaves.get(name)?.find((leaf) => leaf.kind === 'address')
    if (found?.kind === 'address') return found.value
  }
  return null
}

export function numberIn({ leaves }: TypedStruct, names: readonly string[]): bigint | null {
  for (const name of names) {
    const found = leaves.get(name)?.find((leaf) => leaf.kind === 'integer')
    if (found?.kind === 'integer') return found.value
  }
  return null
}
