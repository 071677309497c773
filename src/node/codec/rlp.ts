// RLP, strict: one encoding per value, bounded depth and item count, nothing after the end.
// Source: Ethereum yellow paper appendix B; strictness as in go-ethereum rlp/decode.go.
import { bigintFromBytes, concatBytes, joinBytes, minimalBytes } from '../../base/bytes'
import { fail, ok, type Result } from './result'

export type RlpItem = Uint8Array | readonly RlpItem[]

/** Deepest structure of the chain is block > transactions > transaction > access list > entry > keys. */
const MAX_DEPTH = 16
const MAX_ITEMS = 1_000_000

export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const first = item[0]
    if (item.length === 1 && first !== undefined && first < 0x80) return item
    return concatBytes(lengthPrefix(item.length, 0x80), item)
  }
  const parts = item.map(encodeRlp)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return joinBytes([lengthPrefix(length, 0xc0), ...parts])
}

/** An unsigned integer as RLP holds it: big-endian, no leading zeros, zero = empty. */
export function rlpInteger(value: bigint | number): Uint8Array {
  return minimalBytes(BigInt(value))
}

function lengthPrefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length)
  const bytes = minimalBytes(BigInt(length))
  return concatBytes(Uint8Array.of(offset + 55 + bytes.length), bytes)
}

export interface DecodeOptions {
  /** Null = any number: for what we wrote ourselves, which may be bigger than anything a peer may send. */
  readonly mostItems: number | null
}

/** The single item that `bytes` encode; an error text for anything else. Byte strings are views into `bytes`. */
export function decodeRlp(bytes: Uint8Array, { mostItems }: DecodeOptions = { mostItems: MAX_ITEMS }): Result<RlpItem> {
  const reader = new Reader(bytes, mostItems ?? Number.POSITIVE_INFINITY)
  const item = reader.item(0, bytes.length, 0)
  if (item === null) return fail(reader.error)
  return reader.at === bytes.length ? ok(item) : fail('rlp: bytes after the end')
}

/** The items that stand one after another in `bytes` (the block file format), each as its own bytes. */
export function splitRlpSequence(bytes: Uint8Array): Result<readonly Uint8Array[]> {
  const parts: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const reader = new Reader(bytes, MAX_ITEMS)
    const span = reader.span(at, bytes.length)
    if (span === null) return fail(reader.error)
    parts.push(bytes.subarray(at, span.end))
    at = span.end
  }
  return ok(parts)
}

interface Span {
  readonly list: boolean
  readonly start: number
  readonly end: number
}

class Reader {
  at = 0
  error = ''
  #items = 0

  constructor(
    private readonly bytes: Uint8Array,
    private readonly mostItems: number,
  ) {}

  item(from: number, limit: number, depth: number): RlpItem | null {
    if (depth > MAX_DEPTH) return this.#refuse('rlp: nested too deep')
    if (++this.#items > this.mostItems) return this.#refuse('rlp: too many items')
    const span = this.span(from, limit)
    if (span === null) return null
    this.at = span.end
    if (!span.list) return this.bytes.subarray(span.start, span.end)
    const items: RlpItem[] = []
    let at = span.start
    while (at < span.end) {
      const item = this.item(at, span.end, depth + 1)
      if (item === null) return null
      items.push(item)
      at = this.at
    }
    this.at = span.end
    return items
  }

  /** Where the payload of the item at `from` starts and ends. */
  span(from: number, limit: number): Span | null {
    const prefix = from < limit ? this.bytes[from] : undefined
    if (prefix === undefined) return this.#refuse('rlp: unexpected end')
    if (prefix < 0x80) return { list: false, start: from, end: from + 1 }
    const list = prefix >= 0xc0
    const short = prefix - (list ? 0xc0 : 0x80)
    const start = short < 56 ? from + 1 : from + 1 + (short - 55)
    if (start > limit) return this.#refuse('rlp: unexpected end')
    const length = short < 56 ? short : this.#longLength(from + 1, start)
    if (length === null) return null
    const end = start + length
    if (end > limit) return this.#refuse('rlp: value larger than its container')
    const single = length === 1 && !list ? this.bytes[start] : undefined
    if (single !== undefined && single < 0x80) return this.#refuse('rlp: non-canonical size information')
    return { list, start, end }
  }

  #longLength(from: number, to: number): number | null {
    const bytes = this.bytes.subarray(from, to)
    if (bytes[0] === 0 || bytes.length > 6) return this.#refuse('rlp: non-canonical size information')
    const length = Number(bigintFromBytes(bytes))
    return length < 56 ? this.#refuse('rlp: non-canonical size information') : length
  }

  #refuse(reason: string): null {
    this.error = reason
    return null
  }
}
