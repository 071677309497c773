// Builds the node from the configuration.
import { cpus } from 'node:os'
import { join } from 'node:path'
import { bytesOfHex } from '../../base/hex'
import type { ResolvedConfig } from '../../config/resolved-config'
import { NodeService, type NodeServiceOptions, type PoolParams } from '../../node/node-service'
import type { AccountsPort } from '../../node/ports/accounts-port'
import type { MiningChange } from '../../node/worker/wire/pool-wire'
import { SOLC_TIMES, SolcCompiler } from '../adapters/solc-compiler'
import type { TradesDeps } from '../trades-deps'
import { openWorker } from '../workers/worker-host'
import { p2pSettings } from './p2p-options'
import { practiceAddress } from './practice-key'
import type { PracticeNetwork } from './practice-network'
import { rpcOptions } from './rpc-options'

/** Threads that may compute calls and traces: two of long queries, and one for those that are new. They are opened as needed. */
const MIN_QUERY_WORKERS = 3

/** A template waits this long after a change of the pool, so that a burst of transactions makes one template. */
const POOL_DELAY_MS = 500

function poolParams(txpool: ResolvedConfig['txpool']): PoolParams {
  const { priceBump, locals, ...limits } = txpool
  return { ...limits, priceBumpPercent: priceBump, locals: locals.map((address) => bytesOfHex(address, 20)) }
}

function querySettings({ rpc }: ResolvedConfig): NonNullable<NodeServiceOptions['queries']> {
  const workers = Math.max(MIN_QUERY_WORKERS, cpus().length)
  return { workers, gasCap: BigInt(rpc.gasCap), callTimeoutMs: rpc.callTimeoutMs }
}

/** Commands that work on the chain while nobody asks anything of it: no query workers, no journal of transactions. */
function worksAlone({ command }: ResolvedConfig): boolean {
  return command === 'init' || command === 'import' || command === 'export'
}

/** What is mined on another network never goes to the practice account, whose password lies in clear text beside its key. */
function rewardAccount({ node, app }: ResolvedConfig, practice: PracticeNetwork | null): Uint8Array | null {
  if (node.coinbase === null) return practice?.account ?? null
  const isForPractice = app.network !== 'practice' && node.coinbase.toLowerCase() === practiceAddress(app.dataDir)
  return isForPractice ? null : bytesOfHex(node.coinbase, 20)
}

/** What of making blocks can change while the node runs. */
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

/**
 * @param practice known only once it was started, which is before the node
 * @param localHashrate H/s of the own miner, asked while the node runs
 * @param accounts null = none
 */
export function buildNode(
  deps: TradesDeps,
  practice: PracticeNetwork | null,
  localHashrate: () => number,
  accounts: AccountsPort | null = null,
): NodeService {
  const { config, platform, clock, logs, metrics, onChainLost } = deps
  const { node, app } = config
  const log = logs.logger.child({ module: 'node' })
  const options: NodeServiceOptions = {
    network: app.network,
    custom: config.custom,
    fakePow: config.chain.fakePow,
    gcMode: config.chain.gcMode,
    engine: config.chain.engine,
    chainDir: join(app.dataDir, app.network, 'chain'),
    genesis: () => practice?.genesis ?? null,
    coinbase: () => rewardAccount(config, practice),
    mining: node.mine,
    pool: worksAlone(config) ? null : poolParams(config.txpool),
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
  }
  return new NodeService(options, {
    chain: () =>
      openWorker({
        name: 'chain',
        entry: join(platform.workerDir, 'chain-worker.cjs'),
        searchFrom: platform.projectRoot,
        log,
        sink: logs.sink,
        minLevel: logs.level,
        onLost: onChainLost,
      }),
    queries: worksAlone(config)
      ? null
      : () =>
          openWorker({
            name: 'query',
            entry: join(platform.workerDir, 'query-worker.cjs'),
            searchFrom: platform.projectRoot,
            log,
            sink: logs.sink,
            minLevel: logs.level,
            onLost: (reason) => log.error('query worker was lost', { reason }),
          }),
    accounts,
    compiler: buildCompiler(deps),
    localHashrate,
    clock,
    log,
    metrics,
  })
}

function buildCompiler({ platform, clock, logs }: TradesDeps): SolcCompiler {
  const log = logs.logger.child({ module: 'solc' })
  return new SolcCompiler(
    { searchFrom: platform.projectRoot, ...SOLC_TIMES },
    {
      open: () =>
        openWorker({
          name: 'solc',
          entry: join(platform.workerDir, 'solc-worker.cjs'),
          searchFrom: platform.projectRoot,
          log,
          sink: logs.sink,
          minLevel: logs.level,
          onLost: (reason) => log.error('compiler worker was lost', { reason }),
        }),
      clock,
    },
  )
}
