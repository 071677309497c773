// One value of an EIP-712 document: its 32-byte word and its display. Nothing is guessed: a value without the JSON type
// that its EIP-712 type requires is rejected.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesFromBigint } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { fromHex, toHex } from '../../base/hex'
import { quote, shownValue, typedFault } from './faults'
import type { ValueType } from './types'

const MAX_LENGTH = 200

/** How clef prints a JSON value (%v); long ones are truncated. */
function referenceText(value: unknown): string {
  return textOf(value, 0).slice(0, MAX_LENGTH)
}

/** Its name for the type of a JSON value that is neither number nor string. */
function referenceType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** More would be truncated anyway. */
const MAX_ITEMS = 100
const MAX_DEPTH = 20

function textOf(value: unknown, depth: number): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object') return String(value).slice(0, MAX_LENGTH)
  if (depth > MAX_DEPTH) return ''
  if (Array.isArray(value)) {
    return `[${value
      .slice(0, MAX_ITEMS)
      .map((item: unknown) => textOf(item, depth + 1))
      .join(' ')}]`
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return `map[${members
    .slice(0, MAX_ITEMS)
    .map(([name, item]) => `${name}:${textOf(item, depth + 1)}`)
    .join(' ')}]`
}

/** From a million on, and below 0.0001, with an exponent of at least two digits. */
function numberText(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return Object.is(value, -0) ? '-0' : String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

type LeafType = Exclude<ValueType, { readonly kind: 'array' | 'struct' }>

interface EncodedValue {
  /** 32 bytes, as encodeData wants it */
  readonly word: Uint8Array
  readonly shown: string
}

const WORD = 32
/** One of a pair of surrogates without the other: UTF-8 has no bytes for it. */
const HALF = /\p{Cs}/u
const LONGEST_NUMBER = 100

/** @throws SignerError SIGNER_TYPED_DATA_INVALID */
export function encodeLeaf(type: LeafType, value: unknown): EncodedValue {
  switch (type.kind) {
    case 'integer':
      return encodeInteger(type, value)
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, type)
      return { word: bytesFromBigint(value ? 1n : 0n, WORD), shown: String(value) }
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, type)
      if (HALF.test(value)) throw typedFault('half of a character, which programs sign in different ways')
      return { word: keccak_256(new TextEncoder().encode(value)), shown: value }
    case 'address': {
      const bytes = typeof value === 'string' ? fromHex(value) : null
      if (bytes?.length !== 20) throw mismatch(value, type)
      return { word: rightAligned(bytes), shown: checksumAddress(toHex(bytes)) }
    }
    case 'bytes': {
      const bytes = prefixedBytes(type, value)
      return { word: keccak_256(bytes), shown: toHex(bytes) }
    }
    default: {
      const bytes = prefixedBytes(type, value)
      if (bytes.length !== type.size) throw mismatch(value, type)
      const word = new Uint8Array(WORD)
      word.set(bytes)
      return { word, shown: toHex(bytes) }
    }
  }
}

/** The error for a value of the wrong type. @param value as sent; undefined = missing */
export function mismatch(value: unknown, type: ValueType): Error {
  const reference = `provided data '${referenceText(value)}' doesn't match type '${type.text}'`
  return typedFault(unwanted(value, type), reference)
}

function unwanted(value: unknown, type: ValueType): string {
  return value === undefined ? `missing, want ${wanted(type)}` : `want ${wanted(type)}, got ${shownValue(value)}`
}

function wanted(type: ValueType): string {
  switch (type.kind) {
    case 'struct':
      return `an object (${type.name})`
    case 'array':
      return `an array (${type.text})`
    case 'bool':
      return 'true or false'
    case 'string':
      return 'a string'
    case 'address':
      return 'an address, 40 hex digits'
    case 'bytes':
      return 'bytes, 0x and hex digits'
    case 'fixedBytes':
      return `${type.size} bytes, 0x and ${type.size * 2} hex digits`
    default:
      return `an integer (${type.text}): a decimal or 0x string, or a JSON number up to 2^53`
  }
}

function prefixedBytes(type: LeafType, value: unknown): Uint8Array {
  const bytes = typeof value === 'string' && /^0[xX]/.test(value) ? fromHex(value) : null
  if (bytes === null) throw mismatch(value, type)
  return bytes
}

function encodeInteger(type: LeafType & { readonly kind: 'integer' }, value: unknown): EncodedValue {
  const number = integerOf(type, value)
  const { bits, isSigned, text } = type
  const size = BigInt(bits)
  const lowest = isSigned ? -(1n << (size - 1n)) : -((1n << size) - 1n)
  const highest = isSigned ? (1n << (size - 1n)) - 1n : (1n << size) - 1n
  const own = `${shownValue(value)} does not fit ${text}, want ${isSigned ? `-2^${bits - 1} to 2^${bits - 1}` : `0 to 2^${bits}`}-1`
  if (number < lowest || number > highest) throw typedFault(own, `integer larger than '${text}'`)
  if (!isSigned && number < 0n) throw typedFault(own, `invalid negative value for unsigned type ${text}`)
  const digits = number < 0n ? `-0x${(-number).toString(16)}` : `0x${number.toString(16)}`
  return { word: bytesFromBigint(BigInt.asUintN(256, number), WORD), shown: `${number} (${digits})` }
}

function integerOf(type: LeafType & { readonly kind: 'integer' }, value: unknown): bigint {
  const own = unwanted(value, type)
  if (typeof value === 'string') {
    const number = readInteger(value)
    if (number === null) throw typedFault(own, badInteger(value))
    return number
  }
  if (typeof value !== 'number') {
    const reference = `invalid integer value ${referenceText(value)}/${referenceType(value)} for type ${type.text}`
    throw typedFault(own, reference)
  }
  // JSON numbers above 2^53 have lost digits when parsed: the signed number would differ from the one sent.
  if (!Number.isSafeInteger(value)) {
    throw typedFault(own, `invalid float value ${referenceText(value)} for type ${type.text}`)
  }
  return BigInt(value)
}

/** Decimal, or `0x` hex, up to 256 bits. @throws SignerError SIGNER_TYPED_DATA_INVALID */
export function integerOfText(text: string): bigint {
  const number = readInteger(text)
  if (number === null) throw typedFault(badInteger(text))
  return number
}

function readInteger(text: string): bigint | null {
  const isNumber = /^(?:-?\d+|0[xX][0-9a-fA-F]+)$/.test(text) && text.length <= LONGEST_NUMBER
  const number = isNumber ? BigInt(text.startsWith('-') ? text.slice(1) : text.toLowerCase()) : null
  if (number === null || number >= 1n << 256n) return null
  return text.startsWith('-') ? -number : number
}

function badInteger(text: string): string {
  return `invalid hex or decimal integer ${quote(text)}`
}

function rightAligned(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD)
  word.set(bytes, WORD - bytes.length)
  return word
}
