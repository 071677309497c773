// Public JSON-RPC: the HTTP, WebSocket and IPC listeners, each with its methods.
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { localCallers } from '../../net/caller-share'
import type { AccountsPort } from '../ports/accounts-port'
import { HotReads } from './answers/hot-reads'
import { CallCounts, Dispatcher, type DispatcherDeps, type MethodCount } from './dispatch/dispatch'
import type { RpcContext, RpcNetwork, RpcNode, RpcServices } from './dispatch/method'
import { ChainFeed } from './filters/chain-feed'
import { FilterStore } from './filters/filter-store'
import { subscriptionMethod } from './filters/subscribe'
import { SubscriptionShares } from './filters/subscription-shares'
import { createMethodTable, methodsOf, modulesOf } from './methods/all-methods'
import { ReportedRates } from './reported-rates'
import { RpcConsole } from './rpc-console'
import { KeyLocks } from './sending/key-locks'
import { HttpListener, readinessOf } from './transport/http-listener'
import { IpcListener } from './transport/ipc'
import { TRANSPORT_LIMITS, type TransportLimits } from './transport/limits'
import { WebSocketEndpoint } from './transport/websocket'

export interface RpcEndpoint {
  readonly host: string
  /** 0 = any free one */
  readonly port: number
  /** Namespaces such as `eth`; `rpc` is always served. */
  readonly api: readonly string[]
}

interface HttpEndpoint extends RpcEndpoint {
  readonly vhosts: readonly string[]
  readonly corsOrigins: readonly string[]
}

export interface RpcFrontOptions {
  readonly http: HttpEndpoint | null
  /** With the host and port of `http` it shares that listener. */
  readonly ws: (RpcEndpoint & { readonly origins: readonly string[] }) | null
  /** Absolute path of the socket; serves every namespace. Null = none. */
  readonly ipcPath: string | null
  readonly bodyLimitBytes: number
  readonly batchLimit: number
  /** `eth_getWork` appends the block number. */
  readonly getworkHeight: boolean
  /** Default `TRANSPORT_LIMITS`. */
  readonly limits?: TransportLimits
}

export interface RpcFrontDeps {
  readonly node: RpcNode
  readonly network: RpcNetwork
  readonly accounts: AccountsPort | null
  readonly services: RpcServices
  /** H/s of this program's own miner; 0 without one */
  readonly localHashrate: () => number
  readonly clock: Clock
  readonly log: Logger
  /** Fresh random bytes, for ids of filters and subscriptions. */
  readonly randomBytes: (length: number) => Uint8Array
}

type Address = { readonly host: string; readonly port: number }

/** Characters of all answers in one batch. */
const BATCH_ANSWER_LIMIT = 25 * 1024 * 1024
/** Characters of an answer in the window's console. */
const CONSOLE_ANSWER_LIMIT = 256 * 1024

export class RpcFront implements Service {
  readonly name = 'rpc'
  readonly #limits: TransportLimits
  readonly #methods = createMethodTable()
  readonly #context: Omit<RpcContext, 'modules'>
  readonly #counts: CallCounts
  /** For the program's own window; it has no listener. */
  readonly console: RpcConsole
  /** The same with answers as long as everyone's: for comparing this node with another. */
  readonly reading: RpcConsole
  #http: HttpListener | null = null
  #ws: { readonly endpoint: WebSocketEndpoint; readonly listener: HttpListener } | null = null
  #ipc: IpcListener | null = null

  constructor(
    private readonly options: RpcFrontOptions,
    private readonly deps: RpcFrontDeps,
  ) {
    const { localHashrate, log, ...shared } = deps
    const { node, clock, randomBytes } = shared
    const { reader, queries, watch } = node
    this.#limits = options.limits ?? TRANSPORT_LIMITS
    const feed = new ChainFeed({ node, log })
    this.#counts = new CallCounts(clock)
    this.#context = {
      ...shared,
      getworkHeight: options.getworkHeight,
      locks: new KeyLocks(),
      rates: new ReportedRates(clock, localHashrate),
      feed,
      filters: new FilterStore({ feed, clock, randomBytes }),
      hot: new HotReads({ reader, queries, head: () => node.head(), headChanged: watch.headChanged }),
      subscriptions: new SubscriptionShares(),
    }
    const all = { ...this.#dispatching(this.#methods), counts: null }
    this.console = new RpcConsole({ ...all, batchAnswerLimit: CONSOLE_ANSWER_LIMIT })
    this.reading = new RpcConsole(all)
  }

  /** How often a filter or subscription was told that it misses logs. */
  logGaps(): number {
    return this.#context.feed.logs.gaps
  }

  traffic(): readonly MethodCount[] {
    return this.#counts.list()
  }

  /** @throws RpcError RPC_PORT_IN_USE, RPC_LISTEN_FAILED, RPC_IPC_IN_USE, RPC_IPC_FAILED; nothing stays open then */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { feed, filters, hot } = this.#context
    feed.start()
    filters.start()
    hot.start()
    try {
      await this.#startTcp()
      await this.#startIpc()
    } catch (error: unknown) {
      await this.stop()
      throw error
    }
    const { host, port } = this.address() ?? {}
    const ws = this.wsAddress()
    const served = ws === null ? null : `${ws.host}:${ws.port}`
    this.deps.log.info('JSON-RPC is served', { host, port, ws: served, ipc: this.ipcPath() })
  }

  async stop(): Promise<void> {
    const [http, ws, ipc] = [this.#http, this.#ws, this.#ipc]
    const { feed, filters, hot } = this.#context
    this.#http = null
    this.#ws = null
    this.#ipc = null
    ws?.endpoint.stop()
    await Promise.all([http?.stop(), ws?.listener.stop(), ipc?.stop()])
    hot.stop()
    filters.stop()
    feed.stop()
  }

  /** HTTP address; null when it is off. */
  address(): Address | null {
    return this.#http?.address() ?? null
  }

  /** WebSocket address; null when it is off. */
  wsAddress(): Address | null {
    return this.#ws?.listener.address() ?? null
  }

  /** Null when it is off. */
  ipcPath(): string | null {
    return this.#ipc?.path ?? null
  }

  async #startTcp(): Promise<void> {
    const { http, ws, bodyLimitBytes } = this.options
    const { clock, log } = this.deps
    const limits = this.#limits
    const nameLocals = localCallers(clock)
    const endpoint =
      ws === null
        ? null
        : new WebSocketEndpoint({ origins: ws.origins, limits }, { dispatcher: this.#serving(ws.api), clock, log })
    const isShared = http !== null && ws !== null && http.host === ws.host && http.port === ws.port && http.port !== 0
    if (http !== null) {
      const { host, port, vhosts, corsOrigins } = http
      const { node, services } = this.deps
      const readiness = readinessOf({ head: () => node.head(), peers: services.peers, now: () => clock.now() })
      const rules = { vhosts, corsOrigins, bodyLimitBytes, readiness }
      const served = { rules, dispatcher: this.#serving(http.api) }
      const listener = new HttpListener(
        { host, port, portOption: '--http.port', limits, http: served },
        { log, nameLocals, onUpgrade: isShared ? (endpoint?.onUpgrade ?? null) : null },
      )
      await listener.start()
      this.#http = listener
      if (isShared && endpoint !== null) this.#ws = { endpoint, listener }
    }
    if (ws === null || endpoint === null || isShared) return
    const { host, port } = ws
    const options = { host, port, portOption: '--ws.port', limits, http: null }
    const listener = new HttpListener(options, { log, nameLocals, onUpgrade: endpoint.onUpgrade })
    await listener.start()
    this.#ws = { endpoint, listener }
  }

  async #startIpc(): Promise<void> {
    const { ipcPath } = this.options
    if (ipcPath === null) return
    const deps = { dispatcher: new Dispatcher(this.#dispatching(this.#methods)), log: this.deps.log }
    const listener = new IpcListener({ path: ipcPath, limits: this.#limits }, deps)
    await listener.start()
    this.#ipc = listener
  }

  #serving(api: readonly string[]): Dispatcher {
    return new Dispatcher(this.#dispatching(methodsOf(this.#methods, api)))
  }

  #dispatching(methods: DispatcherDeps['methods']): DispatcherDeps {
    const context = { ...this.#context, modules: modulesOf(methods) }
    const limits = { batchLimit: this.options.batchLimit, batchAnswerLimit: BATCH_ANSWER_LIMIT }
    return { methods, otherMethod: subscriptionMethod, context, ...limits, log: this.deps.log, counts: this.#counts }
  }
}
