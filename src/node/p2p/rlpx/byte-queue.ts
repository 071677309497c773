// Bytes as they come from a socket, taken in the sizes that the protocol wants. Chunks are kept as a list, never rejoined, but for
// small ones: each costs some hundred bytes beside its own, and who sends a message byte by byte shall not have that of us.

/** Smaller chunks are put together. */
const SMALL = 1024
const BLOCK = 16 * 1024

/** First in, first out. `take` copies only where a value spans chunks. */
export class ByteQueue {
  readonly #chunks: Uint8Array[] = []
  /** Start of what is left of the first chunk. */
  #offset = 0
  #length = 0
  /** Where the last chunk lies when that has room behind it. */
  #block: { readonly bytes: Uint8Array; used: number } | null = null

  get length(): number {
    return this.#length
  }

  /** Chunks in memory: about one for a kilobyte at most. */
  get pieces(): number {
    return this.#chunks.length
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    // One that comes alone is mostly a whole message, and gone at once.
    if (chunk.length >= SMALL || this.#length === 0) {
      this.#chunks.push(chunk)
      this.#block = null
    } else this.#append(chunk)
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
    if (this.#chunks.length === 0) this.#block = null
    return out
  }

  #append(chunk: Uint8Array): void {
    const block = this.#block
    if (block === null || block.used + chunk.length > block.bytes.length) {
      const bytes = new Uint8Array(BLOCK)
      bytes.set(chunk)
      this.#block = { bytes, used: chunk.length }
      this.#chunks.push(bytes.subarray(0, chunk.length))
      return
    }
    block.bytes.set(chunk, block.used)
    block.used += chunk.length
    this.#chunks[this.#chunks.length - 1] = block.bytes.subarray(0, block.used)
  }
}
