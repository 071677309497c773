// The external API over HTTP: access rules, limits, and detection of disconnecting callers.
// No CORS header is ever sent, so a foreign web page can neither call nor read.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { messageOf } from '../../base/errors'
import { bracketed, isLoopback } from '../../base/ip-address'
import { ByteBudget } from '../../base/limits/byte-budget'
import type { Logger } from '../../base/logger'
import { type Clock, sleep } from '../../base/time'
import { readBody } from '../../net/body-reader'
import { localCallers } from '../../net/caller-share'
import { ConnectionLimit } from '../../net/connection-limit'
import { isHostAllowed } from '../../net/host-header'
import { type HttpRefusal, hostOf, refusalOf } from '../../net/json-http-rules'
import { isListenFailure, listenTcp, type TcpAddress, tcpAddressOf } from '../../net/listen'
import { SignerError } from '../errors'
import type { Caller } from '../model/request'
import { QUEUE_LIMITS } from '../requests/queue-limits'
import { answerBody, type CallHandler, type LongReader } from './json-rpc'

export interface SignerHttpOptions {
  readonly host: string
  readonly port: number
  /** Allowed Host names, any case; `*` allows all. IP addresses always pass. */
  readonly vhosts: readonly string[]
  /** Bytes of all bodies being read; default 64 MiB. */
  readonly bodiesBytes?: number
}

export const MAX_BODY_BYTES = 5 * 1024 * 1024
const MAX_BODIES_BYTES = 64 * 1024 * 1024
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'OPTIONS'])
/**
 * More than the maximum number of open requests, even for one program: the queue rejects with an error, rather than a
 * connection being cut. The excess is left for other callers.
 */
const CONNECTIONS = { max: QUEUE_LIMITS.open + 200, maxPerAddress: 128, maxPerProgram: QUEUE_LIMITS.open + 100 }
/** Time for a request to arrive; waiting for the user is unlimited. */
const SENDING_LIMIT_MS = 30_000
/** A program may keep its connection this long for its next call, as with clef; the limit on connections closes idle ones first. */
const IDLE_LIMIT_MS = 120_000
const MAX_HEADER_TEXT = 1_024

interface SignerHttpDeps {
  readonly handle: CallHandler
  readonly readLong?: LongReader | undefined
  readonly log: Logger
  readonly clock: Clock
}

/** How long stop() waits for responses in transit, ms. */
const LAST_ANSWERS_MS = 500

export class SignerHttp {
  /** Each connection with the abort controllers of its pending calls. */
  readonly #sockets = new Map<Socket, Set<AbortController>>()
  readonly #answering = new Set<Promise<void>>()
  readonly #budget: ByteBudget
  readonly #connections: ConnectionLimit
  #server: Server | null = null

  constructor(
    private readonly options: SignerHttpOptions,
    private readonly deps: SignerHttpDeps,
  ) {
    this.#budget = new ByteBudget(options.bodiesBytes ?? MAX_BODIES_BYTES)
    this.#connections = new ConnectionLimit(CONNECTIONS, localCallers(deps.clock))
  }

  address(): TcpAddress | null {
    return tcpAddressOf(this.#server)
  }

  /** @throws SignerError SIGNER_PORT_IN_USE, SIGNER_LISTEN_FAILED */
  async start(): Promise<void> {
    const { host, port } = this.options
    const server = createServer((request, response) => this.#serve(request, response))
    server.headersTimeout = SENDING_LIMIT_MS
    server.requestTimeout = SENDING_LIMIT_MS
    server.keepAliveTimeout = IDLE_LIMIT_MS
    server.on('connection', (socket) => this.#track(socket))
    const outcome = await listenTcp(server, { host, port })
    if (isListenFailure(outcome)) {
      const { kind, reason, cause } = outcome
      if (kind === 'in-use') throw new SignerError('SIGNER_PORT_IN_USE', { host, port }, { cause })
      throw new SignerError('SIGNER_LISTEN_FAILED', { host, port, reason }, { cause })
    }
    server.on('error', (error) => this.deps.log.error('signer listener failed', { error: messageOf(error) }))
    this.#server = server
    if (!isLoopback(host) && host !== 'localhost')
      this.deps.log.warn('signer is reachable from other computers', { host })
  }

  /**
   * Closes the listener first, lets responses leave, then closes every connection. Pending requests must have been
   * rejected before.
   */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const timer = new AbortController()
    const late = sleep(this.deps.clock, LAST_ANSWERS_MS, timer.signal).catch(() => undefined)
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
    if (!this.#connections.admit(socket)) return
    const calls = new Set<AbortController>()
    this.#sockets.set(socket, calls)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      for (const gone of calls) gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    })
  }

  /**
   * Aborts when the caller disconnects. Based on the socket: the response of a call pipelined after an unanswered one
   * doesn't notice.
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
      this.deps.log.debug('connection ended while its request was read', { error: messageOf(error) })
      response.destroy()
    }
  }

  async #answerChecked(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isHostAllowed(hostOf(request), this.options.vhosts)) return sendText(response, FOREIGN)
    if (!METHODS.has(request.method ?? '')) return sendText(response, WRONG_METHOD)
    const refusal = refusalOf(request, MAX_BODY_BYTES)
    if (refusal !== null && refusal.status !== 200) return sendText(response, refusal)
    const callerGone = this.#callerGone(request, response)
    if (refusal !== null) return send(response, '', callerGone)
    const body = await readBody(request, MAX_BODY_BYTES, this.#budget)
    if (body === null) return sendText(response, BUSY)
    if (body.isCut) response.setHeader('connection', 'close')
    this.#connections.busy(request.socket)
    response.once('close', () => this.#connections.idle(request.socket))
    const answer = await answerBody(body.text, {
      caller: callerOf(request),
      callerGone,
      connection: request.socket,
      handle: this.deps.handle,
      readLong: this.deps.readLong,
    })
    if (!callerGone.aborted) await send(response, answer, callerGone)
  }
}

const FOREIGN: HttpRefusal = { status: 403, text: 'invalid host specified' }
const WRONG_METHOD: HttpRefusal = { status: 405, text: 'method not allowed' }
const BUSY: HttpRefusal = { status: 503, text: 'too many request bodies at the moment' }

/** From the socket and the headers only; never from the body. */
function callerOf(request: IncomingMessage): Caller {
  const { remoteAddress = '', remotePort = 0 } = request.socket
  return {
    transport: 'http',
    remote: `${bracketed(remoteAddress)}:${remotePort}`,
    local: headerText(request.headers.host),
    userAgent: headerText(request.headers['user-agent']),
    origin: headerText(request.headers.origin),
  }
}

function headerText(value: string | undefined): string {
  return (value ?? '').slice(0, MAX_HEADER_TEXT)
}

function sendText(response: ServerResponse, refusal: HttpRefusal): void {
  response.writeHead(refusal.status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(`${refusal.text}\n`)
}

/** Resolves when the response has been passed to the system or the connection has ended. */
function send(response: ServerResponse, body: string, callerGone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    callerGone.addEventListener('abort', () => resolve(), { once: true })
    response.once('close', resolve)
    response.once('finish', resolve)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
}
