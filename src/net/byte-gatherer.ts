// Bytes that arrive in pieces, collected in one buffer: otherwise a caller that sends single bytes would cost a buffer
// each.

/** Reserved at least as soon as a second piece arrives. */
const MIN_RESERVED = 4_096

const EMPTY: Buffer = Buffer.alloc(0)

/** Uses at most twice the memory of the data, however many pieces it arrives in. */
export class ByteGatherer {
  #bytes: Buffer = EMPTY
  #length = 0

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  /** @param piece must not be changed afterwards: a single one is kept without a copy */
  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#bytes = piece
    else {
      if (length > this.#bytes.length) this.#grow(length)
      piece.copy(this.#bytes, this.#length)
    }
    this.#length = length
  }

  /** Returns everything and resets. */
  take(): Buffer {
    const whole = this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length)
    this.#bytes = EMPTY
    this.#length = 0
    return whole
  }

  #grow(length: number): void {
    const next = Buffer.allocUnsafe(Math.max(MIN_RESERVED, 2 * length))
    this.#bytes.copy(next, 0, 0, this.#length)
    this.#bytes = next
  }
}
