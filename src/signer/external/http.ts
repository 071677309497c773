// The external API's HTTP front (signer.md 2.1): who may speak, how much, and noticing when a caller hangs up.
// No CORS header is ever sent, so a foreign web page can neither ask nor read.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { ByteBudget } from '../../base/byte-budget'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type Clock, sleep } from '../../base/time'
import { SignerError } from '../errors'
import type { Caller } from '../requests/request'
import { answerBody, type CallHandler } from './json-rpc'

export interface SignerHttpOptions {
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Names accepted in the Host header, any case; `*` accepts all. IP addresses always pass. */
  readonly vhosts: readonly string[]
}

export const MOST_BODY_BYTES = 5 * 1024 * 1024
/** Of all bodies that are being read. */
const MOST_BODIES_BYTES = 64 * 1024 * 1024
const MOST_SOCKETS = 512
/** A request has to be here within this; waiting for the user has no limit. */
const SENDING_LIMIT_MS = 30_000
/** Longest text of a header that is kept for display. */
const MOST_HEADER_TEXT = 1_024
const JSON_TYPES = ['application/json', 'application/json-rpc', 'application/jsonrequest']

export interface SignerHttpDeps {
  readonly handle: CallHandler
  readonly log: Logger
  readonly clock: Clock
}

/** How long stop() waits for answers that are on their way out, ms. */
const LAST_ANSWERS_MS = 500

export class SignerHttp {
  readonly #options: SignerHttpOptions
  readonly #handle: CallHandler
  readonly #log: Logger
  readonly #clock: Clock
  /** Each connection with what ends the calls that it still waits for. */
  readonly #sockets = new Map<Socket, Set<AbortController>>()
  readonly #answering = new Set<Promise<void>>()
  readonly #budget = new ByteBudget(MOST_BODIES_BYTES)
  #server: Server | null = null

  constructor(options: SignerHttpOptions, deps: SignerHttpDeps) {
    this.#options = options
    this.#handle = deps.handle
    this.#log = deps.log
    this.#clock = deps.clock
  }

  /** Where it listens; null when it does not. */
  address(): { readonly host: string; readonly port: number } | null {
    const bound = this.#server?.address() ?? null
    return bound === null || typeof bound === 'string' ? null : { host: bound.address, port: bound.port }
  }

  /** @throws SignerError SIGNER_PORT_IN_USE, SIGNER_LISTEN_FAILED */
  async start(): Promise<void> {
    const { host, port } = this.#options
    const server = createServer((request, response) => this.#serve(request, response))
    server.maxConnections = MOST_SOCKETS
    server.headersTimeout = SENDING_LIMIT_MS
    server.requestTimeout = SENDING_LIMIT_MS
    server.on('connection', (socket) => this.#track(socket))
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => reject(listenError(error, host, port))
      server.once('error', fail)
      server.listen(port, host, () => {
        server.off('error', fail)
        resolve()
      })
    })
    server.on('error', (error) => this.#log.error('signer listener failed', { error: messageOf(error) }))
    this.#server = server
    if (!isLoopback(host)) this.#log.warn('signer is reachable from other computers', { host })
  }

  /**
   * Ends the listener first, lets answers leave, then ends every connection. Whoever waits must have been denied
   * before.
   */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const timer = new AbortController()
    const late = sleep(this.#clock, LAST_ANSWERS_MS, timer.signal).catch(() => undefined)
    await Promise.race([Promise.all(this.#answering), late])
    timer.abort()
    for (const socket of this.#sockets.keys()) socket.destroySoon()
    await closed
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const done = this.#answer(request, response)
    this.#answering.add(done)
    void done.finally(() => this.#answering.delete(done))
  }

  #track(socket: Socket): void {
    const calls = new Set<AbortController>()
    this.#sockets.set(socket, calls)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      for (const gone of calls) gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    })
  }

  /**
   * Ends when the caller hangs up. Asked of the socket: the response to a call that came behind an unanswered one
   * (pipelining) does not notice.
   */
  #callerGone(request: IncomingMessage, response: ServerResponse): AbortSignal {
    const gone = new AbortController()
    const calls = this.#sockets.get(request.socket)
    if (calls === undefined) gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    else calls.add(gone)
    response.once('close', () => calls?.delete(gone))
    return gone.signal
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answerChecked(request, response)
    } catch (error) {
      this.#log.debug('connection ended while its request was read', { error: messageOf(error) })
      response.destroy()
    }
  }

  async #answerChecked(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, this.#options.vhosts)
    if (refusal !== null) return sendText(response, refusal)
    const callerGone = this.#callerGone(request, response)
    if (request.method !== 'POST') return send(response, '', callerGone)
    const body = await readBody(request, this.#budget)
    if (body === null) return sendText(response, BUSY)
    const { text, cut } = body
    if (cut) response.setHeader('connection', 'close')
    const answer = await answerBody(text, {
      caller: callerOf(request),
      callerGone,
      handle: this.#handle,
    })
    if (!callerGone.aborted) await send(response, answer, callerGone)
  }
}

interface Refusal {
  readonly status: number
  readonly text: string
}

const BUSY: Refusal = { status: 503, text: 'too many request bodies at the moment' }

/** Null for what may go on: POST with JSON, GET as a health check, OPTIONS (answered empty, without CORS headers). */
function refuse(request: IncomingMessage, vhosts: readonly string[]): Refusal | null {
  if (!hostAllowed(request.headers.host, vhosts)) return { status: 403, text: 'invalid host specified' }
  const method = request.method ?? ''
  const length = Number(request.headers['content-length'] ?? 0)
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined
  if (method === 'GET' && !hasBody && !(request.url ?? '').includes('?')) return null
  if (method !== 'POST' && method !== 'GET' && method !== 'OPTIONS') return { status: 405, text: 'method not allowed' }
  if (length > MOST_BODY_BYTES) return { status: 413, text: `content length too large (${length}>${MOST_BODY_BYTES})` }
  if (method === 'OPTIONS') return null
  if (method === 'POST' && isJsonType(request.headers['content-type'])) return null
  return { status: 415, text: 'invalid content type, only application/json is supported' }
}

function isJsonType(header: string | undefined): boolean {
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase()
  return type !== undefined && JSON_TYPES.includes(type)
}

/** The guard against DNS rebinding: a page's own name in the Host header gives it away. */
function hostAllowed(header: string | undefined, vhosts: readonly string[]): boolean {
  if (header === undefined || header === '') return true
  const bracketed = /^\[([^\]]*)\](:\d*)?$/.exec(header)
  const name = (bracketed?.[1] ?? header.replace(/:\d*$/, '')).toLowerCase()
  if (isIP(name) !== 0 || isIP(header) !== 0) return true
  return vhosts.some((vhost) => vhost === '*' || vhost.toLowerCase() === name)
}

/** Only what the socket and the headers say; never the body. */
function callerOf(request: IncomingMessage): Caller {
  const { remoteAddress = '', remotePort = 0 } = request.socket
  const host = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress
  return {
    transport: 'http',
    remote: `${host}:${remotePort}`,
    local: headerText(request.headers.host),
    userAgent: headerText(request.headers['user-agent']),
    origin: headerText(request.headers.origin),
  }
}

function headerText(value: string | undefined): string {
  return (value ?? '').slice(0, MOST_HEADER_TEXT)
}

/**
 * At most 5 MiB; `cut` when a body without a declared length went on behind that; null when all bodies together are too
 * much. Not `for await`: leaving that loop early would destroy the connection that the answer needs.
 * @throws what the socket failed with
 */
function readBody(
  request: IncomingMessage,
  budget: ByteBudget,
): Promise<{ readonly text: string; readonly cut: boolean } | null> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    let held = 0
    const release = (): void => {
      request.off('data', take)
      budget.give(held)
      held = 0
    }
    const finish = (): void => {
      release()
      resolve({ text: Buffer.concat(chunks).toString('utf8'), cut: size > MOST_BODY_BYTES })
    }
    const take = (chunk: Uint8Array): void => {
      const kept = chunk.subarray(0, Math.max(0, MOST_BODY_BYTES - size))
      if (!budget.take(kept.length)) {
        release()
        resolve(null)
        return
      }
      held += kept.length
      chunks.push(kept)
      size += chunk.length
      if (size > MOST_BODY_BYTES) finish()
    }
    request.on('data', take)
    request.once('end', finish)
    request.once('error', reject)
    request.once('close', () => {
      release()
      reject(new Error('connection closed while its body was read'))
    })
  })
}

function sendText(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(`${refusal.text}\n`)
}

/** Resolves when the answer has been handed to the system or the connection has ended. */
function send(response: ServerResponse, body: string, callerGone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    callerGone.addEventListener('abort', () => resolve(), { once: true })
    response.once('close', resolve)
    response.once('finish', resolve)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function listenError(error: Error, host: string, port: number): Error {
  const inUse = 'code' in error && error.code === 'EADDRINUSE'
  if (inUse) return new SignerError('SIGNER_PORT_IN_USE', { host, port }, { cause: error })
  return new SignerError('SIGNER_LISTEN_FAILED', { host, port, reason: messageOf(error) }, { cause: error })
}
