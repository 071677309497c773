// Builds the three trades and connects them through their ports. No I/O: the backend starts them.
import { randomBytes } from 'node:crypto'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import type { PoolProbe } from '../miner/pool/pool-probe'
import { createXhashEngine, type XhashEngine } from '../native/xhash-engine'
import type { NodeService } from '../node/node-service'
import { CallerHistory } from '../signer/caller-history'
import type { SignerService } from '../signer/signer-service'
import { XHASH_FULL, XHASH_PRACTICE, XHASH_TEST, type XhashParams } from '../xhash/params'
import { policyChain } from './adapters/token-names'
import { requestPreview } from './adapters/transaction-simulation'
import { HostError } from './errors'
import type { Mining } from './miner/create-mining'
import type { ChainDatabase } from './node/chain-database'
import { networkSpec } from './node/custom-network'
import type { AccountMaker, PracticeNetwork } from './node/practice-network'
import { AccountNotes } from './signer/account-notes'
import type { ApprovalQueue } from './signer/approval-queue'
import { RunningVault } from './signer/running-vault'
import { SendRequests } from './signer/send-form'
import { dataDirPaths } from './system/data-dir'
import type { Platform } from './system/platform'
import type { TradesDeps } from './trades-deps'
import type { SignerTools } from './ui/signer/signer-tools-handlers'
import { ownPackage } from './update/own-package'
import { Updates } from './update/updates'

/** Updates of the running program, as configured. */
export function buildUpdates(
  { update, app }: ResolvedConfig,
  { version: running, projectRoot }: Platform,
  deps: { readonly clock: Clock; readonly log: Logger },
): Updates {
  const { check, url, keyFile } = update
  return new Updates({ check, url, keyFile, running, own: ownPackage(projectRoot), dataDir: app.dataDir }, deps)
}

// What the UI needs besides the signer itself, from this run's trades.

/** Null without a signer. */
export function signerTools({ signer: options }: ResolvedConfig, trades: Trades, clock: Clock): SignerTools | null {
  const { signer, node, vault, books } = trades
  if (signer === null || books === null) return null
  const send = node === null ? null : new SendRequests({ signer, node, clock, randomBytes })
  return { vault, send, node, ...books, auditLog: options.auditLog }
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

export interface Trades extends Mining {
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
  /** Tests a pool that needn't be in the list. */
  readonly probe: PoolProbe
}

/** Code of the trades that a run has; what is null isn't read at all. */
export interface TradeCode {
  readonly node: typeof import('./node/create-node') | null
  readonly accounts: typeof import('./signer/create-node-accounts') | null
  readonly signer: typeof import('./signer/create-signer') | null
  readonly mining: typeof import('./miner/create-mining') | null
}

const NO_MINING: Mining = {
  miner: null,
  pools: null,
  watched: null,
  money: null,
  incidents: null,
  record: null,
  measurement: null,
  tuning: null,
  rigs: null,
  stratum: null,
}

/** Whether a run hashes: to mine, or to check what rigs at its stratum port find. */
export function needsEngine({ trades, stratum }: Pick<ResolvedConfig, 'trades' | 'stratum'>): boolean {
  return trades.miner || stratum.bind !== null
}

/** Reads the code that `buildTrades` needs for this configuration. */
export async function loadTrades(config: ResolvedConfig): Promise<TradeCode> {
  const { trades, rigMonitor } = config
  const needsMining = needsEngine(config) || rigMonitor.monitor || config.node.beside !== null
  const [node, accounts, signer, mining] = await Promise.all([
    trades.node ? import('./node/create-node') : null,
    trades.node ? import('./signer/create-node-accounts') : null,
    trades.signer ? import('./signer/create-signer') : null,
    needsMining ? import('./miner/create-mining') : null,
  ])
  return { node, accounts, signer, mining }
}

/** The configuration decides which trades there are. @param code from `loadTrades` with the same configuration */
export function buildTrades(deps: TradesDeps, code: TradeCode): Trades {
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
    market: code.signer?.feeMarket(() => node),
    preview: requestPreview(
      () => node,
      () => [...(signer?.addresses() ?? [])],
      deps.clock,
    ),
  }
  const signer: SignerService | null =
    code.signer?.createSigner(deps, code.signer.signerHttp(deps), { ...ports, confinement: vault.confinement }) ?? null
  signer?.events.on('keysLost', () => vault.keysLost())
  const accounts = signer === null ? null : new AccountNotes({ file: paths.accountsFile }, { ...bookDeps, signer })
  const engine = needsEngine(deps.config) ? buildEngine(deps) : null
  const searchers = { simd: engine?.simd ?? 'scalar', miner: () => mining.miner } as const
  const practice = code.node?.createPractice(deps, signer ?? momentarySigner(deps), searchers) ?? null
  const held = code.accounts?.createNodeAccounts(deps, signer) ?? null
  const localHashrate = (): number =>
    (mining.miner?.snapshot().hashrate.now ?? 0) + (mining.stratum?.effectiveHashrate() ?? 0)
  const node: NodeService | null = code.node?.createNode(deps, practice, localHashrate, held?.accounts ?? null) ?? null
  const mining: Mining = code.mining?.createMining(deps, engine, node) ?? NO_MINING
  const books = accounts === null ? null : { accounts, callers }
  return {
    engine,
    signer,
    vault,
    books,
    practice,
    keystore: held?.keystore ?? null,
    node,
    database: code.node?.createDatabase(deps) ?? null,
    probe: async (url, signal) => (await import('./miner/create-miner')).createProbe(deps)(url, signal),
    ...mining,
  }
}

/** For a run without a signer: one without its API, open only while the first account is created. */
function momentarySigner(deps: TradesDeps): AccountMaker {
  return {
    createAccount: async (password, strength) => {
      const { createSigner } = await import('./signer/create-signer')
      const signer = createSigner(deps, null, { openVault: null })
      await signer.start(new AbortController().signal)
      try {
        return await signer.createAccount(password, strength)
      } finally {
        await signer.stop()
      }
    },
  }
}

const SIZES = { full: XHASH_FULL, practice: XHASH_PRACTICE, test: XHASH_TEST } as const

/** Proof-of-work sizes: the network's, unless a standalone miner is told otherwise. */
function minerSizes(config: ResolvedConfig): XhashParams {
  const { xhashMode } = config.app
  return config.command === 'miner' && xhashMode !== null ? SIZES[xhashMode] : networkSpec(config).xhash
}

/** The hashing engine of this network. */
export function buildEngine({ config, platform, logs }: TradesDeps): XhashEngine {
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
