// The schema's scalar types as arguments. Answers are made by the views; a scalar passes them through.
import { GraphQLError, Kind, type ValueNode } from 'graphql'
import { fromQuantity } from '../../../base/quantity'
import { fail, ok, type Result } from '../../codec/result'
import { addressParam, dataParam, hashParam } from '../arguments/params'

interface Scalar {
  readonly parseValue: (value: unknown) => unknown
  readonly parseLiteral: (node: ValueNode) => unknown
}

const INT64 = 2n ** 63n
const INT256 = 2n ** 256n

/** 0x and hex digits, decimal digits, or a JSON number. */
function wholeNumber(value: unknown): Result<bigint> {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? ok(BigInt(value)) : fail('not a whole number')
  if (typeof value !== 'string') return fail('not a number')
  if (/^-?[0-9]{1,78}$/.test(value)) return ok(BigInt(value))
  const quantity = fromQuantity(value)
  return quantity === null ? fail('not a number: want decimal digits, or 0x and hex digits') : ok(quantity)
}

function within(read: Result<bigint>, least: bigint, bound: bigint): Result<bigint> {
  return read.ok && (read.value < least || read.value >= bound) ? fail('out of range') : read
}

function scalar(name: string, read: (value: unknown) => Result<unknown>): readonly [string, Scalar] {
  const taken = (value: unknown, given: unknown): unknown => {
    const result = read(value)
    if (!result.ok) throw new GraphQLError(`${name}: ${result.error}, got ${String(given).slice(0, 80)}`)
    return result.value
  }
  const parseLiteral = (node: ValueNode): unknown => {
    if (node.kind === Kind.STRING) return taken(node.value, JSON.stringify(node.value))
    if (node.kind === Kind.INT)
      return taken(/^-?[0-9]{1,15}$/.test(node.value) ? Number(node.value) : node.value, node.value)
    return taken(undefined, node.kind)
  }
  return [name, { parseValue: (value) => taken(value, JSON.stringify(value)), parseLiteral }]
}

export const SCALARS: Readonly<Record<string, Scalar>> = Object.fromEntries([
  scalar('Bytes32', hashParam.read),
  scalar('Address', addressParam.read),
  scalar('Bytes', dataParam.read),
  scalar('BigInt', (value) => within(wholeNumber(value), 0n, INT256)),
  scalar('Long', (value) => within(wholeNumber(value), -INT64, INT64)),
])
