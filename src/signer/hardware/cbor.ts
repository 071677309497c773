// The subset of CBOR (RFC 8949) used by the uniform resources registry: integers, bytes, texts, lists, maps and tags,
// each of definite length. Input comes from a camera or the clipboard.

export class CborTag {
  constructor(
    readonly tag: number,
    readonly value: CborValue,
  ) {}
}

/** Maps have integer keys. */
export type CborValue =
  | number
  | boolean
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number, CborValue>
  | CborTag

/** The first three bits. Negative numbers (1) aren't used. */
const MAJOR = { number: 0, bytes: 2, text: 3, list: 4, map: 5, tag: 6, simple: 7 } as const
const FALSE = 20
const TRUE = 21
const MAX_DEPTH = 8

/** @throws RangeError unless a number is an integer in 0..2^53 - 1 */
export function encodeCbor(value: CborValue): Uint8Array {
  return Uint8Array.from(bytesOf(value))
}

function bytesOf(value: CborValue): number[] {
  if (typeof value === 'number') return headOf(MAJOR.number, value)
  if (typeof value === 'boolean') return headOf(MAJOR.simple, value ? TRUE : FALSE)
  if (typeof value === 'string') {
    const text = new TextEncoder().encode(value)
    return [...headOf(MAJOR.text, text.length), ...text]
  }
  if (value instanceof Uint8Array) return [...headOf(MAJOR.bytes, value.length), ...value]
  if (value instanceof CborTag) return [...headOf(MAJOR.tag, value.tag), ...bytesOf(value.value)]
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [...headOf(MAJOR.number, key), ...bytesOf(item)])
    return [...headOf(MAJOR.map, value.size), ...entries]
  }
  const items = value as readonly CborValue[]
  return [...headOf(MAJOR.list, items.length), ...items.flatMap(bytesOf)]
}

function headOf(major: number, value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number`)
  const first = major << 5
  if (value < 24) return [first | value]
  const size = value < 2 ** 8 ? 1 : value < 2 ** 16 ? 2 : value < 2 ** 32 ? 4 : 8
  const bytes = Array.from({ length: size }, (_, index) => Math.floor(value / 2 ** (8 * (size - 1 - index))) % 256)
  return [first | (24 + Math.log2(size)), ...bytes]
}

/** @throws RangeError when it isn't exactly one value of these kinds */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const reader = new Reader(Uint8Array.from(bytes)) // a Buffer would share its memory
  const value = reader.value(0)
  if (!reader.isAtEnd) throw new RangeError('more than one value')
  return value
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  value(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new RangeError('too many levels')
    const [major, count] = this.#head()
    switch (major) {
      case MAJOR.number:
        return count
      case MAJOR.bytes:
        return this.#take(count)
      case MAJOR.text:
        return new TextDecoder('utf-8', { fatal: true }).decode(this.#take(count))
      case MAJOR.list:
        return this.#times(count, () => this.value(depth + 1))
      case MAJOR.map:
        return new Map(this.#times(count, () => [this.#key(), this.value(depth + 1)] as const))
      case MAJOR.tag:
        return new CborTag(count, this.value(depth + 1))
      default:
        if (major === MAJOR.simple && (count === TRUE || count === FALSE)) return count === TRUE
        throw new RangeError('a kind of value that is not known here')
    }
  }

  #key(): number {
    const [major, key] = this.#head()
    if (major !== MAJOR.number) throw new RangeError('a key that is no number')
    return key
  }

  /** Each item takes at least a byte, so that a stated count allocates nothing before its bytes exist. */
  #times<T>(count: number, read: () => T): T[] {
    if (count > this.#bytes.length - this.#at) throw new RangeError('it ends too early')
    return Array.from({ length: count }, read)
  }

  #head(): readonly [number, number] {
    const [first = 0] = this.#take(1)
    const short = first & 31
    if (short < 24) return [first >> 5, short]
    if (short > 27) throw new RangeError('a length that is left open')
    const value = this.#take(2 ** (short - 24)).reduce((sum, byte) => sum * 256 + byte, 0)
    if (!Number.isSafeInteger(value)) throw new RangeError('a number beyond 2^53 - 1')
    return [first >> 5, value]
  }

  #take(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) throw new RangeError('it ends too early')
    this.#at += count
    return this.#bytes.slice(this.#at - count, this.#at)
  }
}
