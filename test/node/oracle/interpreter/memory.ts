// A call's memory: grows in whole words, zero-filled.
import { EMPTY_BYTES } from '../../../../src/base/bytes'
import { readWord, writeWord } from './word'

const MIN_BYTES = 1024
const NO_VIEW = new DataView(EMPTY_BYTES.buffer)

/** Byte-addressed; integers are big-endian, as in the yellow paper. */
export class Memory {
  /** Bytes in use, a multiple of 32. */
  size = 0
  /** Gas paid so far for expansion. */
  paid = 0
  /** Allocated on first use: many calls need none. */
  #bytes = EMPTY_BYTES
  #view = NO_VIEW

  /** @param size a multiple of 32 */
  grow(size: number): void {
    if (size <= this.size) return
    if (size > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(MIN_BYTES, size, 2 * this.#bytes.length))
      bytes.set(this.#bytes.subarray(0, this.size))
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer)
    }
    this.size = size
  }

  word(at: number): bigint {
    return readWord(this.#view, at)
  }

  setWord(at: number, value: bigint): void {
    writeWord(this.#view, at, value)
  }

  setByte(at: number, value: number): void {
    this.#bytes[at] = value
  }

  /** A copy. */
  copy(at: number, length: number): Uint8Array {
    return length === 0 ? new Uint8Array(0) : this.#bytes.slice(at, at + length)
  }

  /** A view; valid until the next change, which only the memory's own frame can make. */
  view(at: number, length: number): Uint8Array {
    return this.#bytes.subarray(at, at + length)
  }

  /** Writes `length` bytes of `source` starting at `from`, zero-filled past its end. */
  fill(at: number, source: Uint8Array, from: number, length: number): void {
    if (length === 0) return
    const part = source.subarray(from, from + length)
    this.#bytes.set(part, at)
    if (part.length < length) this.#bytes.fill(0, at + part.length, at + length)
  }
}
