// One value of an EIP-712 document: its 32-byte word and what a person reads. Nothing is guessed: what does not have
// the JSON type that its EIP-712 type wants is refused.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesFromBigint } from '../../base/bytes'
import { fromHex, toHex } from '../../base/hex'
import { checksumAddress } from '../address'
import { quote, typedFault, type ValueType } from './types'

/** A type that is neither array nor struct. */
export type LeafType = Exclude<ValueType, { readonly kind: 'array' | 'struct' }>

export interface EncodedValue {
  /** 32 bytes, as encodeData wants it */
  readonly word: Uint8Array
  readonly shown: string
}

const WORD = 32
const LONGEST_NUMBER = 100

/** @throws SignerError SIGNER_TYPED_DATA_INVALID */
export function encodeLeaf(type: LeafType, value: unknown): EncodedValue {
  switch (type.kind) {
    case 'integer':
      return encodeInteger(type, value)
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, type.text)
      return { word: bytesFromBigint(value ? 1n : 0n, WORD), shown: String(value) }
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, type.text)
      return { word: keccak_256(new TextEncoder().encode(value)), shown: value }
    case 'address': {
      const bytes = typeof value === 'string' ? fromHex(value) : null
      if (bytes?.length !== 20) throw mismatch(value, type.text)
      return { word: rightAligned(bytes), shown: checksumAddress(toHex(bytes)) }
    }
    case 'bytes': {
      const bytes = prefixedBytes(type, value)
      return { word: keccak_256(bytes), shown: toHex(bytes) }
    }
    default: {
      const bytes = prefixedBytes(type, value)
      if (bytes.length !== type.size) throw mismatch(value, type.text)
      const word = new Uint8Array(WORD)
      word.set(bytes)
      return { word, shown: toHex(bytes) }
    }
  }
}

/** @throws SignerError SIGNER_TYPED_DATA_INVALID with the reference's text for a value of the wrong JSON type */
export function mismatch(value: unknown, type: string): Error {
  return typedFault(`provided data '${goText(value)}' doesn't match type '${type}'`)
}

function prefixedBytes(type: LeafType, value: unknown): Uint8Array {
  const bytes = typeof value === 'string' && /^0[xX]/.test(value) ? fromHex(value) : null
  if (bytes === null) throw mismatch(value, type.text)
  return bytes
}

function encodeInteger(type: LeafType & { readonly kind: 'integer' }, value: unknown): EncodedValue {
  const number = integerOf(type.text, value)
  const { bits, isSigned, text } = type
  const size = BigInt(bits)
  const lowest = isSigned ? -(1n << (size - 1n)) : -((1n << size) - 1n)
  const highest = isSigned ? (1n << (size - 1n)) - 1n : (1n << size) - 1n
  if (number < lowest || number > highest) throw typedFault(`integer larger than '${text}'`)
  if (!isSigned && number < 0n) throw typedFault(`invalid negative value for unsigned type ${text}`)
  const digits = number < 0n ? `-0x${(-number).toString(16)}` : `0x${number.toString(16)}`
  return { word: bytesFromBigint(BigInt.asUintN(256, number), WORD), shown: `${number} (${digits})` }
}

function integerOf(type: string, value: unknown): bigint {
  if (typeof value === 'string') return integerOfText(value)
  if (typeof value !== 'number')
    throw typedFault(`invalid integer value ${goText(value)}/${goType(value)} for type ${type}`)
  // Above 2^53 JSON numbers have lost digits by the time they are read: another number would be signed than was sent.
  if (!Number.isSafeInteger(value)) throw typedFault(`invalid float value ${goText(value)} for type ${type}`)
  return BigInt(value)
}

/** Decimal, or hex behind `0x`, up to 256 bits. @throws SignerError SIGNER_TYPED_DATA_INVALID */
export function integerOfText(text: string): bigint {
  const isNumber = /^(?:-?\d+|0[xX][0-9a-fA-F]+)$/.test(text) && text.length <= LONGEST_NUMBER
  const number = isNumber ? BigInt(text.startsWith('-') ? text.slice(1) : text.toLowerCase()) : null
  if (number === null || number >= 1n << 256n) throw typedFault(`invalid hex or decimal integer ${quote(text)}`)
  return text.startsWith('-') ? -number : number
}

function rightAligned(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD)
  word.set(bytes, WORD - bytes.length)
  return word
}

/** Go's %v, as the reference's texts have it; long values are cut. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.slice(0, 8).map(goText).join(' ')}]`
  if (typeof value === 'object') return 'map[…]'
  return String(value).slice(0, 200)
}

function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}
