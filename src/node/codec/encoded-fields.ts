// Reads the fields of an encoded list where they lie: a transaction has nine, a block file millions, and a view of each
// costs more than decoding it.
import { bigintAt, EMPTY_BYTES } from '../../base/bytes'
import { integerFault, MAX_UINT64_BYTES } from './fields'
import { ok, type Result } from './result'
import { fieldSpans, type RlpSpan } from './rlp'

/** What a list must be. */
export interface ListShape {
  /** What the errors are about: `transaction`. */
  readonly what: string
  /** Number of fields. */
  readonly count: number
  /** Error text for any other list, and for a byte string. */
  readonly fault: string
}

/** The fields of a list, in order. After a fault, all further values are empty and `error` says what was wrong. */
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
    const fault = list ? 'is not an integer' : integerFault({ length: end - start, first }, maxBytes)
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
