// Parses account_signTypedData's parameters into a hash and its display (test/vectors/signer/typed-data.json).

import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, joinBytes } from '../../base/bytes'
import { fromHex, type LowerAddress, toHex } from '../../base/hex'
import { isJsonObject } from '../../base/json-text'
import { SignerError } from '../errors'
import { argumentsBetween, requiredAddress } from '../model/arguments'
import type { DisplayEntry, SignableData } from '../model/signable'
import type { SpelledAddress } from '../model/transaction'
import { quote, shownValue, typedFault, within } from './faults'
import { checkTypes, DOMAIN_TYPE, type Member, parseType, type TypeTable, type ValueType } from './types'
import { encodeLeaf, integerOfText, mismatch } from './values'

interface HashedStruct {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly entries: readonly DisplayEntry[]
}

const DEEPEST = 64
/** Members, structs and elements of a document: nobody reads more, and each takes about 0.05 ms. */
const MAX_VALUES = 4_096
const MAX_LISTED = 20

/** hashStruct of EIP-712, and in the same pass the display. Hashes values of one type table; each type string is built once. */
export class StructHasher {
  readonly #typeHashes = new Map<string, Uint8Array>()
  readonly #memberTypes = new Map<string, ValueType>()
  #valuesLeft = MAX_VALUES
  readonly #unsigned: string[] | null
  readonly #isStrict: boolean

  /**
   * @param types validated
   * @param unsigned gets the names of members that no type declares, as far as they can be listed; null: they are refused
   * @param strict true: a type without members is refused, as by clef
   */
  constructor(
    private readonly types: TypeTable,
    unsigned: string[] | null = null,
    strict = false,
  ) {
    this.#unsigned = unsigned
    this.#isStrict = strict
  }

  /** @param data only own members are read @throws SignerError SIGNER_TYPED_DATA_INVALID */
  hash(typeName: string, data: object, depth = 0): HashedStruct {
    if (depth > DEEPEST) throw typedFault(`nested deeper than ${DEEPEST} levels`)
    const members = this.types.get(typeName) ?? []
    this.#checkMembers(typeName, members, data)
    const words: Uint8Array[] = [this.#typeHash(typeName)]
    const entries: DisplayEntry[] = []
    for (const { name, type } of members) {
      try {
        const { word, shown } = this.#value(this.#typeOf(type), own(data, name), depth)
        words.push(word)
        entries.push({ name, value: shown, type })
      } catch (error) {
        throw within(error, name)
      }
    }
    return { hash: keccak_256(joinBytes(words)), entries }
  }

  /** `Mail(Person from,Person to,string contents)Person(string name,address wallet)` */
  encodeType(typeName: string): string {
    const found = new Set<string>()
    this.#collect(typeName, found)
    found.delete(typeName)
    return [typeName, ...[...found].sort(byCodeUnit)].map((name) => this.#signature(name)).join('')
  }

  #value(type: ValueType, value: unknown, depth: number): { word: Uint8Array; shown: DisplayEntry['value'] } {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0) throw typedFault(`more than ${MAX_VALUES} values, want at most ${MAX_VALUES}`)
    if (type.kind === 'struct') {
      if (!isJsonObject(value)) throw mismatch(value, type)
      const { hash, entries } = this.hash(type.name, value, depth + 1)
      return { word: hash, shown: entries }
    }
    if (type.kind !== 'array') return encodeLeaf(type, value)
    if (!Array.isArray(value)) throw mismatch(value, type)
    if (type.length !== null && value.length !== type.length) {
      throw typedFault(`${value.length} elements, want ${type.length} (${type.text})`)
    }
    if (value.length > this.#valuesLeft) {
      throw typedFault(`${value.length} elements, want at most ${MAX_VALUES} values in a document`)
    }
    const elements = value.map((element: unknown, index) => {
      try {
        return this.#value(type.element, element, depth + 1)
      } catch (error) {
        throw within(error, `[${index}]`)
      }
    })
    return {
      word: keccak_256(joinBytes(elements.map(({ word }) => word))),
      shown: elements.map(({ shown }, index) => ({ name: `[${index}]`, value: shown, type: type.element.text })),
    }
  }

  /** @throws SignerError SIGNER_TYPED_DATA_INVALID for a missing type, and for undeclared members */
  #checkMembers(typeName: string, members: readonly Member[], data: object): void {
    const given = Object.keys(data)
    if (this.#unsigned !== null && this.types.has(typeName)) {
      this.#noteUndeclared(typeName, { names: new Set(members.map(({ name }) => name)), given }, this.#unsigned)
      return
    }
    const isEmpty = members.length === 0 && (this.#isStrict || !this.types.has(typeName))
    if (!isEmpty && given.length <= members.length) return
    const reference = `there is extra data provided in the message (${members.length} < ${given.length})`
    if (members.length > 0) {
      const names = members.map(({ name }) => name)
      const extra = given.find((name) => !names.includes(name))
      throw typedFault(`unknown member ${shownValue(extra)}, ${typeName} has ${listed(names)}`, reference)
    }
    const isThere = this.types.has(typeName)
    const own = `${isThere ? 'no members in' : 'no'} type ${quote(typeName)}, there are ${listed([...this.types.keys()])}`
    throw typedFault(own, given.length > 0 ? reference : undefined)
  }

  #noteUndeclared(
    typeName: string,
    { names, given }: { readonly names: ReadonlySet<string>; readonly given: readonly string[] },
    unsigned: string[],
  ): void {
    for (const name of given) {
      if (names.has(name) || unsigned.length > MAX_LISTED) continue
      const shown = `${shownValue(name)} of ${typeName}`
      if (!unsigned.includes(shown)) unsigned.push(shown)
    }
  }

  #typeOf(text: string): ValueType {
    const known = this.#memberTypes.get(text) ?? parseType(this.types, text)
    this.#memberTypes.set(text, known)
    return known
  }

  #typeHash(typeName: string): Uint8Array {
    const known = this.#typeHashes.get(typeName) ?? keccak_256(new TextEncoder().encode(this.encodeType(typeName)))
    this.#typeHashes.set(typeName, known)
    return known
  }

  #collect(typeName: string, found: Set<string>): void {
    const left = [typeName]
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (found.has(name)) continue
      found.add(name)
      for (const { type } of this.types.get(name) ?? []) {
        const base = type.replace(/(?:\[\d*\])+$/, '')
        if (this.types.has(base)) left.push(base)
      }
    }
  }

  #signature(typeName: string): string {
    const members: readonly Member[] = this.types.get(typeName) ?? []
    return `${typeName}(${members.map(({ name, type }) => `${type} ${name}`).join(',')})`
  }
}

function listed(names: readonly string[]): string {
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  return `${names.slice(0, MAX_LISTED).join(', ')}${rest}`
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export interface TypedDataRequest {
  readonly address: SpelledAddress
  readonly data: SignableData
  readonly document: TypedDocument
}

export interface TypedDocument {
  readonly types: TypeTable
  readonly primaryType: string
  /** Known members, nonempty but for `name` and `version`; `chainId` as decimal text. */
  readonly domain: Readonly<Record<string, string>>
  readonly message: Readonly<Record<string, unknown>>
}

const ARGUMENT = 1
const DOMAIN_TEXTS = ['name', 'version', 'verifyingContract', 'salt'] as const
const PREFIX = Uint8Array.of(0x19, 0x01)

/** @throws SignerError SIGNER_ARGUMENT_*, SIGNER_TYPED_DATA_INVALID */
export function parseSignTypedData(params: readonly unknown[], strict = false): TypedDataRequest {
  argumentsBetween(params, 2, 2)
  const address = requiredAddress(params, 0)
  const document = parseDocument(params[ARGUMENT])
  return { address, data: signableDocument(document, strict), document }
}

/** @throws SignerError SIGNER_ARGUMENT_INVALID */
export function parseDocument(given: unknown): TypedDocument {
  if (!isJsonObject(given)) throw invalid('document is not an object')
  const primaryType = own(given, 'primaryType') ?? ''
  if (typeof primaryType !== 'string') throw invalid('primaryType is not a string')
  const message = own(given, 'message') ?? {}
  if (!isJsonObject(message)) throw invalid('message is not an object')
  return { types: parseTypes(own(given, 'types')), primaryType, domain: parseDomain(own(given, 'domain')), message }
}

/**
 * @param given from parseDocument
 * @param strict true: only what clef signs, too: plain names, no undeclared members, no empty domain
 * @throws SignerError SIGNER_TYPED_DATA_INVALID
 */
export function signableDocument(given: TypedDocument, strict = false): SignableData {
  const { primaryType, domain, message } = given
  const isEmpty = Object.keys(domain).length === 0
  if (strict && isEmpty) {
    throw typedFault(`domain is empty, want at least one of chainId, ${DOMAIN_TEXTS.join(', ')}`, 'domain is undefined')
  }
  if (!strict && primaryType === DOMAIN_TYPE) {
    throw typedFault('primaryType is the domain: programs disagree on what signing it alone means')
  }
  const types = isEmpty && !given.types.has(DOMAIN_TYPE) ? withEmptyDomain(given.types) : given.types
  checkTypes(types, strict)
  // Undeclared members of the domain are refused: implementations disagree on what they mean.
  const domainHasher = new StructHasher(types, null, strict)
  const separator = hashPart(domainHasher, DOMAIN_TYPE, domain, types.has(DOMAIN_TYPE) ? 'domain' : 'types')
  const unsigned: string[] = []
  const hasher = new StructHasher(types, strict ? null : unsigned, strict)
  const content = hashPart(hasher, primaryType, message, types.has(primaryType) ? 'message' : 'primaryType')
  const hashed = concatBytes(PREFIX, separator.hash, content.hash)
  return {
    form: 'typed',
    contentType: 'data/typed',
    hashed,
    hash: keccak_256(hashed),
    text: null,
    readable: null,
    messages: [
      { name: DOMAIN_TYPE, value: separator.entries, type: 'domain' },
      { name: primaryType, value: content.entries, type: 'primary type' },
    ],
    ...(unsigned.length === 0 ? {} : { unsigned }),
    parityOffset: 27,
  }
}

/** The domain's contract, however it is spelled: with `0x` or without. Null when there is none, or no address. */
export function contractIn({ domain }: TypedDocument): LowerAddress | null {
  const bytes = fromHex(domain.verifyingContract ?? '')
  return bytes?.length === 20 ? toHex(bytes) : null
}

/** A document as plain JSON, in the form of devices and their libraries. Includes the domain's type, empty when there is none. The message is shared. */
export function plainDocument({ types, primaryType, domain, message }: TypedDocument) {
  const tables = [...types].map(([name, members]) => [name, members.map((member) => ({ ...member }))] as const)
  const domainMembers = tables.find(([name]) => name === DOMAIN_TYPE)?.[1] ?? []
  return { types: { ...Object.fromEntries(tables), [DOMAIN_TYPE]: domainMembers }, primaryType, domain, message }
}

function withEmptyDomain(types: TypeTable): TypeTable {
  return new Map([...types, [DOMAIN_TYPE, []]])
}

/** @param part of the document, for the error */
function hashPart(hasher: StructHasher, typeName: string, data: object, part: string): HashedStruct {
  try {
    return hasher.hash(typeName, data)
  } catch (error) {
    throw within(error, part)
  }
}

function parseTypes(given: unknown): TypeTable {
  if (given === undefined || given === null) return new Map()
  if (!isJsonObject(given)) throw invalid('types is not an object')
  return new Map(
    Object.entries(given).map(([name, members]) => {
      if (!Array.isArray(members)) throw invalid(`type ${JSON.stringify(name)} is not an array of members`)
      return [name, members.map((member: unknown) => parseMember(name, member))]
    }),
  )
}

function parseMember(typeName: string, given: unknown): Member {
  const name = isJsonObject(given) ? (own(given, 'name') ?? '') : null
  const type = isJsonObject(given) ? (own(given, 'type') ?? '') : null
  if (typeof name === 'string' && typeof type === 'string') return { name, type }
  throw invalid(`type ${JSON.stringify(typeName)} has a member without name and type as strings`)
}

function parseDomain(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {}
  if (!isJsonObject(given)) throw invalid('domain is not an object')
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    // An empty text is a value of a text member, and no value of the others.
    if (value === null || (value === '' && name !== 'name' && name !== 'version')) continue
    if (name === 'chainId') out.chainId = chainIdText(value)
    else if (!DOMAIN_TEXTS.some((known) => known === name)) {
      throw invalid(`domain: unknown member ${JSON.stringify(name.slice(0, 100))}`)
    } else if (typeof value !== 'string') throw invalid(`domain.${name}: not a string`)
    else out[name] = value
  }
  return out
}

function chainIdText(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
  if (typeof value !== 'string') throw invalid('domain.chainId: not a decimal or hex string')
  try {
    return integerOfText(value).toString()
  } catch (cause) {
    const reason = `invalid hex or decimal integer ${JSON.stringify(value.slice(0, 100))}`
    throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason }, { cause })
  }
}

/** Own members only: every object's `constructor` isn't a value from a caller. */
function own(record: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(record, name)?.value
}

function invalid(reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason })
}
