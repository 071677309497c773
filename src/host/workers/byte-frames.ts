// Messages over a byte stream to a helper process: JSON with byte arrays beside it, so that passwords are never strings
// and each buffer that held one can be wiped. The other end may be compromised: its messages are treated as data only.
import { secretCopy, wipe } from '../../base/bytes'

const LENGTH_BYTES = 4
/** What the key process sends: key files and log records are a few KB, a journal as one record some MB. */
export const ANSWER_FRAME_BYTES = 8 * 1024 * 1024
/** What it is sent: a content to sign may have 12 MiB of text. */
export const CALL_FRAME_BYTES = 16 * 1024 * 1024

/** Replaces a byte array in the JSON: offset and length in the data after the JSON. */
interface BytesAt {
  readonly $bytes: readonly [number, number]
}

/**
 * Plain values and Uint8Arrays (no Buffers, which become numbers) as one frame: its length and that of its JSON (4 bytes
 * each, big-endian), the JSON, the arrays; wipe it once sent. @throws RangeError beyond `most` bytes
 */
export function encodeFrame(message: unknown, most: number): Uint8Array {
  const parts: Uint8Array[] = []
  let offset = 0
  const json = new TextEncoder().encode(
    JSON.stringify(message, (_key, value: unknown) => {
      if (!(value instanceof Uint8Array)) return value
      parts.push(value)
      offset += value.length
      return { $bytes: [offset - value.length, value.length] } satisfies BytesAt
    }),
  )
  const length = LENGTH_BYTES + json.length + offset
  if (length > most) throw new RangeError(`a message of ${length} bytes; at most ${most}`)
  const frame = new Uint8Array(LENGTH_BYTES + length)
  const view = new DataView(frame.buffer)
  view.setUint32(0, length)
  view.setUint32(LENGTH_BYTES, json.length)
  frame.set(json, 2 * LENGTH_BYTES)
  let at = 2 * LENGTH_BYTES + json.length
  for (const part of parts) {
    frame.set(part, at)
    at += part.length
  }
  return frame
}

/** Cuts a stream into messages. */
export class FrameReader {
  #held = new Uint8Array(4096)
  #length = 0

  /** @param most bytes of a message */
  constructor(private readonly most: number) {}

  /** @param chunk wiped @throws RangeError, SyntaxError for an invalid frame: nothing after it can be read */
  read(chunk: Uint8Array): unknown[] {
    this.#append(chunk)
    const messages: unknown[] = []
    let at = 0
    try {
      for (;;) {
        const end = this.#endOfFrame(at)
        if (end === null) return messages
        messages.push(decode(this.#held.subarray(at + LENGTH_BYTES, end)))
        at = end
      }
    } finally {
      this.#drop(at)
    }
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#held.length) {
      const larger = new Uint8Array(2 * length)
      larger.set(this.#held.subarray(0, this.#length))
      wipe(this.#held)
      this.#held = larger
    }
    this.#held.set(chunk, this.#length)
    this.#length = length
    wipe(chunk)
  }

  /** Null while the frame is incomplete. */
  #endOfFrame(at: number): number | null {
    if (at + LENGTH_BYTES > this.#length) return null
    const length = viewOf(this.#held).getUint32(at)
    if (length < LENGTH_BYTES || length > this.most) throw new RangeError(`a message of ${length} bytes`)
    const end = at + LENGTH_BYTES + length
    return end > this.#length ? null : end
  }

  /** Removes the first `count` bytes, and wipes the vacated memory. */
  #drop(count: number): void {
    if (count === 0) return
    this.#held.copyWithin(0, count, this.#length)
    wipe(this.#held.subarray(this.#length - count, this.#length))
    this.#length -= count
  }
}

/** @param frame after its length */
function decode(frame: Uint8Array): unknown {
  const jsonEnd = LENGTH_BYTES + viewOf(frame).getUint32(0)
  if (jsonEnd > frame.length) throw new RangeError('a message that ends before its text')
  const parts = frame.subarray(jsonEnd)
  return JSON.parse(new TextDecoder().decode(frame.subarray(LENGTH_BYTES, jsonEnd)), (_key, value: unknown) => {
    const at = placeOf(value)
    return at === null ? value : secretCopy(parts.subarray(at[0], at[0] + at[1]))
  })
}

function placeOf(value: unknown): readonly [number, number] | null {
  if (typeof value !== 'object' || value === null || !('$bytes' in value)) return null
  const at: unknown = value.$bytes
  const isPlace = Array.isArray(at) && at.length === 2 && at.every((part) => Number.isSafeInteger(part) && part >= 0)
  return isPlace ? [Number(at[0]), Number(at[1])] : null
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
