// hashStruct of EIP-712, and in the same pass the display: what is displayed is what was hashed.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { joinBytes } from '../../base/bytes'
import { isJsonObject } from '../../base/json-text'
import type { DisplayEntry } from '../model/signable'
import { quote, shownValue, typedFault, within } from './faults'
import { type Member, parseType, type TypeTable, type ValueType } from './types'
import { encodeLeaf, mismatch } from './values'

export interface HashedStruct {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly entries: readonly DisplayEntry[]
}

const DEEPEST = 64
/**
 * Maximum values of a document: members, structs and elements of arrays. Nobody reads more; hashing and displaying them
 * takes about 0.05 ms each.
 */
const MAX_VALUES = 4_096
/** Maximum names in one error. */
const MAX_LISTED = 20

/** Hashes values of one type table. Each type string is built once. */
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
        const { word, shown } = this.#value(this.#typeOf(type), ownMember(data, name), depth)
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

/** Own members only: every object's `constructor` isn't a value from a caller. */
function ownMember(data: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(data, name)?.value
}

function listed(names: readonly string[]): string {
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  return `${names.slice(0, MAX_LISTED).join(', ')}${rest}`
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
