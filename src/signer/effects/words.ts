// ABI-encoded words from hostile bytes, read like the most lenient contract would: missing bytes are zeros, dirty upper
// bits are masked, trailing bytes are ignored. Never throws.
import { bigintFromBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { LowerAddress } from '../address'

const WORD = 32
const ADDRESS = 20

export class Words {
  readonly #data: Uint8Array
  readonly #base: number

  /** @param data bounds of offsets @param base origin of heads and offsets */
  constructor(data: Uint8Array, base = 0) {
    this.#data = data
    this.#base = base
  }

  number(index: number): bigint {
    return bigintFromBytes(this.#word(index))
  }

  address(index: number): LowerAddress {
    return toHex(this.#word(index).subarray(WORD - ADDRESS))
  }

  /** Any bit set counts. */
  isSet(index: number): boolean {
    return this.number(index) !== 0n
  }

  /** Behind the offset at `index`: `bytes`, or a string. Truncated at the end of the data. */
  bytes(index: number): Uint8Array {
    const at = this.#target(index)
    if (at === null) return new Uint8Array(0)
    const length = new Words(this.#data, at).#length(0)
    return this.#data.subarray(at + WORD, at + WORD + length)
  }

  /** The bytes behind the offset at `index`, as words. */
  wordsOf(index: number): Words {
    return new Words(this.bytes(index))
  }

  /** A dynamic tuple, behind the offset at `index`. */
  tuple(index: number): Words {
    return new Words(this.#data, this.#target(index) ?? this.#data.length)
  }

  /** A static tuple at `index` itself. */
  from(index: number): Words {
    return new Words(this.#data, this.#base + index * WORD)
  }

  /**
   * Elements of an array behind the offset at `index`: their number, and where their heads are. The number is capped by
   * what the data can hold.
   */
  list(index: number): { readonly count: number; readonly items: Words } {
    const at = this.#target(index)
    if (at === null) return { count: 0, items: new Words(this.#data, this.#data.length) }
    const room = Math.ceil(Math.max(0, this.#data.length - at - WORD) / WORD)
    const count = Math.min(new Words(this.#data, at).#length(0), room)
    return { count, items: new Words(this.#data, at + WORD) }
  }

  /** Target of the offset at `index`; null past the data. */
  #target(index: number): number | null {
    // An offset wraps around in contracts of older compilers, so it can point backwards.
    const at = BigInt.asUintN(256, BigInt(this.#base) + this.number(index))
    return at < BigInt(this.#data.length) ? Number(at) : null
  }

  /** Capped by the available bytes. */
  #length(index: number): number {
    const length = this.number(index)
    return length > BigInt(this.#data.length) ? this.#data.length : Number(length)
  }

  #word(index: number): Uint8Array {
    const start = this.#base + index * WORD
    const found = this.#data.subarray(Math.min(start, this.#data.length), start + WORD)
    if (found.length === WORD) return found
    const padded = new Uint8Array(WORD)
    padded.set(found)
    return padded
  }
}
