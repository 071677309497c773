// Random EVM programs that mostly run: every instruction gets the words it needs, from small sets so that they collide.
import { bytesFromBigint, concatBytes } from '../../../src/base/bytes'

/** Numbers that are the same in every run. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0 || 1
  }

  /** 0 to `below` - 1 */
  under(below: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    this.#state >>>= 0
    return this.#state % below
  }

  of<T>(list: readonly T[]): T {
    const found = list[this.under(list.length)]
    if (found === undefined) throw new RangeError('nothing to choose from')
    return found
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.under(256))
  }
}

const push = (value: bigint): Uint8Array => {
  const bytes = bytesFromBigint(value, Math.max(1, Math.ceil(value.toString(16).length / 2)))
  return concatBytes(Uint8Array.of(0x5f + bytes.length), bytes)
}
const op = (...codes: readonly number[]): Uint8Array => Uint8Array.from(codes)

/** Instructions that take this many words and leave one. */
const TAKING: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x58, 0x59, 0x5a]],
  [1, [0x15, 0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x51, 0x54]],
  [
    2,
    [
      0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b,
      0x1c, 0x1d, 0x20,
    ],
  ],
  [3, [0x08, 0x09]],
])
const ODD_WORDS = [0n, 1n, 2n, 31n, 32n, 255n, 256n, 2n ** 31n, 2n ** 64n - 1n, 2n ** 255n, 2n ** 256n - 1n]

/** A program that knows `addresses`. @param depth how deep programs may create others */
export function randomProgram(chance: Chance, addresses: readonly Uint8Array[], depth = 2): Uint8Array {
  const parts: Uint8Array[] = []
  const length = 3 + chance.under(25)
  for (let i = 0; i < length; i++) parts.push(randomStep(chance, addresses, depth))
  if (chance.under(4) === 0) parts.push(randomEnd(chance, addresses))
  return concatBytes(...parts)
}

/** Code that leaves `runtime` as the contract's. */
export function deploying(runtime: Uint8Array): Uint8Array {
  const size = push(BigInt(runtime.length))
  const head = concatBytes(size, op(0x80), push(BigInt(size.length + 9)), op(0x60, 0, 0x39, 0x60, 0, 0xf3))
  return concatBytes(head, runtime)
}

function word(chance: Chance): Uint8Array {
  const kind = chance.under(4)
  if (kind === 0) return push(chance.of(ODD_WORDS))
  if (kind === 1) return push(BigInt(`0x${Buffer.from(chance.bytes(32)).toString('hex')}`))
  return push(BigInt(chance.under(8)))
}

const place = (chance: Chance): Uint8Array => push(BigInt(chance.under(200)))
const slot = (chance: Chance): Uint8Array => push(BigInt(chance.under(5)))

function randomStep(chance: Chance, addresses: readonly Uint8Array[], depth: number): Uint8Array {
  switch (chance.under(12)) {
    case 0:
    case 1:
      return concatBytes(chance.under(3) === 0 ? op(0x60, 0) : word(chance), slot(chance), op(0x55))
    case 2:
      return concatBytes(slot(chance), op(0x54), slot(chance), op(0x55))
    case 3:
    case 4:
      return call(chance, addresses)
    case 5:
      return depth === 0 ? op(0x5b) : create(chance, addresses, depth)
    case 6:
      return log(chance)
    case 7:
      return concatBytes(word(chance), place(chance), op(chance.of([0x52, 0x53])))
    case 8:
      return concatBytes(place(chance), place(chance), place(chance), op(chance.of([0x37, 0x39, 0x3e])))
    case 9:
      return concatBytes(word(chance), op(0x58, 0x60, 6, 0x01, 0x57, 0x00, 0x5b)) // jumps over a STOP, or doesn't
    default:
      return computed(chance, addresses)
  }
}

function computed(chance: Chance, addresses: readonly Uint8Array[]): Uint8Array {
  const count = chance.under(4)
  const code = chance.of(TAKING.get(count) ?? [])
  const isOfAddress = [0x31, 0x3b, 0x3f].includes(code)
  const words = Array.from({ length: count }, () => (isOfAddress ? address(chance, addresses) : word(chance)))
  const from = code === 0x20 || code === 0x51 ? words.map(() => place(chance)) : words
  return concatBytes(...from, op(code), slot(chance), op(chance.of([0x55, 0x52])))
}

function address(chance: Chance, addresses: readonly Uint8Array[]): Uint8Array {
  const kind = chance.under(10)
  if (kind === 0) return op(0x30)
  if (kind === 1) return concatBytes(op(0x73), chance.bytes(20))
  if (kind < 4) return push(BigInt(1 + chance.under(9)))
  return concatBytes(op(0x73), chance.of(addresses))
}

function call(chance: Chance, addresses: readonly Uint8Array[]): Uint8Array {
  const code = chance.of([0xf1, 0xf1, 0xf2, 0xf4, 0xfa])
  const ranges = [place(chance), place(chance), place(chance), place(chance)]
  const value =
    code === 0xf1 || code === 0xf2 ? [chance.under(2) === 0 ? op(0x60, 0) : push(BigInt(chance.under(9)))] : []
  const gas = chance.under(3) === 0 ? push(BigInt(chance.under(60_000))) : op(0x5a)
  return concatBytes(...ranges, ...value, address(chance, addresses), gas, op(code), slot(chance), op(0x55))
}

function create(chance: Chance, addresses: readonly Uint8Array[], depth: number): Uint8Array {
  const inner = randomProgram(chance, addresses, depth - 1)
  const code = (chance.under(3) === 0 ? inner : deploying(inner)).slice(0, 64)
  const room = new Uint8Array(64)
  room.set(code)
  const written = [0, 32].map((at) => concatBytes(op(0x7f), room.subarray(at, at + 32), push(BigInt(at)), op(0x52)))
  const isSecond = chance.under(2) === 0
  const salt = isSecond ? [push(BigInt(chance.under(3)))] : []
  const value = push(BigInt(chance.under(3)))
  const made = concatBytes(...salt, push(BigInt(code.length)), op(0x60, 0), value, op(isSecond ? 0xf5 : 0xf0))
  return concatBytes(...written, made, chance.under(2) === 0 ? calledOnce() : concatBytes(slot(chance), op(0x55)))
}

/** Calls the address on the stack, with all gas and no data. */
function calledOnce(): Uint8Array {
  return op(0x60, 0, 0x60, 0, 0x60, 0, 0x60, 0, 0x60, 0, 0x85, 0x5a, 0xf1, 0x50, 0x50)
}

function log(chance: Chance): Uint8Array {
  const count = chance.under(5)
  const topics = Array.from({ length: count }, () => word(chance))
  return concatBytes(...topics, place(chance), place(chance), op(0xa0 + count))
}

function randomEnd(chance: Chance, addresses: readonly Uint8Array[]): Uint8Array {
  switch (chance.under(6)) {
    case 0:
    case 1:
      return concatBytes(address(chance, addresses), op(0xff))
    case 2:
      return concatBytes(place(chance), place(chance), op(0xfd))
    case 3:
      return concatBytes(place(chance), place(chance), op(0xf3))
    case 4:
      return op(chance.of([0xfe, 0x0c, 0x48, 0x5f, 0xef]))
    default:
      return concatBytes(word(chance), op(0x56))
  }
}
