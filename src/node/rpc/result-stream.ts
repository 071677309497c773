// Answers that are made while they are sent: the first chunk decides between answer and error, the rest follows on demand.
import type { StreamedResult } from './method'

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

/** The whole result as text; null when it is longer than `mostBytes`. */
export async function gatherStream(result: StreamedResult, mostBytes: number): Promise<string | null> {
  const parts: Buffer[] = []
  let left = mostBytes
  for await (const chunk of result.chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    left -= bytes.length
    if (left < 0) return null
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}
