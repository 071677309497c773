// How a case reaches the server: one HTTP request on a separate connection, or a WebSocket whose answers are read.
import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { WebSocket } from 'ws'
import { networkTurn } from '../../../src/net/testing/network-turn'
import type { HttpChanges, WsOptions } from './case-file'

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const TIME_LIMIT_MS = 240_000
/** From here on, a rejection may arrive before the body is requested. */
const BIG_BODY_BYTES = 4_194_304

export function sendHttp(url: string, body: string, changes: HttpChanges): Promise<HttpAnswer> {
  const { hostname, port, pathname } = new URL(url)
  const bytes = Buffer.from(body, 'utf8')
  const method = changes.method ?? 'POST'
  const headers = new Map(Object.entries(changes.noDefaults === true ? {} : { 'content-type': 'application/json' }))
  if (changes.chunked !== true && (bytes.length > 0 || method === 'POST'))
    headers.set('content-length', String(bytes.length))
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === null) headers.delete(name.toLowerCase())
    else headers.set(name.toLowerCase(), value)
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: changes.path ?? pathname, headers: Object.fromEntries(headers), agent: false },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const all = Buffer.concat(parts)
          const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(all) : all
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: plain.toString('utf8') })
          sent.destroy()
        })
      },
    )
    sent.setTimeout(TIME_LIMIT_MS, () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject) // after the answer this changes nothing
    if (bytes.length <= BIG_BODY_BYTES) sent.end(bytes)
    else sendJudged(sent, bytes).catch(reject)
  })
}

/**
 * The body follows once the server, in this process, has read the headers: what it rejects by them alone, it has
 * rejected by then.
 */
async function sendJudged(sent: ClientRequest, body: Buffer): Promise<void> {
  sent.flushHeaders()
  const [socket] = await once(sent, 'socket')
  if (socket.connecting) await once(socket, 'connect')
  await networkTurn()
  sent.end(body)
}

/** A refused upgrade gives the HTTP status that refused it. */
export function openWs(url: string, options: WsOptions): Promise<WsReader | { readonly refused: number }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: options.headers ?? {}, perMessageDeflate: false })
    socket.once('open', () => resolve(reader))
    socket.once('unexpected-response', (_request, response) => {
      resolve({ refused: response.statusCode ?? 0 })
      socket.terminate()
    })
    socket.on('error', reject)
    const reader = new WsReader(socket)
  })
}

export class WsReader {
  readonly #messages: string[] = []
  #wake: () => void = () => undefined
  #closed = false

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.#messages.push(data.toString())
      this.#wake()
    })
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  send(text: string): void {
    this.socket.send(text)
  }

  /** The next message; null if the server closed before one came. @throws Error if neither happens in time */
  async next(): Promise<string | null> {
    const deadline = setTimeout(() => this.#wake(), TIME_LIMIT_MS)
    const until = performance.now() + TIME_LIMIT_MS
    try {
      for (;;) {
        const message = this.#messages.shift()
        if (message !== undefined) return message
        if (this.#closed) return null
        if (performance.now() >= until) throw new Error('no message in time')
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  close(): void {
    this.socket.terminate()
  }
}
