// Composition root: builds every service once, starts them in order, stops them in reverse. No trade's rules are here.
import { randomBytes } from 'node:crypto'
import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { HeadframeError } from '../base/errors'
import { Emitter } from '../base/events'
import { bracketed } from '../base/ip-address'
import { type Service, ServiceGroup } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Secret } from '../base/secret'
import { type Clock, systemClock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { ResolvedConfig } from '../config/resolved-config'
import type { PoolUrl } from '../config/values/pool-url'
import type { AppInfoView } from '../contract/app'
import type { RigMonitor } from '../miner/monitor/rig-monitor'
import type { TcpAddress } from '../net/listen'
import type { NetworkSpec } from '../node/networks'
import type { ChannelAccess } from './control-port/channel'
import type { ControlPort } from './control-port/control-port'
import { createControlPort } from './control-port/create-control-port'
import { type OwnerLinks, OwnerSocket } from './dashboard/owner-socket'
import { needsSessionToken, newSessionToken } from './dashboard/session-token'
import { liveSettings } from './live-parts'
import { LogService } from './log/log-service'
import { logLogin, poolReader } from './miner/pool-reader'
import { PoolSettings } from './miner/pool-settings'
import { RigSettings } from './miner/rig-settings'
import { CustomNetworkRecord, networkSpec } from './node/custom-network'
import { PracticeKeyPlace } from './node/practice-key'
import { rpcListeners } from './node/rpc-options'
import { type ConfigSettings, configSettings } from './settings/config-settings'
import type { ApprovalQueue } from './signer/approval-queue'
import { ApprovalSwitches } from './signer/approval-switches'
import { signerLocks } from './signer/running-vault'
import { buildHash } from './system/build-hash'
import { dataDirectory, dataDirPaths } from './system/data-dir'
import { EventLoopMonitor } from './system/event-loop-monitor'
import { DataDirLock } from './system/lock'
import { placeFacts } from './system/machine-facts'
import { TextMetrics } from './system/metrics-text'
import type { Platform } from './system/platform'
import { ReadyFile, type ReadyInfo } from './system/ready-file'
import { registerServiceMetrics, SupervisedService } from './system/supervised-service'
import {
  buildTrades,
  buildUpdates,
  loadTrades,
  signerApprovals,
  signerTools,
  type TradeCode,
  type Trades,
} from './trades'
import { appHandlers } from './ui/app-handlers'
import { minerHandlers } from './ui/miner/miner-handlers'
import { nodeHandlers } from './ui/node/node-handlers'
import { signerHandlers } from './ui/signer/request-handlers'
import { UiServer } from './ui/ui-server'
import { ViewLinks } from './ui/view-links'
import type { Updates } from './update/updates'

/** As `os.networkInterfaces` gives them. */
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

const ALL_IPV4 = '0.0.0.0'
const ALL = '::'
/** Needs an interface name, which browsers don't accept. */
const LINK_LOCAL = /^fe80:/i

/** `http://HOST:PORT/`, this computer's first; for a wildcard, all its addresses. @param bound null: no dashboard */
export function dashboardAddresses(bound: TcpAddress | null, interfaces: Interfaces): readonly string[] {
  if (bound === null) return []
  const { host, port } = bound
  return hostsOf(host, interfaces).map((name) => `http://${bracketed(name)}:${port}/`)
}

function hostsOf(host: string, interfaces: Interfaces): readonly string[] {
  if (host !== ALL_IPV4 && host !== ALL) return [host]
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, family, address }) =>
        !internal && (family === 'IPv4' || (host === ALL && !LINK_LOCAL.test(address))),
    )
  return ['127.0.0.1', ...outside.map(({ address }) => address)]
}

/** The addresses as links that sign in; the fragment never reaches a server. @param token null: none is needed */
export function dashboardLinks(addresses: readonly string[], token: Secret | null): readonly string[] {
  return token === null
    ? addresses
    : addresses.map((address) => `${address}#token=${encodeURIComponent(token.reveal())}`)
}

/** The whole program without its user interface. */
export interface Backend {
  /** Resolves when everything listens and the ready file is written. @throws what the first failing service throws */
  start(signal: AbortSignal): Promise<void>
  /** Idempotent; every service has its budget, and all together 4 s. */
  stop(): Promise<void>
  /** Where everything listens. */
  ready(): ReadyInfo
  /** Addresses of the dashboard for browsers, this computer's first; empty without one. */
  dashboards(): readonly string[]
  /** The same with this run's token; null when there is none. */
  dashboardLinks(): readonly string[] | null
  /** The computer slept: connections are reopened or checked. */
  wake(): void
  /** For the restart that follows. */
  kept(): Kept
  readonly ui: UiServer
  readonly approvals: ApprovalQueue
  /** The trades, whose failures end none of the others. */
  readonly supervised: readonly SupervisedService[]
  readonly log: Logger
  readonly events: Emitter<BackendEvents>
}

/** What a restart in the same process takes over, so that open pages find the program again. */
export interface Kept {
  readonly sessionToken: Secret | null
  /** Actual port of the control port; null when it was off. */
  readonly apiPort: number | null
}

/** What an entry point supplies. */
interface BackendExtras {
  readonly kept?: Kept
  /** Restarts once the caller has its answer. Missing: not supported. @throws ConfigError when it would fail */
  readonly restart?: () => void
}

/** Of the program's own commands: the owner may read this run's token, and so do all that it allows. */
const OWNER_ACCESS = { control: true, approve: true, canSignIn: false, isCommand: true } as const

interface BackendEvents {
  /** The configuration says to end now, as if told to stop; with a reason it has failed. */
  exitAsked: { readonly failure: Error | null }
}

/** Stop budgets in ms; the others have DEFAULT_STOP_MS and need almost none of it. The node ends its busy workers within it. */
export const STOP_BUDGETS_MS = { node: 3_000 }
/** A stop takes at most 5 s, whatever hangs. */
export const TOTAL_STOP_MS = 4_000

/** @param platform plain Node or Electron */
export async function createBackend(
  config: ResolvedConfig,
  platform: Platform,
  extras: BackendExtras = {},
): Promise<Backend> {
  return new ComposedBackend(config, platform, { ...extras, code: await loadTrades(config) })
}

class ComposedBackend implements Backend {
  readonly events = new Emitter<BackendEvents>()
  readonly ui: UiServer
  readonly approvals: ApprovalQueue
  readonly log: Logger
  readonly #network: NetworkSpec
  readonly #clock: Clock
  readonly #trades: Trades
  readonly supervised: readonly SupervisedService[]
  readonly #controlPort: ControlPort | null
  readonly #sessionToken: Secret | null
  readonly #switches: ApprovalSwitches
  readonly #links: ViewLinks
  readonly #updates: Updates
  readonly #restart: (() => void) | null
  #build: Promise<string> | null = null
  readonly #readyFile: ReadyFile
  readonly #group: ServiceGroup
  #startedAt = 0

  constructor(
    private readonly config: ResolvedConfig,
    private readonly platform: Platform,
    extras: BackendExtras & { readonly code: TradeCode },
  ) {
    this.#restart = extras.restart ?? null
    this.#network = networkSpec(config)
    this.#clock = systemClock()
    const clock = this.#clock
    const paths = dataDirPaths(config.app.dataDir)
    const { logLevel, logJson, logFileSize, logFiles } = config.app
    const logs = new LogService(
      { minLevel: logLevel, json: logJson, dir: paths.logs, limitBytes: logFileSize * 2 ** 20, keep: logFiles },
      { clock, standardError: platform.standardError },
    )
    const metrics = new TextMetrics()
    this.log = logs.logger.child({ module: 'host' })
    this.#sessionToken = needsSessionToken(config, platform)
      ? (extras.kept?.sessionToken ?? newSessionToken(randomBytes))
      : null
    this.#links = new ViewLinks({ file: paths.viewLinksFile, clock, log: this.log, randomBytes })
    const onChainLost = (why: string): void => this.#chainLost(why)
    const onExitAsked = (failure: Error | null): void => this.events.emit('exitAsked', { failure })
    this.#trades = buildTrades({ config, platform, clock, logs, metrics, onChainLost, onExitAsked }, extras.code)
    this.supervised = [this.#trades.signer, this.#trades.node, this.#trades.miner]
      .filter((service) => service !== null)
      .map((service) => new SupervisedService(service, { isFatal: endsTheStart }, { clock, log: this.log }))
    this.approvals = signerApprovals(this.#trades.signer)
    this.#switches = this.#buildSwitches()
    this.#updates = buildUpdates(config, platform, { clock, log: this.log.child({ module: 'updates' }) })
    this.ui = this.#buildUi(logs)
    this.#controlPort = this.#createControlPort(metrics, extras.kept?.apiPort ?? null)
    this.#readyFile = new ReadyFile(config.app.readyFile, platform.standardOutput)
    const { measurement, tuning, record, books, rigs, stratum, incidents } = this.#trades
    const services = [
      dataDirectory(paths.root, this.log),
      new DataDirLock({ dir: paths.root, file: paths.lockFile, pid: process.pid }),
      ...signerLocks(config),
      this.#readyFile,
      logs,
      ...this.#records(metrics),
      ...this.#tradesInOrder(),
      ...present([measurement, tuning, record?.reports, books?.accounts, rigs, stratum, incidents?.desk]),
      this.#links,
      this.#switches,
      this.#updates,
      this.ui,
      ...present([this.#controlPort]),
      new OwnerSocket(paths.root, {
        links: () => this.#ownerLinks(),
        onChannel: (transport) => this.ui.attach(transport, OWNER_ACCESS),
        clock,
        log: this.log,
      }),
    ]
    const limits = { stopBudgetMs: STOP_BUDGETS_MS, totalStopMs: TOTAL_STOP_MS }
    this.#group = new ServiceGroup('backend', services, { log: this.log, clock, ...limits })
  }

  /** Before the trades: what is lost in their first seconds, and the time off before, are recorded, too. */
  #records(metrics: TextMetrics): readonly Service[] {
    const { books, incidents, money } = this.#trades
    // A monitor serves only its rigs' families.
    const { monitor } = this.config.rigMonitor
    const loop = monitor ? null : new EventLoopMonitor(metrics)
    if (!monitor) registerServiceMetrics(metrics, () => this.supervised)
    return present([loop, books?.callers, incidents?.rules, money?.ledger, incidents?.book])
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#startedAt = this.#clock.now()
    await this.#group.start(signal)
    const ready = this.ready()
    try {
      this.#readyFile.write(ready)
    } catch (error) {
      await this.stop()
      throw error
    }
    this.log.info('ready', { network: ready.network, api: ready.api, http: ready.http })
  }

  async stop(): Promise<void> {
    await this.#group.stop()
    await this.#trades.engine?.close()
  }

  wake(): void {
    const { pools, node } = this.#trades
    pools?.reconnect()
    node?.network()?.wake()
  }

  kept(): Kept {
    return { sessionToken: this.#sessionToken, apiPort: this.#controlPort?.address()?.port ?? null }
  }

  ready(): ReadyInfo {
    const { app, trades } = this.config
    const { api, rpc, ws, signer } = this.#endpoints()
    return {
      pid: process.pid,
      network: app.network,
      chainId: this.#network.chainId,
      api,
      http: rpc,
      ws,
      p2p: this.#trades.node?.network()?.identity()?.enode ?? null,
      stratum: endpoint(this.#trades.stratum?.address() ?? null),
      signer: trades.signer ? { http: signer, ipc: this.#trades.signer?.ipcPath() ?? null } : null,
      dashboard: this.dashboards()[0] ?? null,
    }
  }

  dashboards(): readonly string[] {
    return dashboardAddresses(this.#controlPort?.address() ?? null, networkInterfaces())
  }

  dashboardLinks(): readonly string[] | null {
    return this.#sessionToken === null ? null : dashboardLinks(this.dashboards(), this.#sessionToken)
  }

  /** Anyone who may read the data directory may know the operator's token. */
  #ownerLinks(): OwnerLinks {
    return { pid: process.pid, links: dashboardLinks(this.dashboards(), this.#sessionToken ?? this.config.api.token) }
  }

  /** The practice account needs the signer, and the node's genesis needs the account. */
  #tradesInOrder(): readonly Service[] {
    const { practice, keystore } = this.#trades
    const record = new CustomNetworkRecord(this.config)
    const order = [this.#find('signer'), practice, keystore, this.#find('node'), record, this.#find('miner')]
    return present([this.#practiceKey(), ...order])
  }

  #practiceKey(): PracticeKeyPlace {
    const { app, signer } = this.config
    const isPractice = app.network === 'practice'
    return new PracticeKeyPlace({ root: app.dataDir, keystore: signer.keystore, isPractice, log: this.log })
  }

  #chainLost(reason: string): void {
    this.#find('node')?.workerLost(reason)
  }

  #find(name: string): SupervisedService | null {
    return this.supervised.find((service) => service.name === name) ?? null
  }

  #endpoints(): {
    readonly api: string | null
    readonly rpc: string | null
    readonly ws: string | null
    readonly signer: string | null
  } {
    const { node, signer } = this.#trades
    return {
      api: endpoint(this.#controlPort?.address() ?? null),
      rpc: endpoint(node?.rpcAddress() ?? null),
      ws: endpoint(node?.rpcWsAddress() ?? null),
      signer: endpoint(signer?.httpAddress() ?? null),
    }
  }

  #info(): Omit<AppInfoView, 'access' | 'canSignIn' | 'link'> {
    const { network, dataDir, welcome } = this.config.app
    const { engine } = this.#trades
    return {
      version: this.platform.version,
      network,
      chainId: this.#network.chainId,
      networkId: this.#network.networkId,
      headless: this.platform.headless,
      startedAt: this.#startedAt,
      dataDir,
      welcome,
      engine: {
        kind: engine?.kind ?? 'none',
        simd: engine?.simd ?? 'none',
        loadError: engine?.loadError ?? null,
      },
      endpoints: this.#endpoints(),
    }
  }

  #buildUi(logs: LogService): UiServer {
    const clock = this.#clock
    const { node, miner, signer, pools, rigs, stratum, probe } = this.#trades
    const readPool = poolReader(this.config)
    const settings = configSettings(this.config)
    const { addresses: given, exitAtEnd } = this.config.pools
    const onEntered = (url: PoolUrl): void => logLogin(logs.logger.child({ module: 'pool' }), url)
    const poolSettings =
      miner === null ? null : new PoolSettings({ pools, given, exitAtEnd, readPool, settings, clock, onEntered })
    const work = { pools, watched: this.#trades.watched, money: this.#trades.money }
    const poolParts = { miner, ...work, poolSettings, readPool, probe, clock }
    const listeners = () => rpcListeners(settings.current(), node)
    const chain = { consensus: this.#network.consensus, listeners, database: this.#trades.database }
    const live = liveSettings(settings, { trades: this.#trades, level: logs.level, log: this.log })
    const watched = this.#trades.books?.accounts ?? null
    const parts = {
      app: appHandlers({
        info: () => this.#info(),
        place: () => placeFacts(this.config.app.dataDir),
        services: this.supervised,
        activity: logs.activity,
        lines: logs.lines,
        crashes: logs.crashes,
        settings: {
          config: this.config,
          settings,
          live,
          links: this.#links,
          watching: () => this.ui.watching(),
          restart: this.#restart,
          buildHash: () => this.#buildHash(),
          randomBytes,
          log: this.log.child({ module: 'settings' }),
        },
        updates: this.#updates,
        confinement: this.#trades.vault.confinement,
        stop: () => this.events.emit('exitAsked', { failure: null }),
        clock,
      }),
      node: nodeHandlers({ node, supervised: this.#find('node'), signer, watched, ...chain, clock }),
      miner: minerHandlers({
        miner,
        poolParts,
        record: this.#trades.record,
        money: this.#trades.money,
        incidents: this.#trades.incidents,
        tuning: this.#trades.tuning,
        measurement: this.#trades.measurement,
        rigs: { miner, rigs, served: stratum, rigSettings: this.#rigSettings(rigs, settings), clock },
        clock,
      }),
      signer: signerHandlers({
        signer,
        tools: signerTools(this.config, this.#trades, clock),
        switches: this.#switches,
        // With another program's signer, `--unlock` opens nothing.
        always: this.config.accounts.signer === null ? this.config.accounts.unlock : [],
        clock,
      }),
    }
    return new UiServer({ parts, clock, log: this.log.child({ module: 'ui' }) })
  }

  #rigSettings(monitor: RigMonitor | null, settings: ConfigSettings): RigSettings | null {
    if (monitor === null) return null
    const { fromFile: fixed } = this.config.rigMonitor
    const log = this.log.child({ module: 'rigs' })
    return new RigSettings({ monitor, fixed, ownName: hostname(), settings, clock: this.#clock, log })
  }

  /** The built files don't change while running. */
  #buildHash(): Promise<string> {
    const { workerDir, rendererDir } = this.platform
    this.#build ??= buildHash([workerDir, rendererDir])
    return this.#build
  }

  #buildSwitches(): ApprovalSwitches {
    const { app, api } = this.config
    const onKeepUnlocked = (isOn: boolean): void => this.#trades.signer?.kept.allow(isOn)
    const log = this.log.child({ module: 'signer' })
    const clock = this.#clock
    return new ApprovalSwitches({ dataDir: app.dataDir, hasToken: api.token !== null, onKeepUnlocked, clock, log })
  }

  #attachChannel(transport: Transport, access: ChannelAccess): void {
    const { approve, peer, hasToken, view } = access
    const canSignIn = (this.#sessionToken !== null && !approve) || view !== null
    const mayDecide = (): boolean => hasToken && this.#switches.admits(peer)
    const remote = peer.isLocal ? {} : { remote: { isEncrypted: peer.isEncrypted, mayDecide } }
    this.ui.attach(transport, { ...access, canSignIn, ...remote })
  }

  #createControlPort(metrics: TextMetrics, preferredPort: number | null): ControlPort | null {
    return createControlPort({
      config: this.config,
      platform: this.platform,
      trades: this.#trades,
      metrics,
      sessionToken: this.#sessionToken,
      preferredPort,
      links: this.#links,
      onChannel: (transport, access) => this.#attachChannel(transport, access),
      clock: this.#clock,
      log: this.log.child({ module: 'control-port' }),
    })
  }
}

function endpoint(address: { readonly host: string; readonly port: number } | null): string | null {
  return address === null ? null : `${bracketed(address.host)}:${address.port}`
}

function present(services: readonly (Service | null | undefined)[]): readonly Service[] {
  return services.filter((service) => service != null)
}

/**
 * An error with our own code says what to change (a port in use, a damaged database), so the program ends with it
 * instead of running partially. An unforeseen error shows as a failed service, and the others continue.
 */
function endsTheStart(error: unknown): boolean {
  return error instanceof HeadframeError && error.code !== 'HOST_WORKER_LOST' && !error.code.startsWith('CONTRACT_')
}
