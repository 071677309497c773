// Bytes as they come from a socket, taken in the sizes that the protocol wants. Chunks are kept as a list, never rejoined.

export class ByteQueue {
  readonly #chunks: Uint8Array[] = []
  /** Start of what is left of the first chunk. */
  #offset = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next `count` bytes; null, and nothing taken, while there are fewer. */
  take(count: number): Uint8Array | null {
    if (count > this.#length) return null
    const out = new Uint8Array(count)
    this.#length -= count
    let drained = 0
    for (let at = 0; at < count; ) {
      const chunk = this.#chunks[drained] ?? out
      const part = chunk.subarray(this.#offset, this.#offset + count - at)
      out.set(part, at)
      at += part.length
      this.#offset += part.length
      if (this.#offset < chunk.length) break
      this.#offset = 0
      drained++
    }
    this.#chunks.splice(0, drained)
    return out
  }
}
