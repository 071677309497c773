// The standard streams as lines, for a program that decides the signer's requests. What a person typed there stays bytes,
// which can be wiped: the engine's strings can't.
import { secretCopy } from '../../base/bytes'
import type { LineChannel } from '../../signer/ui-api/line-ui'
import type { Platform } from '../system/platform'

/** Longer than any answer: a returned transaction has at most 5 MiB of call data as text. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Standard input is only read once the channel opens. */
export function standardLines(platform: Pick<Platform, 'standardInput' | 'standardOutput'>): LineChannel {
  const held: { close: () => void } = { close: () => undefined }
  const typed = new TypedTexts()
  return {
    typed: (name) => typed.take(name),
    send: (line) => platform.standardOutput(line),
    open: ({ onLine, onEnd }) => {
      const cutter = new LineCutter(onLine, (text) => typed.keep(text))
      const reader = platform.standardInput?.({ onBytes: (bytes) => cutter.take(bytes), onEnd })
      if (reader === undefined) onEnd()
      held.close = () => reader?.close()
    },
    close: () => held.close(),
  }
}

class LineCutter {
  #parts: Buffer[] = []
  #length = 0
  #isTooLong = false

  constructor(
    private readonly onLine: (line: string | null) => void,
    private readonly keep: (text: Uint8Array) => string,
  ) {}

  take(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < chunk.length; ) {
      const found = chunk.indexOf('\n', at)
      const end = found < 0 ? chunk.length : found
      this.#parts.push(Buffer.from(chunk.subarray(at, end)))
      this.#length += end - at
      at = end + 1
      if (this.#length > LONGEST_LINE) {
        this.#isTooLong = true
        this.#whole().fill(0)
      }
      if (found >= 0) this.#line()
    }
  }

  #line(): void {
    const line = this.#whole()
    const isTooLong = this.#isTooLong
    this.#isTooLong = false
    this.onLine(isTooLong ? null : withoutTexts(line, this.keep))
    line.fill(0)
  }

  #whole(): Buffer {
    const line = Buffer.concat(this.#parts)
    for (const part of this.#parts) part.fill(0)
    this.#parts = []
    this.#length = 0
    return line
  }
}

const KEY = '"text"'
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Takes the value of each member `text` out. @param keep returns what takes its place, without characters to escape */
function withoutTexts(line: Buffer, keep: (text: Uint8Array) => string): string {
  let shown = ''
  let from = 0
  for (let at = line.indexOf(KEY); at >= 0; at = line.indexOf(KEY, at + 1)) {
    const start = startOfText(line, at + KEY.length)
    const text = start === null ? null : textAt(line, start)
    if (start === null || text === null) continue
    shown += `${line.toString('utf8', from, start)}${keep(text.bytes)}`
    from = text.end
  }
  return shown + line.toString('utf8', from)
}

/** Behind the opening quote; null when no text follows. */
function startOfText(line: Buffer, after: number): number | null {
  const skipBlanks = (from: number): number => {
    let at = from
    while (BLANKS.includes(line[at] ?? 0)) at++
    return at
  }
  const colon = skipBlanks(after)
  const quote = line[colon] === COLON ? skipBlanks(colon + 1) : -1
  return line[quote] === QUOTE ? quote + 1 : null
}

/** Until the closing quote, without ever making a string of it. Null for what isn't JSON's. */
function textAt(line: Buffer, start: number): { readonly bytes: Uint8Array; readonly end: number } | null {
  let end = start
  while (end < line.length && line[end] !== QUOTE) end += line[end] === BACKSLASH ? 2 : 1
  if (end >= line.length) return null
  // With a buffer of its own: of a small array in the heap the engine leaves a copy where it was.
  const room = new Uint8Array(new ArrayBuffer(end - start))
  let length = 0
  for (let at = start; at < end; ) {
    const byte = line[at] ?? 0
    const escaped = byte === BACKSLASH ? escapedAt(line, at) : ''
    if (byte < FIRST_PLAIN || escaped === null) break
    const character = escaped === '' ? [byte] : new TextEncoder().encode(String(JSON.parse(`"${escaped}"`)))
    room.set(character, length)
    length += character.length
    at += escaped.length || 1
    if (at === end) {
      const bytes = secretCopy(room.subarray(0, length))
      room.fill(0)
      return { bytes, end }
    }
  }
  return end === start ? { bytes: room, end } : null
}

/** One character, of two halves where it has them; null for what isn't JSON's. */
function escapedAt(line: Buffer, at: number): string | null {
  const one = line.toString('latin1', at, at + (line[at + 1] === LETTER_U ? 6 : 2))
  const both = HIGH_HALF.test(one) ? line.toString('latin1', at, at + 12) : ''
  return BOTH_HALVES.test(both) ? both : ESCAPE.test(one) ? one : null
}

const [COLON, LETTER_U, FIRST_PLAIN] = [0x3a, 0x75, 0x20] as const
const BLANKS: readonly number[] = [0x20, 0x09, 0x0d]
const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/
const HIGH_HALF = /^\\u[dD][89abAB]/
const BOTH_HALVES = /^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}$/

class TypedTexts {
  readonly #kept = new Map<string, Uint8Array>()
  #count = 0

  keep(text: Uint8Array): string {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.take(oldest)?.fill(0)
    this.#count += 1
    const name = `typed ${this.#count}`
    this.#kept.set(name, text)
    return name
  }

  take(name: string): Uint8Array | null {
    const text = this.#kept.get(name) ?? null
    this.#kept.delete(name)
    return text
  }
}

const MOST_KEPT = 16
