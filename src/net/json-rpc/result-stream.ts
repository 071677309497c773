// Results that aren't values: text that is already JSON, and results generated while they are sent. For those the first
// chunk decides between result and error, the rest follows on demand.

/** A result that is already JSON text (made by a worker, or cached); sent as it is. */
export class JsonText {
  /** @param text one complete JSON value */
  constructor(readonly text: string) {}
}

/** The same for a text that may still be on its way. */
export function jsonText(text: string | Promise<string>): JsonText | Promise<JsonText> {
  return typeof text === 'string' ? new JsonText(text) : text.then((late) => new JsonText(late))
}

/**
 * A result that is never whole in memory: one JSON value cut anywhere, bytes are UTF-8. The next chunk is requested
 * only when the client has taken the last ones; `return()` of the iterator is called when it disconnects. A failure
 * before the first chunk becomes an error response; a later one cuts the connection, because the response has begun.
 */
export class StreamedResult {
  constructor(readonly chunks: AsyncIterable<string | Uint8Array>) {}
}

/** A first chunk below this may be all there is, characters. */
const SHORT = 64 * 1024

/**
 * The response around the result's chunks: whole where a short chunk is the only one, so that it needs no stream.
 * @throws what the result fails with before its first chunk, or after a short one
 */
export async function streamAnswer(
  result: StreamedResult,
  frame: { readonly before: string; readonly after: string },
): Promise<string | AsyncIterable<string | Uint8Array>> {
  const chunks = result.chunks[Symbol.asyncIterator]()
  const first = await chunks.next()
  const { value } = first
  if (first.done === true || typeof value !== 'string' || value.length >= SHORT) return joined(frame, [first], chunks)
  const second = await chunks.next()
  return second.done === true ? frame.before + value + frame.after : joined(frame, [first, second], chunks)
}

/** @param begun the first chunks, of which only the last may be the end */
async function* joined(
  frame: { readonly before: string; readonly after: string },
  begun: readonly IteratorResult<string | Uint8Array>[],
  chunks: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let isDone = false
  try {
    yield frame.before
    let next: IteratorResult<string | Uint8Array> | undefined
    for (next of begun) if (next.done !== true) yield next.value
    while (next?.done !== true) {
      next = await chunks.next()
      if (next.done !== true) yield next.value
    }
    isDone = true
    yield frame.after
  } finally {
    if (!isDone) await chunks.return?.()
  }
}

/** The whole result as text; null when it exceeds `maxBytes`. */
export async function gatherStream(result: StreamedResult, maxBytes: number): Promise<string | null> {
  const parts: Buffer[] = []
  let left = maxBytes
  for await (const chunk of result.chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    left -= bytes.length
    if (left < 0) return null
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}
