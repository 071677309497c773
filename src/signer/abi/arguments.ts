// A call's arguments. They are decoded from hostile bytes: offsets and lengths are accepted only inside the data, and the
// work is bounded by its length: otherwise offsets that all point to one place would multiply it.
import { bigintFromBytes, bytesFromBigint, joinBytes } from '../../base/bytes'
import { type AbiType, headSize, isDynamic, WORD } from './signature'

/** A value with its type; `bytes` holds strings too, undecoded. */
export type AbiValue =
  | { readonly type: AbiType; readonly kind: 'integer'; readonly integer: bigint }
  | { readonly type: AbiType; readonly kind: 'bool'; readonly bool: boolean }
  | { readonly type: AbiType; readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: AbiType; readonly kind: 'list'; readonly items: readonly AbiValue[] }

/** Why bytes don't hold these arguments. */
export class ArgumentsFault extends Error {}

/** Maximum number of values in a canonical encoding of this many words, plus some that take no word. */
const SPARE_VALUES = 1_024

/** @param data after the selector @throws ArgumentsFault */
export function decodeArguments(inputs: readonly AbiType[], data: Uint8Array): readonly AbiValue[] {
  return new Decoder(data).members(inputs, 0, 0)
}

class Decoder {
  readonly #data: Uint8Array
  #valuesLeft: number

  constructor(data: Uint8Array) {
    this.#data = data
    this.#valuesLeft = data.length / WORD + SPARE_VALUES
  }

  /** @param base origin of offsets @param start first head */
  members(types: readonly AbiType[], base: number, start: number): readonly AbiValue[] {
    const values: AbiValue[] = []
    let at = start
    for (const type of types) {
      values.push(this.#value(type, base, at))
      at += headSize(type)
    }
    return values
  }

  #value(type: AbiType, base: number, head: number): AbiValue {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0) throw new ArgumentsFault('offsets make more values than the data has words')
    const at = isDynamic(type) ? base + this.#length(head) : head
    switch (type.kind) {
      case 'bytes':
      case 'string':
        return { type, kind: 'bytes', bytes: this.#slice(at + WORD, this.#length(at)) }
      case 'array':
        return { type, kind: 'list', items: this.#array(type, at) }
      case 'tuple':
        return { type, kind: 'list', items: this.members(type.members, at, at) }
      case 'fixedBytes':
        return { type, kind: 'bytes', bytes: this.#slice(at, WORD).subarray(0, type.size) }
      case 'address':
        return { type, kind: 'bytes', bytes: this.#slice(at, WORD).subarray(WORD - 20) }
      case 'bool':
        return { type, kind: 'bool', bool: this.#bool(at) }
      default:
        return { type, kind: 'integer', integer: this.#integer(type.kind, type.bits, at) }
    }
  }

  #array(type: AbiType & { readonly kind: 'array' }, at: number): readonly AbiValue[] {
    const length = type.length ?? this.#length(at)
    const start = type.length === null ? at + WORD : at
    if (length > this.#valuesLeft) throw new ArgumentsFault(`${length} elements are more than the data has words`)
    return this.members(new Array<AbiType>(length).fill(type.element), start, start)
  }

  #bool(at: number): boolean {
    const word = bigintFromBytes(this.#slice(at, WORD))
    if (word > 1n) throw new ArgumentsFault('improperly encoded boolean value')
    return word === 1n
  }

  #integer(kind: 'uint' | 'int', bits: number, at: number): bigint {
    const word = bigintFromBytes(this.#slice(at, WORD))
    const value = kind === 'uint' ? BigInt.asUintN(bits, word) : BigInt.asIntN(bits, word)
    // A value wider than its type is an error in clef, not ignored padding.
    if (BigInt.asUintN(256, value) !== word) throw new ArgumentsFault(`improperly encoded ${kind}${bits} value`)
    return value
  }

  /** An offset or length, inside the data. */
  #length(at: number): number {
    const word = bigintFromBytes(this.#slice(at, WORD))
    if (word > BigInt(this.#data.length)) throw new ArgumentsFault(`offset or length ${word} is behind the data`)
    return Number(word)
  }

  #slice(at: number, length: number): Uint8Array {
    if (at + length > this.#data.length) {
      throw new ArgumentsFault(`length insufficient ${this.#data.length} require ${at + length}`)
    }
    return this.#data.subarray(at, at + length)
  }
}

/** Canonically: data that differs from this encoding hides something. */
export function encodeArguments(values: readonly AbiValue[]): Uint8Array {
  const heads: Uint8Array[] = []
  const tails: Uint8Array[] = []
  let tailAt = values.reduce((sum, value) => sum + headSize(value.type), 0)
  for (const value of values) {
    const body = encodeBody(value)
    if (isDynamic(value.type)) {
      heads.push(word(BigInt(tailAt)))
      tails.push(body)
      tailAt += body.length
    } else heads.push(body)
  }
  return joinBytes([...heads, ...tails])
}

function encodeBody(value: AbiValue): Uint8Array {
  switch (value.kind) {
    case 'integer':
      return word(BigInt.asUintN(256, value.integer))
    case 'bool':
      return word(value.bool ? 1n : 0n)
    case 'list': {
      const items = encodeArguments(value.items)
      const isCounted = value.type.kind === 'array' && value.type.length === null
      return isCounted ? joinBytes([word(BigInt(value.items.length)), items]) : items
    }
    default:
      return encodeBytes(value.type.kind, value.bytes)
  }
}

function encodeBytes(kind: AbiValue['type']['kind'], bytes: Uint8Array): Uint8Array {
  const isCounted = kind === 'bytes' || kind === 'string'
  const out = new Uint8Array(isCounted ? Math.ceil(bytes.length / WORD) * WORD : WORD)
  out.set(bytes, kind === 'address' ? WORD - bytes.length : 0)
  return isCounted ? joinBytes([word(BigInt(bytes.length)), out]) : out
}

function word(value: bigint): Uint8Array {
  return bytesFromBigint(value, WORD)
}
