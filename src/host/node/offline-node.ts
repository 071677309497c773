// The node without listeners: for commands that work on the chain in the data directory while nothing else does.
import { join } from 'node:path'
import { ServiceGroup } from '../../base/lifecycle'
import type { Logger, LogLevel } from '../../base/logger'
import { systemClock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { NodeService } from '../../node/node-service'
import { hasChain } from '../../node/store/level-store'
import { HostError } from '../errors'
import { LogService } from '../log/log-service'
import { dataDirPaths, prepareDataDir } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import { TextMetrics } from '../system/metrics-text'
import type { Platform } from '../system/platform'
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

/** @param defaultLevel of log lines on standard error; there is no log file @throws ConfigError CONFIG_GENESIS_INVALID */
export function offlineNode(config: ResolvedConfig, platform: Platform, defaultLevel: LogLevel = 'warn'): OfflineNode {
  networkSpec(config) // reports an invalid genesis file before anything is created
  const { root, logs: dir, lockFile } = dataDirPaths(config.app.dataDir)
  const clock = systemClock()
  const minLevel = config.sources['app.logLevel']?.kind === 'default' ? defaultLevel : config.app.logLevel
  const logs = new LogService(
    { minLevel, json: config.app.logJson, dir },
    { clock, standardError: platform.standardError },
  )
  const quiet = {
    ...config,
    app: { ...config.app, logLevel: minLevel },
    node: { ...config.node, http: false, mine: false },
  }
  const deps = {
    config: quiet,
    platform,
    clock,
    logs,
    metrics: new TextMetrics(),
    onChainLost: noEvent,
    onExitAsked: noEvent,
  }
  const node = createNode(deps, null, () => 0)
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

/** The code that awaits its end sees it. */
function noEvent(): void {}
