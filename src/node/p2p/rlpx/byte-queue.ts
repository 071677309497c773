// A byte queue between a socket and the protocol, read in the sizes that the protocol needs. Chunks are kept as a list
// and not joined, except small ones: each chunk costs some hundred bytes of overhead, which a byte-by-byte sender must
// not make us pay.

/** Smaller chunks are merged. */
const SMALL = 1024
const BLOCK = 16 * 1024

/** First in, first out. `take` copies only where a value spans chunks. */
export class ByteQueue {
  readonly #chunks: Uint8Array[] = []
  /** Start of the rest of the first chunk. */
  #offset = 0
  #length = 0
  /** The block that holds the last chunk, if it has room left. */
  #block: { readonly bytes: Uint8Array; used: number } | null = null

  get length(): number {
    return this.#length
  }

  /** Chunks in memory: at most about one per kilobyte. */
  get pieces(): number {
    return this.#chunks.length
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    // A single chunk is usually a whole message, and consumed immediately.
    if (chunk.length >= SMALL || this.#length === 0) {
      this.#chunks.push(chunk)
      this.#block = null
    } else this.#append(chunk)
    this.#length += chunk.length
  }

  /** The next `count` bytes; null, with nothing consumed, while there are fewer. */
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
