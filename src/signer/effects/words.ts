// ABI-encoded words out of hostile bytes, read as the most tolerant contract would read them: missing bytes are zeros,
// dirty upper bits are masked, bytes behind the arguments do not matter. Nothing here throws.
import { bigintFromBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { LowerAddress } from '../address'

const WORD = 32
const ADDRESS = 20

export class Words {
  readonly #data: Uint8Array
  readonly #base: number

  /** @param data what offsets may reach @param base where heads and offsets count from */
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

  /** Behind the offset at `index`: `bytes`, or a string. Cut where the data ends. */
  bytes(index: number): Uint8Array {
    const at = this.#target(index)
    if (at === null) return new Uint8Array(0)
    const length = new Words(this.#data, at).#length(0)
    return this.#data.subarray(at + WORD, at + WORD + length)
  }

  /** The bytes behind the offset at `index`, read as words of their own. */
  wordsOf(index: number): Words {
    return new Words(this.bytes(index))
  }

  /** A dynamic tuple, behind the offset at `index`. */
  tuple(index: number): Words {
    return new Words(this.#data, this.#target(index) ?? this.#data.length)
  }

  /** A static tuple that lies at `index` itself. */
  from(index: number): Words {
    return new Words(this.#data, this.#base + index * WORD)
  }

  /**
   * Elements of an array behind the offset at `index`: how many, and where their heads lie. The count is cut to what the
   * data could hold.
   */
  list(index: number): { readonly count: number; readonly items: Words } {
    const at = this.#target(index)
    if (at === null) return { count: 0, items: new Words(this.#data, this.#data.length) }
    const room = Math.ceil(Math.max(0, this.#data.length - at - WORD) / WORD)
    const count = Math.min(new Words(this.#data, at).#length(0), room)
    return { count, items: new Words(this.#data, at + WORD) }
  }

  /** Where the offset at `index` leads; null behind the data. */
  #target(index: number): number | null {
    // An offset wraps around in contracts of older compilers, so that one can point backwards.
    const at = BigInt.asUintN(256, BigInt(this.#base) + this.number(index))
    return at < BigInt(this.#data.length) ? Number(at) : null
  }

  /** At most the bytes there are. */
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
