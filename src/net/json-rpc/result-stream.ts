// Results that aren't values: text that is already JSON, and results generated while they are sent. For those the
// beginning, which is held back, decides between result and error; the rest follows on demand.

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

/** A response begins once this much of it is there, or all of it: until then a failure is still an error, bytes. */
export const HELD_BACK = 1024 * 1024
/** A whole text below this needs no stream, characters. */
const SHORT = 64 * 1024

/**
 * The response around the result's chunks: whole where the text is short, so that it needs no stream.
 * @throws what the result fails with while its beginning is held back
 */
export async function streamAnswer(
  result: StreamedResult,
  frame: { readonly before: string; readonly after: string },
): Promise<string | AsyncIterable<string | Uint8Array>> {
  const chunks = result.chunks[Symbol.asyncIterator]()
  const begun: IteratorResult<string | Uint8Array>[] = []
  let held = 0
  while (held < HELD_BACK) {
    const next = await chunks.next()
    begun.push(next)
    if (next.done === true) break
    held += next.value.length
  }
  const texts = begun.flatMap(({ done, value }) => (done === true || typeof value !== 'string' ? [] : [value]))
  const isWhole = begun.at(-1)?.done === true && texts.length === begun.length - 1
  return isWhole && held < SHORT ? `${frame.before}${texts.join('')}${frame.after}` : joined(frame, begun, chunks)
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
