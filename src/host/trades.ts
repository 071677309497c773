// Builds the three trades from the configuration and connects them through their ports. No I/O: the backend starts
// them.
import { randomBytes } from 'node:crypto'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { toHex } from '../base/hex'
import type { Service } from '../base/lifecycle'
import { Disposables } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { ResolvedConfig } from '../config/resolved-config'
import { KeptJson } from '../files/json-file'
import type { Measurement } from '../miner/measurement'
import type { MinerService } from '../miner/miner-service'
import { isLargeFleet } from '../miner/monitor/fleet-pace'
import { registerMonitorMetrics, registerRigMetrics } from '../miner/monitor/rig-metrics'
import { type MonitoredRig, RigMonitor } from '../miner/monitor/rig-monitor'
import type { PoolProbe } from '../miner/pool/pool-probe'
import type { PoolSource } from '../miner/pool/pool-source'
import { HistoryFile } from '../miner/stats/history-file'
import { StratumServer } from '../miner/stratum/stratum-server'
import { rigRatesSchema } from '../miner/stratum/workers'
import { CardFinder } from '../miner/tuning/card-finder'
import { TuningService } from '../miner/tuning/tuning-service'
import { openNvml } from '../native/nvml'
import { createXhashEngine, type XhashEngine } from '../native/xhash-engine'
import type { NodeService } from '../node/node-service'
import { CallerHistory } from '../signer/caller-history'
import type { MarketPort } from '../signer/checks/fee-rules'
import { SignerService, type SignerServiceDeps, type SignerServiceOptions } from '../signer/signer-service'
import { NodeWorkSource } from './adapters/node-work-source'
import { policyChain } from './adapters/token-names'
import { requestPreview } from './adapters/transaction-simulation'
import { HostError } from './errors'
import { createIncidents, createRules, type Incidents } from './miner/create-incidents'
import { createMeasurement, createMiner, createProbe, type MinerParts, minerSizes } from './miner/create-miner'
import { Money } from './miner/create-money'
import { ChainDatabase } from './node/chain-database'
import { createNode } from './node/create-node'
import { type AccountMaker, PracticeNetwork } from './node/practice-network'
import { AccountNotes } from './signer/account-notes'
import type { ApprovalQueue } from './signer/approval-queue'
import { createHardware } from './signer/create-hardware'
import { createNodeAccounts } from './signer/create-node-accounts'
import { auditHead, ownsAuditLog } from './signer/create-vault'
import { type KeyConfinement, keyWorkers } from './signer/open-keys'
import { RunningVault } from './signer/running-vault'
import { SendRequests } from './signer/send-form'
import { standardLines } from './signer/standard-lines'
import { dataDirPaths } from './system/data-dir'
import type { Platform } from './system/platform'
import type { TradesDeps } from './trades-deps'
import type { SignerTools } from './ui/signer/signer-tools-handlers'
import { ownPackage } from './update/own-package'
import { Updates } from './update/updates'
import { cpuMsOfThread } from './workers/thread-time'
import { openWorker } from './workers/worker-host'

/** Memory of the check worker: a body of 5 MiB may be 100 MB of small objects. */
const CHECKS_MIB = 512

// The monitored rigs of this run, with their metric families.

/**
 * Heap growth between two full collections. V8's default lets it double or more: each round over 10,000 rigs leaves
 * more garbage than the data kept about them.
 */
const HEAP_GROWTH_PERCENT = 30

/** Null when this run neither mines nor monitors; rigs can be added to an empty list. */
function buildRigs({ config, platform, clock, metrics, logs }: TradesDeps): RigMonitor | null {
  const { monitor, rigs, intervalMs } = config.fleet
  if (!monitor && !config.trades.miner) return null
  if (isLargeFleet(rigs.length)) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const random = (): number => randomBytes(4).readUInt32BE() / 2 ** 32
  const store = new HistoryFile(dataDirPaths(config.app.dataDir).rigsHistory)
  const kept = { store, log: logs.logger.child({ module: 'rigs' }) }
  const service = new RigMonitor({ rigs, intervalMs }, { clock, random, kept })
  if (monitor) registerMonitorMetrics(metrics, platform.version, () => service.uptimeSeconds())
  const register = (): void => registerRigMetrics(metrics, () => service.watchedRigs(), labelNames(rigs))
  if (rigs.length > 0) register()
  else {
    // Without rigs there are no such families; they are declared with the first rig.
    const first = service.events.on('rigsChanged', () => {
      first.dispose()
      register()
    })
  }
  return service
}

/** Distinct and sorted. */
function labelNames(rigs: readonly MonitoredRig[]): readonly string[] {
  return [...new Set(rigs.flatMap(({ labels }) => Object.keys(labels)))].sort()
}

// Builds GPU tuning from the options.

/** Cards by PCI address, through NVIDIA's library or amdgpu's files. */
export function cardFinder({ platform, logs }: Pick<TradesDeps, 'platform' | 'logs'>): CardFinder {
  return new CardFinder({
    openNvml: () => openNvml({ searchFrom: platform.projectRoot }),
    drmDir: '/sys/class/drm',
    isAdministrator: process.geteuid === undefined ? null : process.geteuid() === 0,
    log: logs.logger.child({ module: 'tuning' }),
  })
}

/** Changes nothing unless a journal, an option or a caller requires it. */
function buildTuning(deps: TradesDeps, miner: MinerService): TuningService {
  const { config, clock, logs } = deps
  const { goal, profile, price, income, temperature } = config.tuning
  const { tuningJournal, tuningProfiles } = dataDirPaths(config.app.dataDir)
  const options = {
    journalFile: tuningJournal,
    profilesFile: tuningProfiles,
    profile,
    goal,
    tariff: price === null || income === null ? null : { power: price, income },
    coolAt: temperature,
  }
  const real = cardFinder(deps)
  return new TuningService(options, {
    miner,
    cards: { of: async (pci) => miner.own.simulatedCard(pci) ?? real.of(pci) },
    clock,
    log: logs.logger.child({ module: 'tuning' }),
  })
}

// Updates of the running program, as configured.

export function buildUpdates(
  { update, app }: ResolvedConfig,
  { version: running, projectRoot }: Platform,
  deps: { readonly clock: Clock; readonly log: Logger },
): Updates {
  const { check, url, keyFile } = update
  return new Updates({ check, url, keyFile, running, own: ownPackage(projectRoot), dataDir: app.dataDir }, deps)
}

// Path of the signer's local socket: the family's --ipcpath rules.

const NAME = 'clef.ipc'

/**
 * @param given a folder, a socket's path (ends in `.ipc`), a bare name inside `configDir`, or null for the default
 * @param platform Node's name of it; on Windows sockets are named pipes
 */
export function ipcSocketPath(given: string | null, configDir: string, platform: string): string {
  if (platform === 'win32') return given?.startsWith('\\\\.\\pipe\\') === true ? given : `\\\\.\\pipe\\${given ?? NAME}`
  if (given === null) return resolve(configDir, NAME)
  const isFile = given.endsWith('.ipc')
  if (isFile && basename(given) === given) return resolve(configDir, given)
  const path = isAbsolute(given) ? given : resolve(given)
  return isFile ? path : join(path, NAME)
}

// What the UI needs besides the signer itself, from this run's trades.

/** Null without a signer. */
export function signerTools({ signer: options }: ResolvedConfig, trades: Trades, clock: Clock): SignerTools | null {
  const { signer, node, vault, books } = trades
  if (signer === null || books === null) return null
  const send = node === null ? null : new SendRequests({ signer, node, clock, randomBytes })
  return { vault, send, node, ...books, auditLog: options.auditLog }
}

// The node's input for checking fees: the sender's balance, and the usual price.

/** @param node null when this run has none; looked up per request, since it is built after the signer */
function feeMarket(node: () => Pick<NodeService, 'head' | 'reader'> | null): MarketPort {
  return async (from) => {
    const running = node()
    if (running === null || running.head() === null) return null
    const [account, gasPrice] = await Promise.all([running.reader.account(from), running.reader.gasPrice()])
    return account === null ? null : { balance: account.balance, gasPrice }
  }
}

// The signer's queue for a shell: ids, changes, and rejecting.

/** Without a signer nothing ever waits. */
export function signerApprovals(signer: SignerService | null): ApprovalQueue {
  if (signer === null) {
    const nothing = { waiting: () => [], own: () => [], isWorking: () => false, onChanged: () => new Disposables() }
    return { ...nothing, reject: async () => undefined, setAway: () => undefined }
  }
  const waiting = () => signer.requests().filter((request) => request.state === 'waiting')
  return {
    waiting: () => waiting().map((request) => request.id),
    isWorking: () => signer.requests().some(({ state }) => state !== 'waiting'),
    own: () =>
      waiting()
        .filter(({ caller }) => caller.transport === 'app')
        .map(({ id }) => id),
    onChanged: (listener) => signer.events.on('requestsChanged', listener),
    reject: async (id) => {
      const request = waiting().find((candidate) => candidate.id === id)
      if (request === undefined) return
      const { nonce, contentHash } = request
      await signer.decide({ id, nonce, contentHash, decision: 'reject', password: null, accounts: null })
    },
    setAway: signer.setAway,
  }
}

export interface Trades {
  /** The practice network's account and genesis; null on other networks and without a node. */
  readonly practice: PracticeNetwork | null
  /** Key files opened by the node itself, or the question whether `--signer` is there; null with our own signer. */
  readonly keystore: Service | null
  /** Null when neither node nor miner run. */
  readonly engine: XhashEngine | null
  /** Each null when this run doesn't have it. */
  readonly signer: SignerService | null
  /** The signer's vault. */
  readonly vault: RunningVault
  /** Account notes and callers; null without a signer. */
  readonly books: { readonly accounts: AccountNotes; readonly callers: CallerHistory } | null
  readonly node: NodeService | null
  /** The node's database, for use while the node is stopped; null without a node. */
  readonly database: ChainDatabase | null
  readonly miner: MinerService | null
  /** Null when the miner works for our own node. */
  readonly pools: PoolSource | null
  /** How the pools' work keeps up with our own node; null without either. */
  readonly watched: MinerParts['watched']
  /** The ledger of money; null when neither this program nor rigs on its stratum port mine. */
  readonly money: Money | null
  /** What is or was wrong, and alerts; null when this run neither mines nor monitors. */
  readonly incidents: Incidents | null
  /** Device timelines and morning reports; null without a miner. */
  readonly record: MinerParts['record'] | null
  /** How fast this computer is, on request; null without a miner. */
  readonly measurement: Measurement | null
  /** GPU tuning on request; null without a miner. */
  readonly tuning: TuningService | null
  /** Tests a pool that needn't be in the list. */
  readonly probe: PoolProbe
  /** Null when no rigs are monitored. */
  readonly rigs: RigMonitor | null
  /** Serves the node's work to other rigs; null without --stratum-bind. */
  readonly stratum: StratumServer | null
}

/** The configuration decides which trades there are. */
export function buildTrades(deps: TradesDeps): Trades {
  const { trades } = deps.config
  const vault = new RunningVault(
    deps,
    () => signerOf(signer),
    policyChain(() => node),
  )
  const paths = dataDirPaths(deps.config.app.dataDir)
  const bookDeps = { clock: deps.clock, log: deps.logs.logger.child({ module: 'signer' }) }
  const callers = new CallerHistory({ file: paths.callersFile }, { ...bookDeps, signer: () => signer })
  const ports = {
    openVault: vault.openAtStart,
    admits: callers.admits,
    market: feeMarket(() => node),
    preview: requestPreview(
      () => node,
      () => [...(signer?.addresses() ?? [])],
      deps.clock,
    ),
  }
  const signer: SignerService | null = trades.signer
    ? buildSigner(deps, signerHttp(deps), { ...ports, confinement: vault.confinement })
    : null
  signer?.events.on('keysLost', () => vault.keysLost())
  const accounts = signer === null ? null : new AccountNotes({ file: paths.accountsFile }, { ...bookDeps, signer })
  const engine = trades.miner || deps.config.stratum.bind !== null ? buildEngine(deps) : null
  const practice = trades.node
    ? buildPractice(deps, signer, { simd: engine?.simd ?? 'scalar', miner: () => miner })
    : null
  const held = trades.node ? createNodeAccounts(deps, signer) : null
  const localHashrate = (): number => (miner?.snapshot().hashrate.now ?? 0) + (stratum?.effectiveHashrate() ?? 0)
  const node: NodeService | null = trades.node
    ? createNode(deps, practice, localHashrate, held?.accounts ?? null)
    : null
  const database = trades.node ? buildDatabase(deps) : null
  const rules = createRules(deps)
  const mining = engine === null || !trades.miner ? null : createMiner(deps, engine, { node, rules })
  const stratum: StratumServer | null = engine === null || node === null ? null : buildStratum(deps, engine, node)
  const miner: MinerService | null = mining?.miner ?? null
  const { pools = null, watched = null, record = null } = mining ?? {}
  const ofRigs = () => (stratum === null ? null : new Money(deps, { miner, node, rules: () => rules.current }))
  const money = mining?.money ?? ofRigs()
  if (stratum !== null) money?.watchRigs(stratum)
  const rigs = buildRigs(deps)
  const incidents = createIncidents(deps, { miner, money, rigs, stratum, rules })
  const tuning = miner === null ? null : buildTuning(deps, miner)
  const measurement = miner === null ? null : createMeasurement(deps, miner)
  const books = accounts === null ? null : { accounts, callers }
  return {
    engine,
    signer,
    vault,
    books,
    practice,
    keystore: held?.keystore ?? null,
    node,
    database,
    miner,
    tuning,
    measurement,
    stratum,
    pools,
    watched,
    money,
    incidents,
    record,
    probe: createProbe(deps),
    rigs,
  }
}

/** Null without --stratum-bind. */
function buildStratum(deps: TradesDeps, engine: XhashEngine, node: NodeService): StratumServer | null {
  const { config, platform, clock, logs, metrics } = deps
  const { bind, ...access } = config.stratum
  if (bind === null) return null
  const receiver = (): string | null => {
    const coinbase = node.coinbase()
    return coinbase === null ? null : toHex(coinbase)
  }
  const log = logs.logger.child({ module: 'stratum' })
  const source = new NodeWorkSource({ node, clock })
  const rates = new KeptJson(dataDirPaths(config.app.dataDir).servedRates, rigRatesSchema, { log })
  return new StratumServer(
    { bind, ...access, agent: `headframe/${platform.version}` },
    { source, engine, receiver, clock, log, metrics, rates },
  )
}

function buildDatabase({ config, platform, logs }: TradesDeps): ChainDatabase {
  return new ChainDatabase(config, {
    projectRoot: platform.projectRoot,
    log: logs.logger.child({ module: 'node' }),
  })
}

function buildPractice(
  deps: TradesDeps,
  signer: SignerService | null,
  { simd, miner }: { readonly simd: XhashEngine['simd']; readonly miner: () => MinerService | null },
): PracticeNetwork | null {
  const { config, logs } = deps
  if (config.app.network !== 'practice') return null
  const log = logs.logger.child({ module: 'host' })
  const maker = signer ?? momentarySigner(deps)
  const hasGpu = async (signal: AbortSignal): Promise<boolean> => {
    const devices = (await miner()?.survey(signal)) ?? []
    return devices.some(({ isChosen, backend }) => isChosen && (backend === 'cuda' || backend === 'opencl'))
  }
  return new PracticeNetwork(dataDirPaths(config.app.dataDir), { maker, simd, hasGpu, log, randomBytes })
}

/** For a run without a signer: one without its API, open only while the first account is created. */
function momentarySigner(deps: TradesDeps): AccountMaker {
  return {
    createAccount: async (password, strength) => {
      const signer = buildSigner(deps, null, { openVault: null })
      await signer.start(new AbortController().signal)
      try {
        return await signer.createAccount(password, strength)
      } finally {
        await signer.stop()
      }
    },
  }
}

function signerHttp({ config }: TradesDeps): SignerServiceOptions['http'] {
  const { http, httpAddr, httpPort, httpVhosts } = config.signer
  return http ? { host: httpAddr, port: httpPort, vhosts: httpVhosts } : null
}

function signerIpc({ config }: TradesDeps): NonNullable<SignerServiceOptions['ipc']> | null {
  const { ipcDisable, ipcPath, configDir } = config.signer
  if (ipcDisable || config.command === 'account') return null
  return { path: ipcSocketPath(ipcPath, configDir, process.platform) }
}

function buildEngine({ config, platform, logs }: TradesDeps): XhashEngine {
  const log = logs.logger.child({ module: 'xhash' })
  return createXhashEngine(minerSizes(config), {
    searchFrom: platform.projectRoot,
    log: (message) => log.warn(message),
  })
}

function signerOf(signer: SignerService | null): SignerService {
  if (signer === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
  return signer
}

/** A lost one takes the call it works on with it; the signer starts another for the next. */
function openChecks({ config, platform, logs }: TradesDeps, log: Logger): Transport {
  return openWorker({
    name: 'checks',
    entry: join(platform.workerDir, 'checks-worker.cjs'),
    searchFrom: platform.projectRoot,
    log,
    sink: logs.sink,
    minLevel: config.app.logLevel,
    oldMiB: CHECKS_MIB,
    onLost: (reason) => log.error('check worker was lost', { reason }),
  })
}

function buildSigner(
  deps: TradesDeps,
  http: SignerServiceOptions['http'],
  {
    confinement,
    ...ports
  }: Pick<SignerServiceDeps, 'openVault' | 'admits' | 'market' | 'preview'> & { readonly confinement?: KeyConfinement },
): SignerService {
  const { config, platform, clock, logs, metrics } = deps
  const { signer } = config
  const usesLines = signer.stdioUi || signer.stdioUiTest
  const log = logs.logger.child({ module: 'signer' })
  return new SignerService(
    {
      keystore: signer.keystore,
      keyListing: join(signer.configDir, 'key-files.json'),
      chainId: signer.chainId,
      london: false,
      lightKdf: signer.lightKdf,
      strict: signer.strict,
      http,
      approvalTimeoutMs: signer.approvalTimeoutSeconds * 1_000,
      auditLog: signer.auditLog === '' ? null : signer.auditLog,
      auditHead: auditHead(config),
      // A command may run beside a signer; the services of one data directory run once.
      ownsAuditLog: ownsAuditLog(config.command),
      ipc: http === null && !usesLines ? null : signerIpc(deps),
      selectors: {
        builtin: signer.selectorsBuiltin,
        customFile: signer.selectorsCustom === '' ? null : signer.selectorsCustom,
      },
      descriptors: signer.descriptors,
      uiSelfTest: signer.stdioUiTest,
    },
    {
      lines: usesLines ? standardLines(platform) : null,
      hardware: createHardware(deps, { usb: signer.usb }),
      ...ports,
      // A lost key worker fails its calls; the signer starts another one for the next.
      keys: keyWorkers(deps, log, confinement && { confinement }),
      checks: { open: () => openChecks(deps, log), cpuMs: cpuMsOfThread },
      clock,
      log,
      metrics,
      randomBytes,
    },
  )
}
