// Builds the node from the configuration. Read only by runs that have one.
import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { bytesOfHex } from '../../base/hex'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { MinerService } from '../../miner/miner-service'
import { shareHeaps } from '../../native/system/system-calls'
import type { XhashEngine } from '../../native/xhash-port'
import type { P2pSettings } from '../../node/node-options'
import { NodeService, type NodeServiceOptions, type PoolParams } from '../../node/node-service'
import type { AccountsPort } from '../../node/ports/accounts-port'
import type { MiningChange } from '../../node/worker/wire/pool-wire'
import { SOLC_TIMES, SolcCompiler } from '../adapters/solc-compiler'
import { chainFiles } from '../block-files/export-file'
import { dataDirPaths } from '../system/data-dir'
import type { TradesDeps } from '../trades-deps'
import { openTradeWorker } from '../workers/worker-host'
import { ChainDatabase } from './chain-database'
import { practiceAddress } from './practice-key'
import { type AccountMaker, PracticeNetwork } from './practice-network'
import { rpcOptions } from './rpc-options'

type P2pValues = ResolvedConfig['p2p']

/** @param entry `NUMBER=HASH`, in the option's form */
function requiredBlock(entry: string) {
  const [number = '', hash = ''] = entry.split('=')
  return { number: BigInt(number), hash: bytesOfHex(hash, 32) }
}

function checkpointOf({ checkpoint, checkpointSigner }: P2pValues) {
  if (checkpoint === null || checkpointSigner === null) return null
  return { file: checkpoint, signer: bytesOfHex(checkpointSigner, 20) }
}

/** Null without peers: on practice by default, with --fakepow, and for commands that only work on the chain. */
export function p2pSettings(
  { p2p, chain, command }: ResolvedConfig,
  warn: (message: string) => void,
): P2pSettings | null {
  const isService = command === 'run' || command === 'node'
  if (!isService || p2p.maxPeers === 0) return null
  if (chain.fakePow) {
    warn('no peers: a node that accepts any proof of work (--fakepow) must not listen to others')
    return null
  }
  const { addr, port, maxPeers, nodeKeyFile, nodeKeyHex, minesBehind } = p2p
  return {
    listen: { host: addr, port },
    maxPeers,
    nodeKey: nodeKeyHex === null ? null : bytesOfHex(nodeKeyHex.reveal(), 32),
    nodeKeyFile,
    minesBehind,
    required: { blocks: p2p.requiredBlocks.map(requiredBlock), checkpoint: checkpointOf(p2p) },
    discovery: p2p,
  }
}

/** Threads for calls and traces: two for long queries, and one for new ones. Started on demand. */
const MIN_QUERY_WORKERS = 3

/** Delay of templates after a pool change, so that a burst of transactions makes one template. */
const POOL_DELAY_MS = 500
/** An import drops nearly all objects at once: V8's 48 MiB cost 20 MB more memory and save no time. */
const CHAIN_YOUNG_MIB = 24
/** Separate heaps cost an import 45 MB: what the database's threads free, the others can't use. */
const SHARED_HEAPS = 2

function poolParams({ txpool, app }: ResolvedConfig): PoolParams {
  const { priceBump, locals, ...limits } = txpool
  return {
    ...limits,
    priceBumpPercent: priceBump,
    locals: locals.map((address) => bytesOfHex(address, 20)),
    feeFile: join(app.dataDir, app.network, 'fee-estimates.json'),
  }
}

function querySettings({ rpc }: ResolvedConfig): NonNullable<NodeServiceOptions['queries']> {
  const workers = Math.max(MIN_QUERY_WORKERS, cpus().length)
  return { workers, gasCap: BigInt(rpc.gasCap), callTimeoutMs: rpc.callTimeoutMs }
}

/** For commands that only work on the chain: no query workers, no transaction journal. */
function worksAlone({ command }: ResolvedConfig): boolean {
  return command === 'init' || command === 'import' || command === 'export'
}

/** Elsewhere never the practice account, whose password is in clear text beside its key. */
function rewardAccount({ node, app }: ResolvedConfig, practice: PracticeNetwork | null): Uint8Array | null {
  if (node.coinbase === null) return practice?.account ?? null
  const isForPractice = app.network !== 'practice' && node.coinbase.toLowerCase() === practiceAddress(app.dataDir)
  return isForPractice ? null : bytesOfHex(node.coinbase, 20)
}

/** The settings of block production that can change while running. */
export function minedWith(config: ResolvedConfig, practice: PracticeNetwork | null): MiningChange {
  const { mine, gasPrice, gasLimit, recommitMs } = config.node
  return {
    mining: mine,
    coinbase: rewardAccount(config, practice),
    gasPrice,
    gasLimitGoal: BigInt(gasLimit),
    recommitMs,
  }
}

/** @param practice available once started, before the node @param localHashrate H/s of our own miner */
export function createNode(
  deps: TradesDeps,
  practice: PracticeNetwork | null,
  localHashrate: () => number,
  accounts: AccountsPort | null = null,
): NodeService {
  const { config, platform, clock, logs, metrics, onChainLost } = deps
  const { node, app } = config
  const log = logs.logger.child({ module: 'node' })
  shareHeaps(SHARED_HEAPS, platform.projectRoot)
  const options: NodeServiceOptions = {
    network: app.network,
    custom: config.custom,
    fakePow: config.chain.fakePow,
    gcMode: config.chain.gcMode,
    historyBlocks: config.chain.history,
    chainDir: join(app.dataDir, app.network, 'chain'),
    genesis: () => practice?.genesis ?? null,
    coinbase: () => rewardAccount(config, practice),
    mining: node.mine,
    pool: worksAlone(config) ? null : poolParams(config),
    clientName: `headframe/${platform.version}`,
    extraData: node.extraData === null ? null : bytesOfHex(node.extraData),
    minimumGasPrice: node.gasPrice,
    gasLimitGoal: BigInt(node.gasLimit),
    poolDelayMs: POOL_DELAY_MS,
    recommitMs: node.recommitMs,
    sending: { feeCapWei: config.accounts.feeCap, allowUnprotected: config.accounts.allowUnprotected },
    queries: querySettings(config),
    p2p: p2pSettings(config, (message) => log.warn(message)),
    rpc: rpcOptions(config, (message, fields) => log.warn(message, fields)),
    beside: worksAlone(config) ? null : node.beside,
  }
  const service: NodeService = new NodeService(options, {
    chain: () => openTradeWorker(deps, 'chain', { log, onLost: onChainLost, youngMiB: CHAIN_YOUNG_MIB }),
    queries: worksAlone(config) ? null : () => openTradeWorker(deps, 'query', { log }),
    searchFrom: platform.projectRoot,
    accounts,
    compiler: buildCompiler(deps),
    files: chainFiles(() => service),
    localHashrate,
    clock,
    log,
    metrics,
  })
  return service
}

function buildCompiler(deps: TradesDeps): SolcCompiler {
  const { platform, clock, logs } = deps
  const open = () => openTradeWorker(deps, 'solc', { log: logs.logger.child({ module: 'solc' }) })
  return new SolcCompiler({ searchFrom: platform.projectRoot, ...SOLC_TIMES }, { open, clock })
}

/** The node's database, for use while the node is stopped. */
export function createDatabase({ config, platform, logs }: TradesDeps): ChainDatabase {
  return new ChainDatabase(config, {
    projectRoot: platform.projectRoot,
    log: logs.logger.child({ module: 'node' }),
  })
}

/** The practice network's account and genesis; null on other networks. @param maker creates the account */
export function createPractice(
  { config, logs }: TradesDeps,
  maker: AccountMaker,
  { simd, miner }: { readonly simd: XhashEngine['simd']; readonly miner: () => MinerService | null },
): PracticeNetwork | null {
  if (config.app.network !== 'practice') return null
  const log = logs.logger.child({ module: 'host' })
  const hasGpu = async (signal: AbortSignal): Promise<boolean> => {
    const devices = (await miner()?.survey(signal)) ?? []
    return devices.some(({ isChosen, backend }) => isChosen && (backend === 'cuda' || backend === 'opencl'))
  }
  return new PracticeNetwork(dataDirPaths(config.app.dataDir), { maker, simd, hasGpu, log, randomBytes })
}
