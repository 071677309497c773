// Results that aren't values: text that is JSON already, and answers that are made while they are sent. Of those the first
// chunk decides between answer and error, the rest follows on demand.

/** A result that is JSON text already (made by a worker, or kept from an earlier answer); sent as it is. */
export class JsonText {
  /** @param text one complete JSON value */
  constructor(readonly text: string) {}
}

/** Such a result of a text that may still have to come. */
export function jsonText(text: string | Promise<string>): JsonText | Promise<JsonText> {
  return typeof text === 'string' ? new JsonText(text) : text.then((late) => new JsonText(late))
}

/**
 * A result that is never whole in memory: one JSON value cut anywhere, bytes are UTF-8. The next chunk is asked for only when
 * the client has taken the last ones; `return()` of the iterator is called when it goes away. A failure before the first
 * chunk is answered as an error; a later one cuts the connection, because the answer has begun.
 */
export class StreamedResult {
  constructor(readonly chunks: AsyncIterable<string | Uint8Array>) {}
}

/**
 * The answer around the result's chunks.
 * @throws what the result fails with before its first chunk
 */
export async function streamAnswer(
  result: StreamedResult,
  frame: { readonly before: string; readonly after: string },
): Promise<AsyncIterable<string | Uint8Array>> {
  const chunks = result.chunks[Symbol.asyncIterator]()
  const first = await chunks.next()
  return joined(frame, first, chunks)
}

async function* joined(
  frame: { readonly before: string; readonly after: string },
  first: IteratorResult<string | Uint8Array>,
  chunks: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let isDone = false
  try {
    yield frame.before
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value
    isDone = true
    yield frame.after
  } finally {
    if (!isDone) await chunks.return?.()
  }
}

/** The whole result as text; null when it is longer than `maxBytes`. */
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
