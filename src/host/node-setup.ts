// Builds the node from the configuration.
import { join } from 'node:path'
import { bytesOfHex } from '../base/hex'
import { NodeService, type NodeServiceOptions } from '../node/node-service'
import type { PracticeSetup } from './practice-setup'
import type { TradesDeps } from './trades-deps'
import { openWorker } from './workers/worker-host'

/** A template waits this long after a change of the pool, so that a burst of transactions makes one template. */
const POOL_DELAY_MS = 500

/**
 * @param practice known only once it was started, which is before the node
 * @param localHashrate H/s of the own miner, asked while the node runs
 */
export function buildNode(deps: TradesDeps, practice: PracticeSetup | null, localHashrate: () => number): NodeService {
  const { config, platform, clock, logs, metrics, onChainLost } = deps
  const { node, app } = config
  const log = logs.logger.child({ module: 'node' })
  const options: NodeServiceOptions = {
    network: app.network,
    chainDir: join(app.dataDir, app.network, 'chain'),
    genesis: () => practice?.genesis ?? null,
    coinbase: () => {
      if (!node.mine) return null
      return node.coinbase === null ? (practice?.account ?? null) : bytesOfHex(node.coinbase, 20)
    },
    clientName: `headframe/${platform.version}`,
    extraData: node.extraData === null ? null : bytesOfHex(node.extraData),
    minimumGasPrice: node.gasPrice,
    gasLimitGoal: BigInt(node.gasLimit),
    poolDelayMs: POOL_DELAY_MS,
    recommitMs: node.recommitMs,
    rpc: node.http
      ? {
          host: node.httpAddr,
          port: node.httpPort,
          vhosts: node.httpVhosts,
          bodyLimitBytes: node.bodyLimitBytes,
          batchLimit: node.batchLimit,
          getworkHeight: node.getworkHeight,
        }
      : null,
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
    accounts: null,
    localHashrate,
    clock,
    log,
    metrics,
  })
}
