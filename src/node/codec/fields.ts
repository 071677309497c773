// Reads the fields of an RLP list in order and records the first fault instead of throwing.
import { bigintAt, bigintFromBytes, EMPTY_BYTES } from '../../base/bytes'
import { fail, ok, type Result } from './result'
import { fieldSpans, type RlpItem, type RlpSpan } from './rlp'

/** The longest integer, unless a caller says otherwise. */
const MAX_UINT64_BYTES = 8

/** What is wrong with the bytes of an integer; null when nothing is. @param first its first byte */
function integerFault(length: number, first: number | undefined, maxBytes: number): string | null {
  if (length > maxBytes) return `has more than ${8 * maxBytes} bits`
  return first === 0 ? 'has leading zeros' : null
}

/** The fields of a decoded list. After a fault, all further values are empty and `error` says what was wrong. */
export class FieldReader {
  error: string | null = null
  #next = 0

  constructor(
    private readonly what: string,
    private readonly items: readonly RlpItem[],
  ) {}

  get remaining(): number {
    return this.items.length - this.#next
  }

  /** Exactly `length` bytes, or up to `maxLength` when no length is given. A copy. */
  bytes(name: string, options: { readonly length?: number; readonly maxLength?: number }): Uint8Array {
    const item = this.#take(name)
    if (!(item instanceof Uint8Array)) return this.#fault(`${name} is not a byte string`)
    if (options.length !== undefined && item.length !== options.length)
      return this.#fault(`${name} has ${item.length} bytes, want ${options.length}`)
    if (options.maxLength !== undefined && item.length > options.maxLength)
      return this.#fault(`${name} has ${item.length} bytes, want at most ${options.maxLength}`)
    return item.slice()
  }

  /** An integer of at most `maxBytes` bytes (default 8), no leading zeros. */
  integer(name: string, maxBytes: number = MAX_UINT64_BYTES): bigint {
    const item = this.#take(name)
    if (!(item instanceof Uint8Array)) {
      this.#fault(`${name} is not an integer`)
      return 0n
    }
    const fault = integerFault(item.length, item[0], maxBytes)
    if (fault === null) return bigintFromBytes(item)
    this.#fault(`${name} ${fault}`)
    return 0n
  }

  list(name: string): readonly RlpItem[] {
    const item = this.#take(name)
    if (item instanceof Uint8Array || item === undefined) {
      this.#fault(`${name} is not a list`)
      return []
    }
    return item
  }

  /** What was read, or the first fault. */
  result<T>(value: T): Result<T> {
    return this.error === null ? ok(value) : fail(this.error)
  }

  #take(name: string): RlpItem | undefined {
    const item = this.items[this.#next++]
    if (item === undefined) this.#fault(`${name} is missing`)
    return item
  }

  #fault(reason: string): Uint8Array {
    this.error ??= `${this.what}: ${reason}`
    return new Uint8Array(0)
  }
}

export interface ListShape {
  /** What the errors are about: `transaction`. */
  readonly what: string
  /** Number of fields. */
  readonly count: number
  /** Error text for any other list, and for a byte string. */
  readonly fault: string
}

/** The same where the fields lie: a transaction has nine, a file millions, and a view costs more than decoding it. */
export class EncodedFields {
  error: string | null = null
  #next = 0

  private constructor(
    private readonly what: string,
    private readonly bytes: Uint8Array,
    private readonly spans: readonly RlpSpan[],
  ) {}

  /** @param bytes a whole list @returns an error text for anything else, and for a list that isn't of this shape */
  static of(bytes: Uint8Array, { what, count, fault }: ListShape): Result<EncodedFields> {
    const spans = fieldSpans(bytes, count, fault)
    return spans.ok ? ok(new EncodedFields(what, bytes, spans.value)) : spans
  }

  /** An integer of at most `maxBytes` bytes (default 8), no leading zeros. */
  integer(name: string, maxBytes: number = MAX_UINT64_BYTES): bigint {
    const { list, start, end } = this.#take(name)
    const first = end > start ? this.bytes[start] : undefined
    const fault = list ? 'is not an integer' : integerFault(end - start, first, maxBytes)
    if (fault === null) return bigintAt(this.bytes, start, end)
    this.#refuse(`${name} ${fault}`)
    return 0n
  }

  /** A byte string as a view. @param maxLength default: any */
  bytesOf(name: string, maxLength = Number.POSITIVE_INFINITY): Uint8Array {
    const { list, start, end } = this.#take(name)
    if (list) this.#refuse(`${name} is not a byte string`)
    else if (end - start > maxLength) this.#refuse(`${name} has ${end - start} bytes, want at most ${maxLength}`)
    else if (end > start) return this.bytes.subarray(start, end)
    return EMPTY_BYTES
  }

  /** A list's payload as a view, its items not validated. */
  listOf(name: string): Uint8Array {
    const { list, start, end } = this.#take(name)
    if (list) return this.bytes.subarray(start, end)
    this.#refuse(`${name} is not a list`)
    return EMPTY_BYTES
  }

  #take(name: string): RlpSpan {
    const span = this.spans[this.#next++]
    if (span === undefined) throw new RangeError(`${this.what} has no field ${name}`)
    return span
  }

  #refuse(reason: string): void {
    this.error ??= `${this.what}: ${reason}`
  }
}
