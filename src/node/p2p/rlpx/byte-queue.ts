// A byte queue between a socket and the protocol. Chunks aren't joined, except small ones: each costs some hundred
// bytes of overhead, which a byte-by-byte sender must not make us pay.
import type { Socket } from 'node:net'

interface Holder {
  /** Bytes at this moment. */
  readonly held: () => number
  /** Ends the connection. */
  readonly cut: () => void
}

/** One connection's share of a budget. */
export interface BudgetShare {
  /** Call it after the connection began to hold more. */
  grown(): void
  leave(): void
}

/** Of all connections together, for incomplete frames or unsent data. Above the limit, the largest holder is cut off. */
export class MemoryBudget {
  readonly #holders = new Set<Holder>()

  constructor(private readonly maxBytes: number) {}

  /** Bytes held in total. */
  get total(): number {
    let total = 0
    for (const { held } of this.#holders) total += held()
    return total
  }

  join(holder: Holder): BudgetShare {
    this.#holders.add(holder)
    return {
      grown: () => {
        while (this.total > this.maxBytes && this.#cutGreatest());
      },
      leave: () => this.#holders.delete(holder),
    }
  }

  #cutGreatest(): boolean {
    let greatest: Holder | null = null
    for (const holder of this.#holders) if (greatest === null || holder.held() > greatest.held()) greatest = holder
    if (greatest === null) return false
    this.#holders.delete(greatest)
    greatest.cut()
    return true
  }
}

/** A smaller chunk means that the socket had no more. */
const TURN_BYTES = 32 * 1024

/** 64 KiB per turn of the event loop, not the 2 MiB that one socket may have: half a second. Respects a pause by `take`. */
export function readInTurns(socket: Socket, take: (chunk: Uint8Array) => void): void {
  socket.on('data', (chunk) => {
    take(chunk)
    if (chunk.length < TURN_BYTES || socket.isPaused() || socket.destroyed) return
    socket.pause()
    setImmediate(() => socket.resume())
  })
}

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
