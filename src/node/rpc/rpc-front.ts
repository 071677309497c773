// JSON-RPC over HTTP: one listener, its rules, and the methods behind it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { messageOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { RpcError } from '../errors'
import type { AccountsPort } from './accounts-port'
import { Dispatcher } from './dispatch'
import { type HttpRules, httpRefusal } from './http-rules'
import type { RpcNetwork, RpcNode } from './method'
import { createMethodTable, modulesOf } from './methods'
import { ReportedRates } from './reported-rates'

export interface RpcFrontOptions extends HttpRules {
  readonly host: string
  /** 0 = any free one */
  readonly port: number
  readonly batchLimit: number
  /** `eth_getWork` appends the block number. */
  readonly getworkHeight: boolean
}

export interface RpcFrontDeps {
  readonly node: RpcNode
  readonly network: RpcNetwork
  readonly accounts: AccountsPort | null
  /** H/s of this program's own miner; 0 without one */
  readonly localHashrate: () => number
  readonly clock: Clock
  readonly log: Logger
}

const IO_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 120_000
/** Each may hold a body of the limit's size. */
const MOST_SOCKETS = 512

const compress = promisify(gzip)

export class RpcFront implements Service {
  readonly name = 'rpc'
  readonly #dispatcher: Dispatcher
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null

  constructor(
    private readonly options: RpcFrontOptions,
    private readonly deps: RpcFrontDeps,
  ) {
    const methods = createMethodTable()
    const { node, network, accounts, localHashrate, clock, log } = deps
    const { batchLimit, getworkHeight } = options
    const modules = modulesOf(methods)
    const rates = new ReportedRates(clock, localHashrate)
    const context = { node, network, accounts, clock, getworkHeight, modules, rates }
    this.#dispatcher = new Dispatcher({ methods, context, batchLimit, log })
  }

  /** @throws RpcError RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { host, port } = this.options
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.deps.log.debug('an RPC connection failed', { error: messageOf(error) })
        response.destroy()
      })
    })
    server.maxConnections = MOST_SOCKETS
    server.requestTimeout = IO_TIMEOUT_MS
    server.headersTimeout = IO_TIMEOUT_MS
    server.keepAliveTimeout = IDLE_TIMEOUT_MS
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') reject(new RpcError('RPC_PORT_IN_USE', { host, port }, { cause: error }))
        else reject(new RpcError('RPC_LISTEN_FAILED', { host, port, reason: messageOf(error) }, { cause: error }))
      })
      server.listen(port, host, resolve)
    })
    server.on('error', (error) => this.deps.log.error('RPC listener failed', { error: messageOf(error) }))
    this.#server = server
    this.deps.log.info('JSON-RPC is served', { ...this.address() })
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

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = httpRefusal(request, this.options)
    if (refusal !== null) return refuse(response, refusal.status, refusal.text)
    const body = await readBody(request, this.options.bodyLimitBytes)
    const text = await this.#dispatcher.answer(body)
    response.setHeader('Content-Type', 'application/json')
    if (text === null) return void response.end()
    const accepted = request.headers['accept-encoding'] ?? ''
    if (!String(accepted).includes('gzip')) return void response.end(`${text}\n`)
    response.setHeader('Content-Encoding', 'gzip')
    response.end(await compress(`${text}\n`))
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  if (status >= 400) response.setHeader('Connection', 'close') // its body was not read
  if (text === '') return void response.end()
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(`${text}\n`)
}

/** Cut at the limit; what was cut does not parse. */
async function readBody(request: IncomingMessage, limitBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    parts.push(bytes.subarray(0, limitBytes - length))
    length += bytes.length
    if (length > limitBytes) break
  }
  return Buffer.concat(parts).toString('utf8')
}
