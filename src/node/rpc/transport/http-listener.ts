// One TCP listener of JSON-RPC: HTTP requests, WebSocket upgrades, or both on the same port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip, gzipSync } from 'node:zlib'
import { messageOf } from '../../../base/errors'
import { ByteBudget } from '../../../base/limits/byte-budget'
import type { Logger } from '../../../base/logger'
import { durationText, HOUR_MS, SECOND_MS } from '../../../base/time'
import { type RequestBody, takeBody } from '../../../net/body-reader'
import type { NameLocals } from '../../../net/caller-share'
import { ConnectionLimit } from '../../../net/connection-limit'
import { hostFilter } from '../../../net/host-header'
import { type HttpRefusal, hostOf, originForm, refusalOf } from '../../../net/json-http-rules'
import type { Answer } from '../../../net/json-rpc/json-rpc'
import { isListenFailure, listenTcp, type TcpAddress, tcpAddressOf } from '../../../net/listen'
import { RpcError } from '../../errors'
import type { PeersPort } from '../../ports/peers-port'
import type { BlockSummary } from '../../worker/wire/shapes'
import type { Dispatcher } from '../dispatch/dispatch'
import { CallScope, callerOf } from '../dispatch/method'
import type { TransportLimits } from './limits'

const CORS_METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

/** What CORS depends on; the last two are `Access-Control-Request-Method` and `-Headers`. */
interface CorsRequest {
  readonly method: string
  readonly origin: string | undefined
  readonly askedMethod: string | undefined
  readonly askedHeaders: string | undefined
}

/** Response headers by name. */
type CorsHeaders = Readonly<Record<string, string>>

/** True for a CORS preflight. */
function isPreflight(request: CorsRequest): boolean {
  return request.method === 'OPTIONS' && request.askedMethod !== undefined && request.askedMethod !== ''
}

/** @param origins of `--http.corsdomain`; when empty there are no headers at all */
export function corsHeaders(request: CorsRequest, origins: readonly string[]): CorsHeaders {
  if (origins.length === 0) return {}
  const asked = isPreflight(request)
  const vary: CorsHeaders = { Vary: asked ? PREFLIGHT_VARY : 'Origin' }
  const { origin, method } = request
  const used = asked ? (request.askedMethod ?? '').toUpperCase() : method
  if (origin === undefined || !corsAllowed(origin, origins) || !CORS_METHODS.has(used)) return vary
  const allow = { ...vary, 'Access-Control-Allow-Origin': origins.includes('*') ? '*' : origin }
  if (!asked) return allow
  const names = (request.askedHeaders ?? '').split(',').map(canonicalName).filter(Boolean)
  return {
    ...allow,
    'Access-Control-Allow-Methods': used,
    ...(names.length === 0 ? {} : { 'Access-Control-Allow-Headers': names.join(', ') }),
    'Access-Control-Max-Age': '600', // seconds
  }
}

/** `*` alone matches all; one `*` inside matches any text. */
function corsAllowed(origin: string, origins: readonly string[]): boolean {
  const name = origin.toLowerCase()
  return origins.some((listed) => {
    const [start = '', end] = listed.toLowerCase().split('*')
    if (end === undefined) return start === name
    return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  })
}

/** `content-type` as `Content-Type`; empty for an invalid header name. */
function canonicalName(text: string): string {
  const name = text.trim().toLowerCase()
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return ''
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** No origin is a program; a page must match each part a rule names. No rules: localhost and this computer. */
export function originAllowed(origin: string | undefined, rules: readonly string[], hostName: string): boolean {
  if (origin === undefined || origin === '' || rules.includes('*')) return true
  const page = partsOf(origin)
  const effective = rules.length > 0 ? rules : ['http://localhost', ...(hostName === '' ? [] : [`http://${hostName}`])]
  const fits = (rule: string) => partsOf(rule)?.every((part, i) => part === '' || part === page?.[i]) ?? false
  return page !== null && effective.some(fits)
}

/** Scheme, host and port; empty = not specified. */
function partsOf(text: string): readonly string[] | null {
  const match = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^:/?#\s]*)(?::(\d+))?\/?$/.exec(text.toLowerCase())
  return match?.slice(1).map((part = '') => part) ?? null
}

interface ReadinessDeps {
  /** Null before the chain is open, and after it was lost. */
  readonly head: () => BlockSummary | null
  /** Null = a network without peers. */
  readonly peers: PeersPort | null
  /** wall clock, ms */
  readonly now: () => number
}

/** Reasons for both paths; empty = none. Those of `ready` include why answers may be outdated. */
interface Readiness {
  health(): readonly string[]
  ready(): readonly string[]
}

/** A head this old means that blocks don't arrive: twelve times the time between two. */
const STALE_MS = 2 * HOUR_MS

export function readinessOf({ head, peers, now }: ReadinessDeps): Readiness {
  const health = (): readonly string[] => (head() === null ? ['the chain is not open'] : [])
  const ready = (): readonly string[] => {
    const block = head()
    if (peers === null || block === null) return health()
    const sync = peers.syncing()
    const wrong = peers.wrongBlock()
    const ageMs = now() - block.timestamp * SECOND_MS
    return [
      ...(wrong === null ? [] : [wrong]),
      ...(sync === null ? [] : [`syncing: block ${sync.current} of ${sync.target}`]),
      ...(peers.count() === 0 ? ['no peers'] : []),
      ...(ageMs > STALE_MS ? [`the head, block ${block.number}, is ${durationText(ageMs)} old`] : []),
    ]
  }
  return { health, ready }
}

/** Below this, compressing on this thread is cheaper than on another one. */
const SMALL_CHARACTERS = 2_000
/** Collected before writing: traces come in many small pieces. */
const WRITE_BYTES = 64 * 1024

const compress = promisify(gzip)

interface AnswerOptions {
  /** Default 200; always 200 for a stream. */
  readonly status?: number
  readonly gzip: boolean
  readonly headers: Readonly<Record<string, string>>
  /** A client that reads nothing for this long is disconnected, ms. */
  readonly stallMs: number
}

/** Writes whole, uncompressed answers synchronously: nothing to await then. */
function writeAnswer(response: ServerResponse, answer: Answer, options: AnswerOptions): Promise<void> | null {
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

interface HttpVerdict {
  /** Null: read the body and answer it. */
  readonly refusal: HttpRefusal | null
  /** Added to every response. */
  readonly headers: CorsHeaders
}

interface HttpRules {
  readonly isHostAllowed: (header: string | undefined) => boolean
  /** Origins that may read the answers; none = no CORS headers. */
  readonly corsOrigins: readonly string[]
  readonly bodyLimitBytes: number
  /** Absent: `/health` and `/ready` are unknown paths. */
  readonly readiness?: Readiness
}

/** What a load balancer asks for; null: something else. */
function checkOf(method: string | undefined, path: string, { readiness }: HttpRules): (() => readonly string[]) | null {
  if (readiness === undefined || (method !== 'GET' && method !== 'HEAD')) return null
  if (path === '/health') return () => readiness.health()
  return path === '/ready' ? () => readiness.ready() : null
}

/** Decides what to do with a request before its body is read. */
function httpVerdict(request: IncomingMessage, rules: HttpRules): HttpVerdict {
  const path = originForm(request.url).split('?')[0] ?? ''
  const check = checkOf(request.method, path, rules)
  const plain = (refusal: HttpRefusal | null): HttpVerdict => ({ refusal, headers: {} })
  if (path !== '/' && check === null) return plain({ status: 404, text: '' })
  const { headers, method = '' } = request
  if (!rules.isHostAllowed(hostOf(request))) return plain({ status: 403, text: 'invalid host specified' })
  if (check !== null) {
    const reasons = check()
    const text = JSON.stringify({ ok: reasons.length === 0, reasons })
    return plain({ status: reasons.length === 0 ? 200 : 503, text, isJson: true })
  }
  const byItself = refusalOf(request, rules.bodyLimitBytes)
  if (rules.corsOrigins.length === 0) return plain(byItself)
  const cors = {
    method,
    origin: headers.origin,
    askedMethod: headers['access-control-request-method'],
    askedHeaders: headers['access-control-request-headers'],
  }
  const refusal = isPreflight(cors) ? { status: 200, text: '' } : byItself
  return { refusal, headers: corsHeaders(cors, rules.corsOrigins) }
}

interface HttpListenerOptions {
  readonly host: string
  /** 0 = any free one */
  readonly port: number
  /** The option that sets the port, for the error when it is in use. */
  readonly portOption: string
  readonly limits: TransportLimits
  /** Null = no HTTP requests on this port. */
  readonly http: {
    readonly rules: Omit<HttpRules, 'isHostAllowed'> & {
      /** lower case; `*` = all */
      readonly vhosts: readonly string[]
    }
    readonly dispatcher: Dispatcher
  } | null
}

/** @param mark whether the connection may be closed to make room; until it is called, it may not */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  mark: (isBusy: boolean) => void,
) => void

const TIMEOUT_CHECK_MS = 5_000
const BUSY: HttpRefusal = { status: 503, text: 'too many request bodies at the moment' }

export class HttpListener {
  readonly #connections: ConnectionLimit
  readonly #budget: ByteBudget
  readonly #rules: HttpRules | null
  #server: Server | null = null

  constructor(
    private readonly options: HttpListenerOptions,
    private readonly deps: {
      readonly log: Logger
      readonly onUpgrade: UpgradeHandler | null
      readonly nameLocals: NameLocals
    },
  ) {
    const { maxBodyBytes, maxConnections, maxPerAddress, maxPerProgram } = options.limits
    this.#budget = new ByteBudget(maxBodyBytes)
    const { rules } = options.http ?? { rules: null }
    this.#rules = rules && { ...rules, isHostAllowed: hostFilter(rules.vhosts) }
    this.#connections = new ConnectionLimit({ max: maxConnections, maxPerAddress, maxPerProgram }, deps.nameLocals)
  }

  /** @throws RpcError RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(): Promise<void> {
    const { host, port, portOption, limits } = this.options
    const server = createServer({ connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.ioTimeoutMs) })
    server.on('request', (request, response) => this.#attempt(response, () => this.#receive(request, response)))
    const { onUpgrade } = this.deps
    if (onUpgrade !== null)
      server.on('upgrade', (request, socket, head) => {
        const carrier = request.socket
        this.#connections.busy(carrier)
        onUpgrade(request, socket, head, (isBusy) => this.#connections[isBusy ? 'busy' : 'idle'](carrier))
      })
    server.requestTimeout = limits.ioTimeoutMs
    server.headersTimeout = limits.ioTimeoutMs
    server.keepAliveTimeout = limits.idleTimeoutMs
    server.on('connection', (socket) => {
      if (this.#connections.admit(socket)) socket.setNoDelay(true)
    })
    const outcome = await listenTcp(server, { host, port })
    if (isListenFailure(outcome)) {
      const { kind, reason, cause } = outcome
      if (kind === 'in-use') throw new RpcError('RPC_PORT_IN_USE', { host, port, option: portOption }, { cause })
      throw new RpcError('RPC_LISTEN_FAILED', { host, port, reason }, { cause })
    }
    server.on('error', (error) => this.deps.log.error('RPC listener failed', { error: messageOf(error) }))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#connections.sockets()) socket.destroy() // kept-alive connections would delay the stop
    await closed
  }

  address(): TcpAddress | null {
    return tcpAddressOf(this.#server)
  }

  /** Takes a step of an exchange at once; when it fails, the connection ends. */
  #attempt(response: ServerResponse, step: () => Promise<void> | null): void {
    const failed = (error: unknown): void => this.#failed(response, error)
    try {
      step()?.catch(failed)
    } catch (error: unknown) {
      failed(error)
    }
  }

  /** Synchronous answers are written in the turn in which the body is complete, without a promise. */
  #receive(request: IncomingMessage, response: ServerResponse): null {
    const rules = this.#rules
    if (rules === null) return refuse(response, { status: 404, text: '' }, {})
    const verdict = httpVerdict(request, rules)
    if (verdict.refusal !== null) return refuse(response, verdict.refusal, verdict.headers)
    takeBody(request, {
      limitBytes: rules.bodyLimitBytes,
      budget: this.#budget,
      failed: (error) => this.#failed(response, error),
      done: (body) => this.#attempt(response, () => this.#serve({ request, response, verdict, body })),
    })
    return null
  }

  #failed(response: ServerResponse, error: unknown): void {
    this.deps.log.debug('an RPC connection failed', { error: messageOf(error) })
    response.destroy()
  }

  /** Null when the answer has been written. */
  #serve({ request, response, verdict, body }: Exchange): Promise<void> | null {
    const { http, limits } = this.options
    if (http === null) return null
    if (body === null) return refuse(response, BUSY, verdict.headers)
    const { socket } = request
    this.#connections.busy(socket)
    const scope = new CallScope('http', null, () => callerOf('http', request))
    response.once('close', () => {
      this.#connections.idle(socket)
      if (!response.writableFinished) scope.clientGone()
    })
    if (body.isCut) response.setHeader('Connection', 'close')
    const gzip = request.headers['accept-encoding']?.includes('gzip') === true
    const options = { gzip, headers: verdict.headers, stallMs: limits.ioTimeoutMs }
    const given = http.dispatcher.answer(body.text, scope)
    if (!(given instanceof Promise)) return send(given, { response, scope, options })
    return given.then(async (answer) => {
      await send(answer, { response, scope, options })
    })
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly verdict: HttpVerdict
  /** Null: the body budget was exhausted. */
  readonly body: RequestBody | null
}

interface Reply {
  readonly response: ServerResponse
  readonly scope: CallScope
  readonly options: AnswerOptions
}

/** Null when it has been written. */
function send(answer: Answer, { response, scope, options }: Reply): Promise<void> | null {
  const writing = writeAnswer(response, answer, options)
  if (writing !== null) return writing.then(() => scope.answered())
  scope.answered()
  return null
}

function refuse(response: ServerResponse, refusal: HttpRefusal, headers: Readonly<Record<string, string>>): null {
  const { status, text, isJson = false } = refusal
  const close = status >= 400 ? { Connection: 'close' } : {} // its body wasn't read
  const type = isJson ? 'application/json' : 'text/plain; charset=utf-8'
  response.writeHead(status, { ...headers, ...close, ...(text === '' && !isJson ? {} : { 'Content-Type': type }) })
  response.end(text === '' ? undefined : `${text}\n`)
  return null
}
