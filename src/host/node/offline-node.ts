// The node without listeners: for commands that work on the chain in the data directory while nothing else does.
import { join } from 'node:path'
import { ServiceGroup } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { NodeService } from '../../node/node-service'
import { hasChain } from '../../node/store/level-store'
import { HostError } from '../errors'
import { dataDirPaths, prepareDataDir } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import type { TradesDeps } from '../trades-deps'
import { createNode } from './create-node'
import { CustomNetworkRecord, networkSpec } from './custom-network'

/** A busy chain worker is terminated within this. */
const STOP_BUDGETS_MS = { node: 2_500 }
const TOTAL_STOP_MS = 3_000

export interface OfflineNode {
  readonly node: NodeService
  readonly log: Logger
  /** @throws HOST_DATA_DIR_IN_USE, HOST_DATA_DIR_UNUSABLE, HOST_NO_CHAIN, STORE_*, CHAIN_*; all is stopped by then */
  start(signal: AbortSignal): Promise<void>
  /** Idempotent. */
  stop(): Promise<void>
}

/** @throws ConfigError CONFIG_GENESIS_INVALID */
export function offlineNode(deps: TradesDeps): OfflineNode {
  const { config, clock, logs } = deps
  networkSpec(config) // reports an invalid genesis file before anything is created
  const { root, lockFile } = dataDirPaths(config.app.dataDir)
  const quiet = { ...config, node: { ...config.node, http: false, mine: false } }
  const node = createNode({ ...deps, config: quiet }, null, () => 0)
  const services = [
    { name: 'data-directory', start: async () => prepare(config), stop: async () => undefined },
    new DataDirLock({ dir: root, file: lockFile, pid: process.pid }),
    node,
    new CustomNetworkRecord(config),
  ]
  const limits = { stopBudgetMs: STOP_BUDGETS_MS, totalStopMs: TOTAL_STOP_MS }
  const group = new ServiceGroup('offline-node', services, { log: logs.logger, clock, ...limits })
  return { node, log: logs.logger, start: (signal) => group.start(signal), stop: () => group.stop() }
}

/** The practice network's genesis is created together with its account, by a full start. */
function prepare({ app }: ResolvedConfig): void {
  const { dataDir: dir, network } = app
  if (network === 'practice' && !hasChain(join(dir, network, 'chain'))) {
    throw new HostError('HOST_NO_CHAIN', { dir, network })
  }
  prepareDataDir(dir)
}
