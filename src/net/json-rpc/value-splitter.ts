// Cuts a byte stream into JSON values between white space. Scans each byte once; the parser judges a value.
import { ByteGatherer } from '../body-reader'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
/** Between values these are sender errors: hand them to the parser immediately. */
const STRAY = new Set([0x5d, 0x7d, 0x2c])
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Splits one connection's stream; keep one instance per connection. */
export class ValueSplitter {
  readonly #kept = new ByteGatherer()
  #depth = 0
  #inString = false
  #escaped = false
  #inWord = false
  #isOver = false

  /** @param maxBytes of one value */
  constructor(private readonly maxBytes: number) {}

  /** A value was too long; nothing more is split. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The values that `chunk` completes, in order, up to the first that is too long. */
  push(chunk: Buffer): readonly string[] {
    const values: string[] = []
    let start = 0
    for (let at = 0; at < chunk.length && !this.#isOver; at++) {
      const end = this.#step(chunk[at] ?? 0, at)
      if (end === null) continue
      this.#kept.add(chunk.subarray(start, end))
      start = end
      this.#isOver = this.#kept.length > this.maxBytes
      const value = this.#kept.take().toString('utf8')
      if (!this.#isOver) values.push(value)
    }
    if (!this.#isOver) this.#keep(chunk.subarray(start))
    return values
  }

  /** Position after the value that `byte` ends; null when it ends none. */
  #step(byte: number, at: number): number | null {
    if (this.#inString) return this.#insideString(byte) ? at + 1 : null
    if (this.#depth > 0) return this.#inside(byte, at)
    const isEdge = SPACE.has(byte) || byte === QUOTE || OPENING.has(byte) || STRAY.has(byte)
    if (this.#inWord && isEdge) {
      this.#inWord = false
      this.#open(byte)
      return at
    }
    this.#open(byte)
    return STRAY.has(byte) ? at + 1 : null
  }

  /** True when the value ends here: at its closing quote, or at a line break, which no string may contain. */
  #insideString(byte: number): boolean {
    if (byte < FIRST_PRINTABLE) {
      this.#inString = false
      this.#escaped = false
      this.#depth = 0
      return true
    }
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      return this.#depth === 0
    }
    return false
  }

  #inside(byte: number, at: number): number | null {
    if (byte === QUOTE) this.#inString = true
    else if (OPENING.has(byte)) this.#depth += 1
    else if (CLOSING.has(byte)) {
      this.#depth -= 1
      if (this.#depth === 0) return at + 1
    }
    return null
  }

  #open(byte: number): void {
    if (byte === QUOTE) this.#inString = true
    else if (OPENING.has(byte)) this.#depth = 1
    else if (!SPACE.has(byte) && !STRAY.has(byte)) this.#inWord = true
  }

  #keep(rest: Buffer): void {
    const isBlank = this.#kept.length === 0 && this.#depth === 0 && !this.#inString && !this.#inWord
    if (rest.length === 0 || isBlank) return
    this.#kept.add(rest)
    this.#isOver = this.#kept.length > this.maxBytes
  }
}
