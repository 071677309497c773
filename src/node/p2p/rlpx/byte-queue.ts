// A byte queue between a socket and the protocol, read in the sizes that the protocol needs. Chunks are kept as a list
// and not joined, except small ones: each chunk costs some hundred bytes of overhead, which a byte-by-byte sender must
// not make us pay.
import type { Socket } from 'node:net'

// Memory for incomplete frames over all connections: peers that announce much and stall must not exhaust it. Above the
// limit, the largest holder is disconnected.

/** One connection's share of the budget. */
export interface InputShare {
  /** @param bytes currently held */
  hold(bytes: number): void
  leave(): void
}

interface Holder {
  bytes: number
  readonly cut: () => void
}

/** Sum over all connections; exceeding it closes the largest holder. */
export class InputBudget {
  readonly #holders = new Set<Holder>()
  #total = 0

  constructor(private readonly maxBytes: number) {}

  /** Bytes held in total. */
  get total(): number {
    return this.#total
  }

  /** @param cut ends the connection, which then leaves the budget, now or later */
  join(cut: () => void): InputShare {
    const holder: Holder = { bytes: 0, cut }
    this.#holders.add(holder)
    return {
      hold: (bytes) => {
        if (!this.#holders.has(holder)) return
        this.#set(holder, bytes)
        while (this.#total > this.maxBytes && this.#cutGreatest());
      },
      leave: () => this.#remove(holder),
    }
  }

  #cutGreatest(): boolean {
    let greatest: Holder | null = null
    for (const holder of this.#holders) if (greatest === null || holder.bytes > greatest.bytes) greatest = holder
    if (greatest === null) return false
    this.#remove(greatest)
    greatest.cut()
    return true
  }

  #remove(holder: Holder): void {
    this.#set(holder, 0)
    this.#holders.delete(holder)
  }

  #set(holder: Holder, bytes: number): void {
    this.#total += bytes - holder.bytes
    holder.bytes = bytes
  }
}

// Memory for unsent data over all connections: many peers that ask and don't read must not exhaust it. Above the limit,
// the one with most unsent data is disconnected.

/** One connection's share of the budget. */
export interface OutputShare {
  /** Call it after a write. */
  written(): void
  leave(): void
}

interface Sender {
  /** Bytes at this moment. */
  readonly unsent: () => number
  readonly cut: () => void
}

/** Counts unsent bytes in Node's sockets; exceeding the limit closes the largest holder. */
export class OutputBudget {
  readonly #holders = new Set<Sender>()

  constructor(private readonly maxBytes: number) {}

  /** Unsent bytes in total. */
  get total(): number {
    let total = 0
    for (const { unsent } of this.#holders) total += unsent()
    return total
  }

  /** @param holder `cut` ends the connection */
  join(holder: Sender): OutputShare {
    this.#holders.add(holder)
    return {
      written: () => {
        while (this.total > this.maxBytes && this.#cutGreatest());
      },
      leave: () => this.#holders.delete(holder),
    }
  }

  #cutGreatest(): boolean {
    let greatest: Sender | null = null
    for (const holder of this.#holders) if (greatest === null || holder.unsent() > greatest.unsent()) greatest = holder
    if (greatest === null) return false
    this.#holders.delete(greatest)
    greatest.cut()
    return true
  }
}

// Reads sockets in turns. The event loop takes up to 2 MiB from one socket before it turns to the next, which is half a
// second of work when a peer floods: a block would wait that long behind each of them.

/** A smaller chunk means that the socket had no more. */
const TURN_BYTES = 32 * 1024

/**
 * Calls `take` with incoming data, about 64 KiB per turn of the event loop. A pause made by `take` itself is respected.
 */
export function readInTurns(socket: Socket, take: (chunk: Uint8Array) => void): void {
  socket.on('data', (chunk) => {
    take(chunk)
    if (chunk.length < TURN_BYTES || socket.isPaused() || socket.destroyed) return
    socket.pause()
    setImmediate(() => socket.resume())
  })
}

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
