// One TCP listener of JSON-RPC: HTTP requests, WebSocket upgrades, or both on the same port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ByteBudget } from '../../../base/byte-budget'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { RpcError } from '../../errors'
import { CallScope } from '../call-scope'
import type { Dispatcher } from '../dispatch'
import { type HttpRefusal, type HttpRules, httpVerdict } from '../http-rules'
import { readBody } from './body-reader'
import { callerOf } from './caller'
import { writeAnswer } from './http-answer'
import type { TransportLimits } from './limits'

export interface HttpListenerOptions {
  readonly host: string
  /** 0 = any free one */
  readonly port: number
  /** Of the option that names the port, for the error when it is in use. */
  readonly portOption: string
  readonly limits: TransportLimits
  /** Null = this port does not answer HTTP requests. */
  readonly http: { readonly rules: HttpRules; readonly dispatcher: Dispatcher } | null
}

/** Takes an upgrade over, or refuses it. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const TIMEOUT_CHECK_MS = 5_000
const BUSY: HttpRefusal = { status: 503, text: 'too many request bodies at the moment' }

export class HttpListener {
  readonly #sockets = new Set<Socket>()
  readonly #budget: ByteBudget
  #server: Server | null = null

  constructor(
    private readonly options: HttpListenerOptions,
    private readonly deps: { readonly log: Logger; readonly onUpgrade: UpgradeHandler | null },
  ) {
    this.#budget = new ByteBudget(options.limits.mostBodyBytes)
  }

  /** @throws RpcError RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(): Promise<void> {
    const { host, port, portOption, limits } = this.options
    const server = createServer({ connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.ioTimeoutMs) })
    server.on('request', (request, response) => this.#onRequest(request, response))
    const { onUpgrade } = this.deps
    if (onUpgrade !== null) server.on('upgrade', onUpgrade)
    server.maxConnections = limits.mostConnections
    server.requestTimeout = limits.ioTimeoutMs
    server.headersTimeout = limits.ioTimeoutMs
    server.keepAliveTimeout = limits.idleTimeoutMs
    server.on('connection', (socket) => {
      socket.setNoDelay(true)
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const cause = { cause: error }
        if (error.code === 'EADDRINUSE')
          reject(new RpcError('RPC_PORT_IN_USE', { host, port, option: portOption }, cause))
        else reject(new RpcError('RPC_LISTEN_FAILED', { host, port, reason: messageOf(error) }, cause))
      })
      server.listen(port, host, resolve)
    })
    server.on('error', (error) => this.deps.log.error('RPC listener failed', { error: messageOf(error) }))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy() // kept-alive ones would hold the stop
    await closed
  }

  address(): { readonly host: string; readonly port: number } | null {
    const address = this.#server?.address()
    if (address === null || address === undefined || typeof address === 'string') return null
    return { host: address.address, port: address.port }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((error: unknown) => {
      this.deps.log.debug('an RPC connection failed', { error: messageOf(error) })
      response.destroy()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { http, limits } = this.options
    if (http === null) return refuse(response, { status: 404, text: '' }, {})
    const { refusal, headers } = httpVerdict(request, http.rules)
    if (refusal !== null) return refuse(response, refusal, headers)
    const body = await readBody(request, http.rules.bodyLimitBytes, this.#budget)
    if (body === null) return refuse(response, BUSY, headers)
    const scope = new CallScope('http', null, () => callerOf('http', request))
    response.once('close', () => scope.clientGone())
    const given = http.dispatcher.answer(body, scope)
    const answer = given instanceof Promise ? await given : given
    if (!request.complete) response.setHeader('Connection', 'close') // its body was cut
    const gzip = String(request.headers['accept-encoding'] ?? '').includes('gzip')
    await writeAnswer(response, answer, { gzip, headers, stallMs: limits.ioTimeoutMs })
    scope.answered()
  }
}

function refuse(response: ServerResponse, refusal: HttpRefusal, headers: Readonly<Record<string, string>>): void {
  const { status, text, isJson = false } = refusal
  const close = status >= 400 ? { Connection: 'close' } : {} // its body was not read
  const type = isJson ? 'application/json' : 'text/plain; charset=utf-8'
  response.writeHead(status, { ...headers, ...close, ...(text === '' && !isJson ? {} : { 'Content-Type': type }) })
  response.end(text === '' ? undefined : `${text}\n`)
}
