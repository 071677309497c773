// Cuts a stream of bytes into JSON values that follow each other without anything between them but white space.
// Looks at every byte once; whether a value is valid is the parser's to say.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

export class JsonSplitter {
  #parts: Buffer[] = []
  #length = 0
  #depth = 0
  #inString = false
  #escaped = false
  #inWord = false

  /** @param mostBytes of one value */
  constructor(private readonly mostBytes: number) {}

  /** The values that `chunk` completes, in order; null when one is too long, which ends the use of this splitter. */
  push(chunk: Buffer): readonly string[] | null {
    const values: string[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const end = this.#step(chunk[at] ?? 0, at)
      if (end === null) continue
      values.push(this.#take(chunk.subarray(start, end)))
      start = end
    }
    this.#keep(chunk.subarray(start))
    return this.#length > this.mostBytes || values.some((value) => value.length > this.mostBytes) ? null : values
  }

  /** Position behind the value that `byte` ends; null when it ends none. */
  #step(byte: number, at: number): number | null {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        if (this.#depth === 0) return at + 1
      }
      return null
    }
    if (this.#depth > 0) return this.#inside(byte, at)
    const isEdge = SPACE.has(byte) || byte === QUOTE || OPENING.has(byte) || CLOSING.has(byte)
    if (this.#inWord && isEdge) {
      this.#inWord = false
      this.#open(byte)
      return at
    }
    this.#open(byte)
    return CLOSING.has(byte) ? at + 1 : null // a stray bracket: the parser refuses it
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
    else if (!SPACE.has(byte) && !CLOSING.has(byte)) this.#inWord = true
  }

  #keep(rest: Buffer): void {
    const isBlank = this.#length === 0 && this.#depth === 0 && !this.#inString && !this.#inWord
    if (rest.length === 0 || isBlank) return
    this.#parts.push(rest)
    this.#length += rest.length
  }

  #take(last: Buffer): string {
    const text = Buffer.concat([...this.#parts, last]).toString('utf8')
    this.#parts = []
    this.#length = 0
    return text
  }
}
