// Other spellings of a danger: the meaning stays, the bytes or the text don't. Seeded, so that a failure can be
// repeated.
import { bytesFromBigint, concatBytes } from '../../../src/base/bytes'
import { bytesOfHex } from '../../../src/base/hex'
import type { CallDanger, TypedDanger } from './dangers'

/** Mulberry32: a small generator whose whole state is its seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
}

const word = (value: number): Uint8Array => bytesFromBigint(BigInt(value), 32)
const padded = (data: Uint8Array): Uint8Array => concatBytes(data, new Uint8Array((32 - (data.length % 32)) % 32))
const counted = (data: Uint8Array): Uint8Array => concatBytes(word(data.length), padded(data))

/** `bytes[]` after its count. */
function list(items: readonly Uint8Array[]): Uint8Array {
  const bodies = items.map(counted)
  let at = items.length * 32
  const heads = bodies.map((body) => {
    const head = word(at)
    at += body.length
    return head
  })
  return concatBytes(word(items.length), ...heads, ...bodies)
}

const HARMLESS = bytesOfHex(`a9059cbb${'0'.repeat(63)}1${'0'.repeat(63)}2`)

/** Wrappers by name, to identify a failing mutation. */
const wrappers: Readonly<Record<string, (inner: Uint8Array, dice: Dice) => Uint8Array>> = {
  'multicall(bytes[])': (inner, dice) => {
    const items = dice.below(2) === 0 ? [HARMLESS, inner] : [inner, HARMLESS, HARMLESS]
    return concatBytes(bytesOfHex('ac9650d8'), word(32), list(items))
  },
  'multicall(uint256,bytes[])': (inner) => concatBytes(bytesOfHex('5ae401dc'), word(9), word(64), list([inner])),
  'aggregate((address,bytes)[])': (inner) =>
    concatBytes(bytesOfHex('252dba42'), word(32), word(1), word(32), word(7), word(64), counted(inner)),
  'execTransaction(…)': (inner) => {
    const heads = [7, 0, 320, 0, 0, 0, 0, 0, 0, 352 + padded(inner).length].map(word)
    return concatBytes(bytesOfHex('6a761202'), ...heads, counted(inner), word(0))
  },
  'multiSend(bytes)': (inner, dice) => {
    const one = concatBytes(Uint8Array.of(0), dice.bytes(20), word(0), word(inner.length), inner)
    return concatBytes(bytesOfHex('8d80ff0a'), word(32), counted(one))
  },
  'execute(address,uint256,bytes)': (inner) =>
    concatBytes(bytesOfHex('b61d27f6'), word(7), word(0), word(96), counted(inner)),
  'an unknown method with bytes': (inner, dice) =>
    concatBytes(Uint8Array.of(0xf0), dice.bytes(3), word(32), counted(inner)),
  'unaligned bytes of nobody': (inner, dice) =>
    concatBytes(Uint8Array.of(0xf1), dice.bytes(3 + dice.below(40)), inner, dice.bytes(dice.below(40))),
}

export interface CallMutation {
  readonly data: Uint8Array
  readonly how: readonly string[]
}

const MAX_NESTING = 6

export function mutateCall(danger: CallDanger, dice: Dice): CallMutation {
  const how: string[] = []
  let data: Uint8Array = Uint8Array.from(danger.data)
  for (const index of danger.addressWords) {
    if (dice.below(2) === 0) continue
    data.set(dice.bytes(12), 4 + index * 32)
    how.push(`dirty word ${index}`)
  }
  const depth = dice.below(MAX_NESTING + 1)
  for (let level = 0; level <= depth; level++) {
    if (dice.below(3) === 0) {
      const tail = dice.below(2) === 0 ? new Uint8Array(dice.below(100)) : dice.bytes(dice.below(100))
      data = concatBytes(data, tail)
      how.push(`${tail.length} bytes behind`)
    }
    if (level === depth) break
    const name = dice.pick(Object.keys(wrappers))
    data = wrappers[name]?.(data, dice) ?? data
    how.push(`in ${name}`)
  }
  return { data, how }
}

type Document = Pick<TypedDanger, 'types' | 'primaryType' | 'message'>

export function mutateDocument(danger: TypedDanger, dice: Dice): Document {
  const types = Object.fromEntries(
    Object.entries(danger.types).map(([name, members]) => [name, shuffled(members, dice)]),
  )
  let { primaryType } = danger
  let message = respelled(danger.message, dice)
  for (let level = dice.below(5); level > 0; level--) {
    const wrapper = `Wrap${level}${dice.pick(['Order', 'Login', 'Vote', 'X'])}`
    const isList = dice.below(3) === 0
    const inner = {
      name: dice.pick(['contents', 'data', 'a', 'details']),
      type: isList ? `${primaryType}[]` : primaryType,
    }
    types[wrapper] = shuffled([inner, { name: 'hello', type: 'string' }, { name: 'nonce', type: 'uint64' }], dice)
    message = { [inner.name]: isList ? [message, message] : message, hello: 'gm', nonce: 1 }
    primaryType = wrapper
  }
  return { types, primaryType, message }
}

function shuffled<T>(items: readonly T[], dice: Dice): readonly T[] {
  return items
    .map((item) => ({ item, at: dice.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Every number and address in another spelling of the same value. */
function respelled(value: Readonly<Record<string, unknown>>, dice: Dice): Readonly<Record<string, unknown>> {
  return Object.fromEntries(shuffled(Object.entries(value), dice).map(([name, each]) => [name, spelling(each, dice)]))
}

function spelling(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => spelling(each, dice))
  if (typeof value === 'object' && value !== null) return respelled(Object.fromEntries(Object.entries(value)), dice)
  if (typeof value !== 'string') return value
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) {
    const digits = value.slice(2)
    return dice.pick([value, `0x${digits.toUpperCase()}`, `0X${digits.toLowerCase()}`, digits])
  }
  if (!/^\d+$/.test(value)) return value
  const hex = BigInt(value).toString(16)
  const forms = [value, value.padStart(90, '0'), `0x${hex}`, `0X${hex.toUpperCase()}`, `0x${hex.padStart(90, '0')}`]
  return dice.pick(Number.isSafeInteger(Number(value)) ? [...forms, Number(value)] : forms)
}
