// RLP, strict: one encoding per value, bounded depth and item count, nothing after the end.
// Source: Ethereum yellow paper appendix B; strictness as in go-ethereum rlp/decode.go.
import { bigintFromBytes, minimalBytes } from '../../base/bytes'
import { fail, ok, type Result } from './result'

/** A byte string or a list. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Deepest structure of the chain is block > transactions > transaction > access list > entry > keys. */
const MAX_DEPTH = 16
/** A block of 600,000,000 gas that is all access list has 750,000 items, averaging 7 bytes. */
const MAX_ITEMS = 800_000
/** Above this many items, their average length must match real messages, since each item costs memory. */
const SHORT_ITEMS = 10_000
const BYTES_PER_ITEM = 5

/** The encoding, in a new array. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const lists: number[] = []
  const out = new Uint8Array(encodedLength(item, lists))
  new Writer(out, lists).write(item)
  return out
}

/** @param lists gets the payload length of every list, in the order in which they begin */
function encodedLength(item: RlpItem, lists: number[]): number {
  if (item instanceof Uint8Array) {
    const { length } = item
    return isItself(item) ? 1 : prefixLength(length) + length
  }
  const place = lists.push(0) - 1
  let length = 0
  for (const member of item) length += encodedLength(member, lists)
  lists[place] = length
  return prefixLength(length) + length
}

function isItself(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] ?? 0) < 0x80
}

function prefixLength(length: number): number {
  return length < 56 ? 1 : 1 + lengthOfLength(length)
}

function lengthOfLength(length: number): number {
  let bytes = 0
  for (let rest = length; rest >= 1; rest /= 256) bytes++
  return bytes
}

class Writer {
  #at = 0
  #list = 0

  constructor(
    private readonly out: Uint8Array,
    private readonly lists: readonly number[],
  ) {}

  write(item: RlpItem): void {
    if (!(item instanceof Uint8Array)) {
      this.#prefix(this.lists[this.#list++] ?? 0, 0xc0)
      for (const member of item) this.write(member)
      return
    }
    if (!isItself(item)) this.#prefix(item.length, 0x80)
    this.out.set(item, this.#at)
    this.#at += item.length
  }

  writeEncoded(items: readonly Uint8Array[]): void {
    this.#prefix(this.lists[0] ?? 0, 0xc0)
    for (const item of items) {
      this.out.set(item, this.#at)
      this.#at += item.length
    }
  }

  #prefix(length: number, offset: number): void {
    if (length < 56) {
      this.out[this.#at++] = offset + length
      return
    }
    const digits = lengthOfLength(length)
    this.out[this.#at++] = offset + 55 + digits
    let rest = length
    for (let at = this.#at + digits - 1; at >= this.#at; at--) {
      this.out[at] = rest % 256
      rest = Math.floor(rest / 256)
    }
    this.#at += digits
  }
}

/** A list of already encoded items. */
export function encodedList(items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0)
  const out = new Uint8Array(prefixLength(length) + length)
  new Writer(out, [length]).writeEncoded(items)
  return out
}

/** An unsigned integer as RLP holds it: big-endian, no leading zeros, zero = empty. */
export function rlpInteger(value: bigint | number): Uint8Array {
  return minimalBytes(BigInt(value))
}

/** The single item, or an error text; byte strings are views. @param maxItems null = unlimited, for our own data */
export function decodeRlp(
  bytes: Uint8Array,
  maxItems: number | null = Math.min(MAX_ITEMS, SHORT_ITEMS + bytes.length / BYTES_PER_ITEM),
): Result<RlpItem> {
  const reader = new Reader(bytes, maxItems ?? Number.POSITIVE_INFINITY)
  const item = reader.item(0, bytes.length, 0)
  if (item === null) return fail(reader.error)
  return reader.at === bytes.length ? ok(item) : fail('rlp: bytes after the end')
}

/** The list at the start of a short message, whatever follows it. */
export function leadingList(bytes: Uint8Array): Result<readonly RlpItem[]> {
  const reader = new Reader(bytes, SHORT_ITEMS)
  const item = reader.item(0, bytes.length, 0)
  if (item === null) return fail(reader.error)
  return item instanceof Uint8Array ? fail('rlp: not a list') : ok(item)
}

/** An item inside its container, not decoded further. Views into the container. */
export interface RlpSlice {
  readonly isList: boolean
  /** with its prefix */
  readonly encoded: Uint8Array
  /** without */
  readonly payload: Uint8Array
}

/** The single item that `bytes` encodes, not decoded further. */
export function rlpSlice(bytes: Uint8Array): Result<RlpSlice> {
  const reader = new Reader(bytes, 1)
  const span = reader.span(0, bytes.length)
  if (span === null) return fail(reader.error)
  return span.end === bytes.length ? ok(sliceAt(bytes, span)) : fail('rlp: bytes after the end')
}

/** The consecutive items in `bytes`, one at a time: at most one item of a million is held. Ends at the first fault. */
export function* rlpSlices(bytes: Uint8Array): Generator<Result<RlpSlice>, void> {
  const reader = new Reader(bytes, 1)
  for (let at = 0; at < bytes.length; ) {
    const span = reader.span(at, bytes.length)
    if (span === null) return yield fail(reader.error)
    yield ok(sliceAt(bytes, span))
    at = span.end
  }
}

/** The first `count` items of a list, concatenated, as a view. @param bytes a list that was validated before */
export function firstItems(bytes: Uint8Array, count: number): Uint8Array {
  const reader = new Reader(bytes, 1)
  const start = reader.span(0, bytes.length)?.start ?? 0
  let end = start
  for (let index = 0; index < count; index++) end = reader.span(end, bytes.length)?.end ?? end
  return bytes.subarray(start, end)
}

/** The items of a list with a given count. @param fault error text for any other RLP */
export function rlpFields(bytes: Uint8Array, count: number, fault: string): Result<readonly RlpSlice[]> {
  const spans = fieldSpans(bytes, count, fault)
  return spans.ok ? ok(spans.value.map((span) => sliceAt(bytes, span))) : spans
}

/** The same without views: where the items lie. */
export function fieldSpans(bytes: Uint8Array, count: number, fault: string): Result<readonly RlpSpan[]> {
  const reader = new Reader(bytes, 1)
  const list = reader.span(0, bytes.length)
  if (list === null) return fail(reader.error)
  if (list.end !== bytes.length) return fail('rlp: bytes after the end')
  const spans: RlpSpan[] = []
  for (let at = list.start; list.list && at < list.end; ) {
    const span = reader.span(at, list.end)
    if (span === null) return fail(reader.error)
    if (spans.length === count) return fail(fault)
    spans.push(span)
    at = span.end
  }
  return spans.length === count ? ok(spans) : fail(fault)
}

function sliceAt(bytes: Uint8Array, { list, at, start, end }: RlpSpan): RlpSlice {
  return { isList: list, encoded: bytes.subarray(at, end), payload: bytes.subarray(start, end) }
}

/** Where an item lies: its prefix from `at` on, then its payload. */
export interface RlpSpan {
  readonly list: boolean
  readonly at: number
  readonly start: number
  readonly end: number
}

class Reader {
  at = 0
  error = ''
  #items = 0
  /** Single-byte items, indexed by that byte: equal ones share one view. */
  readonly #singles = new Map<number, RlpItem>()

  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxItems: number,
  ) {}

  item(from: number, limit: number, depth: number): RlpItem | null {
    if (depth > MAX_DEPTH) return this.#refuse('rlp: nested too deep')
    if (++this.#items > this.maxItems) return this.#refuse('rlp: too many items')
    const span = this.span(from, limit)
    if (span === null) return null
    this.at = span.end
    if (span.end === from + 1) return this.#single(span)
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

  #single({ list, start, end }: RlpSpan): RlpItem {
    const byte = this.bytes[end - 1] ?? 0
    const known = this.#singles.get(byte)
    if (known !== undefined) return known
    const item = list ? [] : this.bytes.subarray(start, end)
    this.#singles.set(byte, item)
    return item
  }

  /** Start and end of the payload of the item at `from`. */
  span(from: number, limit: number): RlpSpan | null {
    const prefix = from < limit ? this.bytes[from] : undefined
    if (prefix === undefined) return this.#refuse('rlp: unexpected end')
    if (prefix < 0x80) return { list: false, at: from, start: from, end: from + 1 }
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
    return { list, at: from, start, end }
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
