// Builds the three trades from the configuration and connects them through their ports. No I/O: the backend starts
// them.
import { randomBytes } from 'node:crypto'
import type { MinerService } from '../miner/miner-service'
import type { RigMonitor } from '../miner/monitor/rig-monitor'
import type { PoolSource } from '../miner/pool/pool-source'
import type { PoolProbe } from '../miner/pool-probe'
import type { EarningsHistory } from '../miner/stats/earnings-history'
import type { TuningService } from '../miner/tuning/tuning-service'
import { createXhashEngine, type XhashEngine } from '../native/xhash-engine'
import type { NodeService } from '../node/node-service'
import { SignerService, type SignerServiceDeps, type SignerServiceOptions } from '../signer/signer-service'
import { feeMarket } from './adapters/fee-market'
import type { LocalKeystore } from './adapters/local-keystore'
import { policyChain } from './adapters/token-names'
import { HostError } from './errors'
import { buildMiner, buildProbe, type MinerParts, minerSizes } from './miner/create-miner'
import { buildRigs } from './miner/create-rigs'
import { buildTuning } from './miner/create-tuning'
import { ChainDatabase } from './node/chain-database'
import { buildNode } from './node/create-node'
import { type AccountMaker, PracticeNetwork } from './node/practice-network'
import { AccountNotes } from './signer/account-notes'
import { CallerHistory } from './signer/caller-history'
import { createHardware } from './signer/create-hardware'
import { buildNodeAccounts } from './signer/create-node-accounts'
import { auditHead, ownsAuditLog } from './signer/create-vault'
import { type KeyConfinement, keyWorkers } from './signer/open-keys'
import { RunningVault } from './signer/running-vault'
import { ipcSocketPath } from './signer/signer-socket'
import { standardLines } from './signer/standard-lines'
import { dataDirPaths } from './system/data-dir'
import type { TradesDeps } from './trades-deps'

export interface Trades {
  /** The practice network's account and genesis; null on other networks and without a node. */
  readonly practice: PracticeNetwork | null
  /** Key files opened by the node itself; null when a signer holds the accounts. */
  readonly keystore: LocalKeystore | null
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
  /** The last month's mining; null without a miner. */
  readonly earnings: EarningsHistory | null
  /** Device timelines and morning reports; null without a miner. */
  readonly record: MinerParts['record'] | null
  /** GPU tuning on request; null without a miner. */
  readonly tuning: TuningService | null
  /** Tests a pool that needn't be in the list. */
  readonly probe: PoolProbe
  /** Null when no rigs are monitored. */
  readonly rigs: RigMonitor | null
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
  const ports = { openVault: vault.openAtStart, admits: callers.admits, market: feeMarket(() => node) }
  const signer: SignerService | null = trades.signer
    ? buildSigner(deps, signerHttp(deps), { ...ports, confinement: vault.confinement })
    : null
  const accounts = signer === null ? null : new AccountNotes({ file: paths.accountsFile }, { ...bookDeps, signer })
  const engine = trades.miner ? buildEngine(deps) : null
  const practice = trades.node
    ? buildPractice(deps, signer, { simd: engine?.simd ?? 'scalar', miner: () => miner })
    : null
  const held = trades.node ? buildNodeAccounts(deps, signer) : null
  const localHashrate = () => miner?.snapshot().hashrate.now ?? 0
  const node: NodeService | null = trades.node ? buildNode(deps, practice, localHashrate, held?.accounts ?? null) : null
  const database = trades.node ? buildDatabase(deps) : null
  const mining = engine === null ? null : buildMiner(deps, engine, node)
  const miner: MinerService | null = mining?.miner ?? null
  const { pools = null, watched = null, earnings = null, record = null } = mining ?? {}
  const fleet = { pools, watched, earnings, record, probe: buildProbe(deps), rigs: buildRigs(deps) }
  const tuning = miner === null ? null : buildTuning(deps, miner)
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
    ...fleet,
  }
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

function buildSigner(
  deps: TradesDeps,
  http: SignerServiceOptions['http'],
  {
    confinement,
    ...ports
  }: Pick<SignerServiceDeps, 'openVault' | 'admits' | 'market'> & { readonly confinement?: KeyConfinement },
): SignerService {
  const { config, platform, clock, logs, metrics } = deps
  const { signer } = config
  const usesLines = signer.stdioUi || signer.stdioUiTest
  const log = logs.logger.child({ module: 'signer' })
  return new SignerService(
    {
      keystore: signer.keystore,
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
      clock,
      log,
      metrics,
      randomBytes,
    },
  )
}
