// Reads the fields of a decoded RLP list in order and records the first fault instead of throwing.
import { bigintFromBytes } from '../../base/bytes'
import type { RlpItem } from './rlp'

/** The longest integer, unless a caller says otherwise. */
export const MAX_UINT64_BYTES = 8

/** What is wrong with the bytes of an integer; null when nothing is. @param first its first byte */
export function integerFault(
  { length, first }: { readonly length: number; readonly first: number | undefined },
  maxBytes: number,
): string | null {
  if (length > maxBytes) return `has more than ${8 * maxBytes} bits`
  return first === 0 ? 'has leading zeros' : null
}

/** After a fault, all further values are empty and `error` says what was wrong. */
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
    const fault = integerFault({ length: item.length, first: item[0] }, maxBytes)
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
