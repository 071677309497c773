// Destination of a stream's text: collected into chunks, sent, held back while too many are in transit.
import type { QueryLimits } from './session'

/** Accepts chunks, bytes in UTF-8; false when the reader is gone. Blocks while there is no room. */
type ChunkTarget = (chunk: string | Uint8Array) => boolean

const CHUNK_CHARACTERS = 128 * 1024
/** From here on it is worth a message of its own. */
const LONG_BYTES = 64 * 1024
/** A reader that takes nothing for this long is gone. */
const STALLED_MS = 60_000
/** Waiting time allowed per chunk sent: a slower reader would keep its worker from everyone else. */
const WAIT_PER_CHUNK_MS = 2_000

/** How long to wait for a reader, ms; 0 or less = no longer. @param sent chunks @param waitedMs for room, in total */
export function patienceMs(sent: number, waitedMs: number): number {
  return Math.min(STALLED_MS, STALLED_MS + sent * WAIT_PER_CHUNK_MS - waitedMs)
}

/** @param bytes ASCII, as the engine's module writes */
export function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

export interface TextStream {
  readonly limits: QueryLimits
  readonly sink: TextSink
}

/** Writes a part of a stream; false when nobody reads it any more. */
export function writerOf({ limits, sink }: TextStream): (text: string) => boolean {
  return (text) => {
    sink.write(text)
    return sink.isOpen && !limits.isStopped()
  }
}

/** `write` never blocks; the writer waits for room between steps. Text that wasn't sent yet can be taken back. */
export class TextSink {
  #parts: string[] = []
  #length = 0
  #sent = 0
  #isOpen = true
  #waitedMs = 0

  constructor(private readonly deps: { readonly send: ChunkTarget; readonly now: () => number }) {}

  /** False after the reader disconnected. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** ms spent waiting for room; not the writer's own time. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length >= CHUNK_CHARACTERS) this.flush()
  }

  /** Sends a large piece at once, as it is. @param bytes the reader's from now on, UTF-8 */
  writeBytes(bytes: Uint8Array): void {
    this.flush()
    this.#send(bytes)
  }

  /** Writes text that comes as bytes; it is sent as text where it is short. */
  writeAscii(bytes: Uint8Array): void {
    if (bytes.length >= LONG_BYTES) this.writeBytes(bytes)
    else this.write(asciiText(bytes))
  }

  mark(): { readonly sent: number; readonly parts: number } {
    return { sent: this.#sent, parts: this.#parts.length }
  }

  /** Drops what was written since `mark`. @returns false when some of it was already sent */
  rewind(mark: { readonly sent: number; readonly parts: number }): boolean {
    if (mark.sent !== this.#sent) return false
    this.#parts.length = mark.parts
    this.#length = this.#parts.reduce((sum, part) => sum + part.length, 0)
    return true
  }

  /** Takes out what wasn't sent. */
  rest(): string {
    const text = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return text
  }

  flush(): void {
    if (this.#length > 0) this.#send(this.rest())
  }

  #send(chunk: string | Uint8Array): void {
    this.#sent++
    if (!this.#isOpen) return
    const start = this.deps.now()
    this.#isOpen = this.deps.send(chunk)
    this.#waitedMs += this.deps.now() - start
  }
}
