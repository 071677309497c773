// Writes an answer to an HTTP response: whole or streamed, compressed if requested, never faster than the client reads.
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, createGzip, gzip, gzipSync } from 'node:zlib'
import type { Answer } from '../../../net/json-rpc/json-rpc'

/** Below this, compressing on this thread is cheaper than on another one. */
const SMALL_CHARACTERS = 2_000
/** Collected before writing: traces come in many small pieces. */
const WRITE_BYTES = 64 * 1024

const compress = promisify(gzip)

export interface AnswerOptions {
  /** Default 200; always 200 for a stream. */
  readonly status?: number
  readonly gzip: boolean
  readonly headers: Readonly<Record<string, string>>
  /** A client that reads nothing for this long is disconnected, ms. */
  readonly stallMs: number
}

/** Writes whole, uncompressed answers synchronously: nothing to await then. */
export function writeAnswer(response: ServerResponse, answer: Answer, options: AnswerOptions): Promise<void> | null {
  if (typeof answer === 'string') return writeText(response, `${answer}\n`, options)
  const headers = { ...options.headers, 'Content-Type': 'application/json' }
  if (answer !== null) return writeStream(response, answer, { ...options, headers })
  response.writeHead(200, headers).end()
  return null
}

function writeText(response: ServerResponse, line: string, options: AnswerOptions): Promise<void> | null {
  if (line.length > WRITE_BYTES) response.socket?.setTimeout(options.stallMs)
  if (options.gzip) return writePacked(response, line, options)
  const length = Buffer.byteLength(line)
  const headers = { ...options.headers, 'Content-Type': 'application/json', 'Content-Length': length }
  response.writeHead(options.status ?? 200, headers).end(line, length === line.length ? 'latin1' : 'utf8')
  return null
}

async function writePacked(response: ServerResponse, line: string, options: AnswerOptions): Promise<void> {
  const packed = line.length < SMALL_CHARACTERS ? gzipSync(line) : await compress(line)
  const coding = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': packed.length }
  response.writeHead(options.status ?? 200, { ...options.headers, ...coding }).end(packed)
}

async function writeStream(
  response: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
  { gzip: isPacked, headers, stallMs }: AnswerOptions,
): Promise<void> {
  response.socket?.setTimeout(stallMs)
  response.writeHead(200, isPacked ? { ...headers, 'Content-Encoding': 'gzip' } : headers)
  const out = isPacked ? createGzip({ level: constants.Z_BEST_SPEED }) : response
  if (out !== response) out.pipe(response)
  try {
    for await (const piece of gathered(chunks)) {
      if (response.destroyed) return
      if (!out.write(piece)) await drained(out, response)
    }
    out.end('\n')
  } catch (error: unknown) {
    response.destroy() // the answer has begun: only a missing end can signal the failure
    throw error
  }
}

/** Also resolves when the client disconnects. */
function drained(out: NodeJS.WritableStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done)
      out.off('error', done)
      response.off('close', done)
      resolve()
    }
    out.on('drain', done)
    out.on('error', done)
    response.on('close', done)
  })
}

/** The same bytes in larger pieces. */
export async function* gathered(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    parts.push(bytes)
    length += bytes.length
    if (length < WRITE_BYTES) continue
    yield joined(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield joined(parts)
}

/** A single part as it is: chunks of a trace are large already. */
function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
}
