// The type table of an EIP-712 document: parsed and validated before the user is asked. The texts are clef's,
// and name the type.
import { quote, typedFault } from './faults'

export interface Member {
  readonly name: string
  /** As written; part of the type string and so of the hash. */
  readonly type: string
}

export type TypeTable = ReadonlyMap<string, readonly Member[]>

export type ValueType =
  /** `length` null = dynamic. */
  | { readonly kind: 'array'; readonly element: ValueType; readonly length: number | null; readonly text: string }
  | { readonly kind: 'struct'; readonly name: string; readonly text: string }
  | { readonly kind: 'integer'; readonly isSigned: boolean; readonly bits: number; readonly text: string }
  | { readonly kind: 'fixedBytes'; readonly size: number; readonly text: string }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes'; readonly text: string }

export const DOMAIN_TYPE = 'EIP712Domain'

/** Type strings are hashed once per type, so a table must not be so large that this takes long. */
const MAX_TYPES = 256
const MAX_TABLE_TEXT = 64 * 1024
const MAX_NESTED_ARRAYS = 8
/**
 * Brackets, commas and blanks separate names in a type string: with them in a name, two type strings could be equal, and
 * what is displayed would not be what is hashed. Invisible characters could make two names look alike.
 */
const AMBIGUOUS = /[()[\],\p{C}\p{Z}]/u
/** What clef accepts. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
/** Implementations disagree on whether these are built-in types. */
const NEARLY_BUILTIN = /^(?:u?int|bytes)\d*$/

/** @param strict true: only names that clef accepts @throws SignerError SIGNER_TYPED_DATA_INVALID */
export function checkTypes(types: TypeTable, strict = false): void {
  if (types.size > MAX_TYPES) throw typedFault(`${types.size} types, want at most ${MAX_TYPES}`)
  let length = 0
  for (const [name, members] of types) {
    length += name.length + members.reduce((sum, member) => sum + member.name.length + member.type.length, 0)
    if (length > MAX_TABLE_TEXT) throw typedFault(`types are longer than ${MAX_TABLE_TEXT} characters`)
  }
  for (const [name, members] of types) checkMembers(types, { name, members }, strict)
  requireOneOrder([...types.keys()])
}

/** Type strings list names in order, which is by UTF-16 in some implementations and by code point in others. */
function requireOneOrder(names: readonly string[]): void {
  const late = names.find((name) => /[\uE000-\uFFFF]/.test(name))
  const beyond = names.find((name) => /[\u{10000}-\u{10FFFF}]/u.test(name))
  if (late === undefined || beyond === undefined) return
  throw typedFault(`types ${quote(late)} and ${quote(beyond)} have no order that all programs agree on`)
}

function isName(name: string, strict: boolean): boolean {
  return strict ? IDENTIFIER.test(name) : !AMBIGUOUS.test(name)
}

function checkMembers(
  types: TypeTable,
  { name: typeName, members }: { readonly name: string; readonly members: readonly Member[] },
  strict: boolean,
): void {
  if (typeName === '') throw typedFault('empty type key')
  if (!isName(typeName, strict)) throw typedFault(`type ${quote(typeName)}: invalid type key`)
  // Its name in a type string would be ambiguous with the built-in type.
  if (primitive(typeName) !== null || NEARLY_BUILTIN.test(typeName))
    throw typedFault(`type ${quote(typeName)} has the name of a built-in type`)
  const seen = new Set<string>()
  for (const [index, { name, type }] of members.entries()) {
    const where = `type ${quote(typeName)}:${index}`
    if (type === '') throw typedFault(`${where}: empty Type`)
    if (name === '') throw typedFault(`${where}: empty Name`)
    if (!isName(name, strict)) throw typedFault(`${where}: invalid Name`)
    if (seen.has(name)) throw typedFault(`${where}: repeated Name`)
    seen.add(name)
    if (type === typeName) throw typedFault(`type ${quote(type)} cannot reference itself`)
    const isReference = parseType(types, type).kind !== 'array' && types.has(type)
    if (strict && isReference && !/^[A-Z]\w*$/.test(type)) throw typedFault(`unknown type ${quote(type)}`)
  }
}

/** @throws SignerError SIGNER_TYPED_DATA_INVALID for an undefined type */
export function parseType(types: TypeTable, text: string): ValueType {
  const match = /^([^[\]]*)((?:\[\d*\])*)$/.exec(text)
  const base = match?.[1] ?? ''
  const isReference = types.has(base)
  if (!isReference && /^[A-Z]/.test(text)) throw typedFault(`reference type ${quote(text)} is undefined`)
  if (match === null) throw typedFault(`unknown type ${quote(text)}`)
  const inner: ValueType | null = isReference ? { kind: 'struct', name: base, text: base } : primitive(base)
  if (inner === null) throw typedFault(`unknown type ${quote(text)}`)
  const suffixes = (match[2] ?? '').match(/\[\d*\]/g) ?? []
  if (suffixes.length > MAX_NESTED_ARRAYS) throw typedFault(`unknown type ${quote(text)}`)
  return suffixes.reduce((element, suffix) => arrayOf(element, suffix, text), inner)
}

function arrayOf(element: ValueType, suffix: string, whole: string): ValueType {
  const digits = suffix.slice(1, -1)
  if (digits !== '' && !/^[1-9]\d{0,8}$/.test(digits)) throw typedFault(`unknown type ${quote(whole)}`)
  const length = digits === '' ? null : Number(digits)
  return { kind: 'array', element, length, text: `${element.text}${suffix}` }
}

function primitive(text: string): ValueType | null {
  if (text === 'address' || text === 'bool' || text === 'string' || text === 'bytes') return { kind: text, text }
  const integer = /^(u?)int(8|16|24|32|40|48|56|64|[1-9]\d{1,2})?$/.exec(text)
  if (integer !== null) {
    const bits = Number(integer[2] ?? 256)
    return bits % 8 === 0 && bits <= 256 ? { kind: 'integer', isSigned: integer[1] === '', bits, text } : null
  }
  const size = /^bytes([1-9]|[12]\d|3[0-2])$/.exec(text)?.[1]
  return size === undefined ? null : { kind: 'fixedBytes', size: Number(size), text }
}
