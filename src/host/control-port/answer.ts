// A route's answer and how it is written: the fixed headers of data answers and of the dashboard's files.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { errorBody } from '../../miner/api/http-errors'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | { readonly stream: Readable; readonly sizeBytes: number }
}

/** On every answer: no caching, sniffing or referrers. */
const DATA_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const

export function json(value: unknown): Answer {
  return text('application/json; charset=utf-8', JSON.stringify(value))
}

export function text(contentType: string, body: string): Answer {
  return { status: 200, headers: { 'Content-Type': contentType, ...DATA_HEADERS }, body }
}

export function failure(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const contentType = { 'Content-Type': 'application/json; charset=utf-8' }
  return { status, headers: { ...contentType, ...DATA_HEADERS, ...headers }, body: errorBody(error) }
}

/** Resolves when the answer was handed to the socket or the client is gone. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.sizeBytes
  response.writeHead(status, { ...headers, 'Content-Length': length })
  if (typeof body === 'string') {
    response.end(body)
    return
  }
  const { stream } = body
  // the length is announced: an answer that can't be completed must end the connection
  stream.on('error', () => response.destroy())
  response.on('close', () => stream.destroy())
  stream.pipe(response)
}

/** The same as text, where Node provides no response object: the last one on its connection. */
export function closingAnswer({ status, headers, body }: Answer): string {
  const text = typeof body === 'string' ? body : ''
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`
}
