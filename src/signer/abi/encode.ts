// Encodes arguments canonically: data that differs from this encoding hides something.
import { bytesFromBigint, joinBytes } from '../../base/bytes'
import type { AbiValue } from './decode'
import { headSize, isDynamic, WORD } from './layout'

/** The ABI encoding of decoded values. */
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
