// Text of unchecked bytes in answers, as clients know it from programs in Go.
import { utf8Text } from '../../base/language/readable-text'

/** U+FFFD in UTF-8. */
const REPLACEMENT = Uint8Array.of(0xef, 0xbf, 0xbd)
const [FIRST_NEXT, LAST_NEXT] = [0x80, 0xbf]
/** By their first byte, where the second has a smaller range: no longer form than needed, no surrogate, at most U+10FFFF. */
const SECONDS: ReadonlyMap<number, readonly [from: number, to: number]> = new Map([
  [0xe0, [0xa0, LAST_NEXT]],
  [0xed, [FIRST_NEXT, 0x9f]],
  [0xf0, [0x90, LAST_NEXT]],
  [0xf4, [FIRST_NEXT, 0x8f]],
])

/**
 * UTF-8 as Go writes it to JSON: each byte of an invalid sequence is one U+FFFD, where the web's decoder has one for several. A byte
 * order mark stays. Source: Go, encoding/json and unicode/utf8
 */
export function goText(bytes: Uint8Array): string {
  const whole = utf8Text(bytes)
  if (whole !== null) return whole
  const valid = new Uint8Array(REPLACEMENT.length * bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const found = sequenceAt(bytes, at)
    const piece = found === 0 ? REPLACEMENT : bytes.subarray(at, at + found)
    valid.set(piece, length)
    length += piece.length
    at += found === 0 ? 1 : found
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(valid.subarray(0, length))
}

/** Bytes of the character that begins here; 0 if none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < FIRST_NEXT) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next++) {
    const [from, to] = (next === 1 ? SECONDS.get(first) : undefined) ?? [FIRST_NEXT, LAST_NEXT]
    const byte = bytes[at + next] ?? 0
    if (byte < from || byte > to) return 0
  }
  return length
}
