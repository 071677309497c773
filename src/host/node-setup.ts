// Builds the node from the configuration.
import { join } from 'node:path'
import { bytesOfHex } from '../base/hex'
import type { ResolvedConfig } from '../config/resolved-config'
import { NodeService, type NodeServiceOptions, type PoolParams } from '../node/node-service'
import type { AccountsPort } from '../node/rpc/accounts-port'
import { SOLC_TIMES, SolcCompiler } from './adapters/solc-compiler'
import { p2pSettings } from './p2p-setup'
import type { PracticeSetup } from './practice-setup'
import { rpcOptions } from './rpc-setup'
import type { TradesDeps } from './trades-deps'
import { openWorker } from './workers/worker-host'

/** Threads for calls and traces: one may be held by a long trace, the other answers. */
const QUERY_WORKERS = 2

/** A template waits this long after a change of the pool, so that a burst of transactions makes one template. */
const POOL_DELAY_MS = 500

function poolParams(txpool: ResolvedConfig['txpool']): PoolParams {
  const { priceBump, locals, ...limits } = txpool
  return { ...limits, priceBumpPercent: priceBump, locals: locals.map((address) => bytesOfHex(address, 20)) }
}

/** Commands that work on the chain while nobody asks anything of it: no query workers, no journal of transactions. */
function worksAlone({ command }: ResolvedConfig): boolean {
  return command === 'init' || command === 'import' || command === 'export'
}

/**
 * @param practice known only once it was started, which is before the node
 * @param localHashrate H/s of the own miner, asked while the node runs
 * @param accounts null = none
 */
export function buildNode(
  deps: TradesDeps,
  practice: PracticeSetup | null,
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
    chainDir: join(app.dataDir, app.network, 'chain'),
    genesis: () => practice?.genesis ?? null,
    coinbase: () => (node.coinbase === null ? (practice?.account ?? null) : bytesOfHex(node.coinbase, 20)),
    mining: node.mine,
    pool: worksAlone(config) ? null : poolParams(config.txpool),
    clientName: `headframe/${platform.version}`,
    extraData: node.extraData === null ? null : bytesOfHex(node.extraData),
    minimumGasPrice: node.gasPrice,
    gasLimitGoal: BigInt(node.gasLimit),
    ...{ poolDelayMs: POOL_DELAY_MS, recommitMs: node.recommitMs },
    sending: { feeCapWei: config.accounts.feeCap, allowUnprotected: config.accounts.allowUnprotected },
    queries: { workers: QUERY_WORKERS, gasCap: BigInt(config.rpc.gasCap), callTimeoutMs: config.rpc.callTimeoutMs },
    p2p: p2pSettings(config),
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
        minLevel: app.logLevel,
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
            minLevel: app.logLevel,
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

function buildCompiler({ config, platform, clock, logs }: TradesDeps): SolcCompiler {
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
          minLevel: config.app.logLevel,
          onLost: (reason) => log.error('compiler worker was lost', { reason }),
        }),
      clock,
    },
  )
}
