// One TCP port for the dashboard, the mining API, metrics, the UI's WebSocket and line JSON-RPC.

import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { WebSocketServer } from 'ws'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { plainAddress } from '../../base/ip-address'
import type { Service } from '../../base/lifecycle'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import { CHANNEL_PATH } from '../../contract/contract'
import type { LineMethods } from '../../miner/api/line-methods'
import { localCallers } from '../../net/caller-share'
import { ConnectionLimit } from '../../net/connection-limit'
import { isListenFailure, listenTcp } from '../../net/listen'
import { HostError } from '../errors'
import { AccessGuard, type ViewLinkFinder } from './access-guard'
import { type Answer, closingAnswer, failure } from './answer'
import { MAX_MESSAGE_BYTES, type OnChannel, openChannel } from './channel'
import type { ListenAddress } from './foreign-page'
import { HttpConnection } from './http-connection'
import { LineConnection } from './line-connection'
import { pathOf, Router, type RouterDeps } from './router'

const CONNECTIONS = { max: 128, maxPerAddress: 32, maxPerProgram: 64 }
const FIRST_BYTE_LIMIT_MS = 10_000
const SWEEP_MS = 500
const TLS_HELLO = 0x16
const OPTION = '--api-bind'

/** Address, tokens and limits. */
export interface ControlPortOptions {
  /** host: an IP literal without brackets, or `localhost`; port 0: any free one */
  readonly bind: ListenAddress
  /** tried first when any free port is requested; null: none */
  readonly preferredPort: number | null
  /** required for everything except the dashboard's files */
  readonly apiToken: Secret | null
  /** without an apiToken: reading is open, control and approvals need this one */
  readonly sessionToken: Secret | null
  /** for the mining API; see AccessGuardOptions */
  readonly allowControl: boolean
  readonly openControl: boolean
  /** additional names allowed in `Host` */
  readonly hosts: readonly string[]
  /** this instance only monitors: line JSON-RPC is closed at its first byte */
  readonly monitor: boolean
  /** the built renderer, absolute; null: no dashboard */
  readonly staticDir: string | null
}

interface ControlPortDeps extends RouterDeps {
  /** null: no miner, or a monitor */
  readonly lines: LineMethods | null
  /** null: read-only links are disabled */
  readonly links: ViewLinkFinder | null
  /** A user interface that completed the hello; serve it until its transport closes. */
  readonly onChannel: OnChannel
  readonly clock: Clock
}

interface Open {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly since: number
  protocol: { sweep(): void } | null
}

interface Listening {
  readonly address: ListenAddress
  readonly server: Server
  readonly http: HttpServer
  readonly sockets: WebSocketServer
  readonly sweeper: Disposable
}

export class ControlPort implements Service {
  readonly name = 'control-port'
  readonly #guard: AccessGuard
  readonly #open = new Map<Socket, Open>()
  readonly #connections: ConnectionLimit
  #listening: Listening | null = null

  constructor(
    private readonly options: ControlPortOptions,
    private readonly deps: ControlPortDeps,
  ) {
    this.#guard = new AccessGuard(options, deps.clock, deps.links)
    this.#connections = new ConnectionLimit(CONNECTIONS, localCallers(deps.clock))
  }

  /** Its address with the actual port; null while not listening. */
  address(): ListenAddress | null {
    return this.#listening?.address ?? null
  }

  /** Number of open connections of all kinds. */
  get connections(): number {
    return this.#open.size
  }

  /** @throws HostError HOST_CONTROL_NEEDS_TOKEN, HOST_PORT_IN_USE, HOST_PORT_UNUSABLE */
  async start(signal: AbortSignal): Promise<void> {
    const { bind, apiToken, sessionToken, allowControl } = this.options
    if (allowControl && apiToken === null && sessionToken === null && !['127.0.0.1', 'localhost'].includes(bind.host)) {
      throw new HostError('HOST_CONTROL_NEEDS_TOKEN', { host: bind.host })
    }
    signal.throwIfAborted()
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
    const address = { host: bind.host, port: await this.#listen(server) }
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
    // without a listener a second error, for example too many open files, would end the program
    server.on('error', (error) => this.deps.log.error('control port listener failed', { error: messageOf(error) }))
    const http = this.#httpServer(address, sockets)
    const sweeper = this.deps.clock.setInterval(() => this.#sweep(), SWEEP_MS)
    this.#listening = { address, server, http, sockets, sweeper }
    this.deps.log.info('control port open', { host: address.host, port: address.port })
  }

  async stop(): Promise<void> {
    const listening = this.#listening
    this.#listening = null
    if (listening === null) return
    const { server, http, sockets, sweeper } = listening
    sweeper.dispose()
    for (const socket of sockets.clients) socket.close(1_001, 'the program stops')
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // let what was just written (close frames, a last answer) out first
    await new Promise((resolve) => setImmediate(resolve))
    for (const socket of this.#open.keys()) socket.destroy()
    sockets.close()
    http.close(() => undefined)
    await closed
  }

  /** A merely preferred port doesn't stop the start when it is taken. */
  async #listen(server: Server): Promise<number> {
    const { bind, preferredPort } = this.options
    if (bind.port !== 0 || preferredPort === null) return listen(server, bind)
    try {
      return await listen(server, { ...bind, port: preferredPort })
    } catch (error) {
      this.deps.log.info('the previous port is in use', { port: preferredPort, error: messageOf(error) })
      return listen(server, bind)
    }
  }

  #httpServer(listen: ListenAddress, sockets: WebSocketServer): HttpServer {
    const { options, deps } = this
    const rules = { listen, extraHosts: options.hosts, computerName: hostname() }
    const { staticDir } = options
    const router = new Router({ rules, channelPath: CHANNEL_PATH, staticDir }, { ...deps, guard: this.#guard })
    // limits of size and time are enforced by http-framing and http-connection; Node's are off or wider
    const http = createHttpServer({ maxHeaderSize: 65_536, requireHostHeader: false })
    http.maxHeadersCount = 0
    http.timeout = 0
    http.headersTimeout = 0
    http.requestTimeout = 0
    http.keepAliveTimeout = 0
    http.on('request', (request, response) => {
      const connection = request.socket
      this.#mark(connection, 'busy')
      response.on('close', () => {
        this.#mark(connection, 'idle')
        connectionOf(connection)?.answered()
      })
      if (connectionOf(connection)?.lastRequest === true) response.setHeader('Connection', 'close')
      void router.handle(request, response)
    })
    http.on('upgrade', (request, stream, head) => {
      const refusal = router.refuseForeign(request, 'none') ?? wrongPath(request)
      if (refusal !== null) return void stream.end(closingAnswer(refusal))
      const remoteAddress = plainAddress(request.socket.remoteAddress)
      this.#mark(request.socket, 'busy')
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const { clock, onChannel, links } = deps
        const { headers } = request
        openChannel(socket, { guard: this.#guard, clock, remoteAddress, headers, onChannel, links })
      })
    })
    http.on('clientError', (error, stream) => {
      deps.log.debug('a request was malformed', { error: messageOf(error) })
      stream.end(closingAnswer(failure(400, 'bad request')))
    })
    return http
  }

  #accept(socket: Socket): void {
    if (this.#listening === null) return void socket.destroy()
    if (!this.#connections.admit(socket)) return
    const remoteAddress = plainAddress(socket.remoteAddress)
    const open: Open = { socket, remoteAddress, since: this.deps.clock.monotonic(), protocol: null }
    this.#open.set(socket, open)
    socket.on('close', () => void this.#open.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.once('end', () => {
      if (open.protocol === null) socket.destroy()
    })
    socket.once('data', (chunk) => this.#decide(open, chunk))
  }

  /** The first byte determines the protocol, once. */
  #decide(open: Open, chunk: Buffer): void {
    const { socket, remoteAddress } = open
    const { clock } = this.deps
    const [first = TLS_HELLO] = chunk
    if (first === TLS_HELLO || this.#listening === null) {
      socket.destroy()
      return
    }
    if (first >= 0x41 && first <= 0x5a) {
      const connection = new HttpConnection(socket, { upgradePath: CHANNEL_PATH, clock, remoteAddress })
      open.protocol = connection
      this.#listening.http.emit('connection', connection)
    } else if (this.options.monitor) {
      socket.destroy()
      return
    } else {
      const methods = this.deps.lines
      open.protocol = new LineConnection(socket, { guard: this.#guard, clock, remoteAddress, methods })
    }
    socket.emit('data', chunk)
  }

  /** A connection that is `busy` isn't closed to make room. */
  #mark(stream: unknown, state: 'busy' | 'idle'): void {
    const connection = connectionOf(stream)
    if (connection !== null) this.#connections[state](connection.carrier)
  }

  #sweep(): void {
    const now = this.deps.clock.monotonic()
    for (const open of this.#open.values()) {
      if (open.protocol !== null) open.protocol.sweep()
      else if (now - open.since >= FIRST_BYTE_LIMIT_MS) open.socket.destroy()
    }
  }
}

function connectionOf(stream: unknown): HttpConnection | null {
  return stream instanceof HttpConnection ? stream : null
}

function wrongPath(request: IncomingMessage): Answer | null {
  return pathOf(request) === CHANNEL_PATH ? null : failure(404, 'not found')
}

/** The actual port. */
async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  const outcome = await listenTcp(server, { host, port })
  if (!isListenFailure(outcome)) return outcome.port
  const { kind, reason, cause } = outcome
  const data = { option: OPTION, host, port }
  if (kind === 'in-use') throw new HostError('HOST_PORT_IN_USE', data, { cause })
  throw new HostError('HOST_PORT_UNUSABLE', { ...data, reason }, { cause })
}
