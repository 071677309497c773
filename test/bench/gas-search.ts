// Searches for programs that take the most time for their gas: random ones first, then variations of the worst so far.
// One worker of tools/bench/gas/gas.mjs; its results are measured there again, beside prlx.
import { openCase } from './gas-bench'

const SEARCH_GAS = 2_000_000
const KEPT = 12
const MAX_PIECES = 6
const ADDRESSES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0xdead] as const
/** Instructions that take words and leave one: code, words taken. */
const PLAIN = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x12, 0x16, 0x1a, 0x1b, 0x1c, 0x1d].map(
    (code) => [code, 2] as const,
  ),
  ...[0x08, 0x09].map((code) => [code, 3] as const),
  ...[0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x51, 0x54].map((code) => [code, 1] as const),
  ...[0x30, 0x32, 0x36, 0x3a, 0x41, 0x45, 0x46, 0x47, 0x58, 0x59, 0x5a].map((code) => [code, 0] as const),
]

interface Found {
  /** hexadecimal, without 0x; runs until it is out of gas */
  readonly program: string
  /** CPU seconds for 30 Mgas of it */
  readonly seconds: number
  readonly pieces: readonly string[]
}

/** @param seconds how long to search @param seed of the random numbers @returns the slowest, slowest first */
export async function search(
  searchFrom: string,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): Promise<readonly Found[]> {
  const random = new Random(seed)
  const measure = await openCase(searchFrom)
  const until = performance.now() + seconds * 1000
  let worst: Found[] = []
  while (performance.now() < until) {
    const from = random.under(3) === 0 ? undefined : worst[random.under(worst.length || 1)]
    const pieces = from === undefined ? [randomPiece(random)] : changed(from.pieces, random)
    const program = programOf(pieces)
    const used = Math.min(await measure(program, SEARCH_GAS), await measure(program, SEARCH_GAS))
    worst.push({ program, pieces, seconds: (used * 30_000_000) / SEARCH_GAS })
    worst = worst.sort((one, other) => other.seconds - one.seconds).slice(0, KEPT)
  }
  return worst
}

/** Another program near it. */
export function changed(pieces: readonly string[], random: Random): string[] {
  const next = [...pieces]
  const at = random.under(next.length)
  const way = random.under(4)
  if (way === 0 && next.length < MAX_PIECES) next.splice(at, 0, randomPiece(random))
  else if (way === 1 && next.length > 1) next.splice(at, 1)
  else if (way === 2 && next.length < MAX_PIECES) next.push(next[at] ?? '')
  else next[at] = randomPiece(random)
  return next
}

function programOf(pieces: readonly string[]): string {
  return `5b${pieces.join('')}600056`
}

/** Code that leaves the stack unchanged, hexadecimal. */
export function randomPiece(random: Random): string {
  switch (random.under(8)) {
    case 0:
      return contractCall(random)
    case 1:
      return powerCall(random)
    case 2:
      return `${push(BigInt(size(random)))}${push(BigInt(size(random)))}2050` // KECCAK
    case 3:
      return `${push(BigInt(size(random)))}${push(random.word())}${push(BigInt(size(random)))}${copy(random)}`
    case 4:
      return `${push(random.word())}${push(BigInt(size(random)))}52` // MSTORE
    case 5:
      return created(random)
    case 6:
      return `${push(random.word())}${push(random.word())}55` // SSTORE
    default:
      return plain(random)
  }
}

function plain(random: Random): string {
  const [code, taken] = random.of(PLAIN)
  return `${Array.from({ length: taken }, () => push(random.word())).join('')}${byte(code)}50`
}

/** CALLDATACOPY or CODECOPY. */
const copy = (random: Random): string => (random.under(2) === 0 ? '37' : '39')

function created(random: Random): string {
  const code = random.under(2) === 0 ? `${push(BigInt(size(random)))}6000` : `${push(random.word())}6020`
  return random.under(2) === 0 ? `${code}6000f050` : `${push(random.word())}${code}6000f550`
}

function contractCall(random: Random): string {
  const address = random.of(ADDRESSES)
  const length = random.of([0, 1, 32, 64, 96, 128, 192, 213, 384, size(random)])
  const at = random.of([0, size(random)])
  const how = random.of(['f1', 'f2', 'f4', 'fa'])
  const value = how === 'f1' || how === 'f2' ? '6000' : ''
  return `${push(BigInt(size(random)))}${push(BigInt(at))}${push(BigInt(length))}${push(BigInt(at))}${value}${push(BigInt(address))}5a${how}50`
}

/** Lengths of a base, an exponent and a modulus, followed by whatever is in memory. */
function powerCall(random: Random): string {
  const lengths = [size(random), size(random), size(random)].map((length) => length % 2048)
  const heads = lengths.map((length, at) => `${push(BigInt(length))}${push(BigInt(32 * at))}52`).join('')
  const filled = Array.from(
    { length: 4 },
    () => `${push(random.word() | 1n)}${push(BigInt(96 + (size(random) % 2048)))}52`,
  )
  const total = 96 + lengths.reduce((sum, length) => sum + length, 0)
  return `${heads}${filled.join('')}60206000${push(BigInt(total))}600060055afa50`
}

/** Small more often than large. */
export function size(random: Random): number {
  return random.under(2 ** (1 + random.under(18)))
}

/** Two digits. */
export const byte = (value: number): string => value.toString(16).padStart(2, '0')

/** PUSH of a number with as few bytes as it takes. */
export function push(value: bigint): string {
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return byte(0x5f + even.length / 2) + even
}

/** mulberry32 */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  under(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  of<T>(list: readonly T[]): T {
    const item = list[this.under(list.length)]
    if (item === undefined) throw new RangeError('an empty list has no item')
    return item
  }

  /** Edge cases and anything, of any length. */
  word(): bigint {
    if (this.under(4) === 0) return this.of([0n, 1n, 2n ** 256n - 1n, 2n ** 255n, 2n ** 64n, 2n ** 128n - 1n])
    let word = 0n
    for (let left = 1 + this.under(8); left > 0; left--) word = (word << 32n) | BigInt(this.under(2 ** 32))
    return word
  }
}
