// Builds the control port from the miner, its pools and the monitored rigs.
import { hostname, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Logger } from '../../base/logger'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import { firstMatch } from '../../miner/api/first-match'
import { LineMethods } from '../../miner/api/line-methods'
import type { MinerService } from '../../miner/miner-service'
import { Verbosity } from '../log/verbosity'
import type { Incidents } from '../miner/create-incidents'
import { incidentView } from '../miner/incident-views'
import { poolReader } from '../miner/pool-reader'
import { RebootScript } from '../miner/reboot-script'
import type { TextMetrics } from '../system/metrics-text'
import type { Platform } from '../system/platform'
import type { Trades } from '../trades'
import type { ViewLinkFinder } from './access-guard'
import type { OnChannel } from './channel'
import { ControlPort } from './control-port'
import type { IncidentSource } from './money-route'

interface ControlPortParts {
  readonly config: ResolvedConfig
  readonly platform: Platform
  readonly trades: Pick<Trades, 'miner' | 'pools' | 'rigs' | 'stratum' | 'tuning' | 'money' | 'incidents'>
  readonly metrics: TextMetrics
  /** of this run; null when not needed */
  readonly sessionToken: Secret | null
  /** of the previous start, at which open pages look for it; null: none */
  readonly preferredPort: number | null
  /** the links that only look */
  readonly links: ViewLinkFinder
  readonly onChannel: OnChannel
  readonly clock: Clock
  readonly log: Logger
}

/** Null when nothing is served. */
export function createControlPort(setup: ControlPortParts): ControlPort | null {
  const { config, platform, trades, metrics, sessionToken, preferredPort, links, onChannel, clock, log } = setup
  const { bind, token, allowControl, hosts } = config.api
  if (bind === null) return null
  const options = {
    bind,
    preferredPort,
    apiToken: token,
    sessionToken,
    // At the default address this run's token allows control; one that is named is read-only unless control is enabled.
    allowControl: allowControl || (sessionToken !== null && config.sources['api.bind']?.kind === 'default'),
    openControl: allowControl && token === null,
    hosts,
    monitor: config.rigMonitor.monitor,
    staticDir: platform.rendererDir,
  }
  const { miner, rigs, stratum: served, tuning, money } = trades
  const incidents = trades.incidents === null ? null : incidentSource(trades.incidents)
  const lines = miner === null ? null : buildLines(setup, miner)
  return new ControlPort(options, {
    miner,
    tuning,
    money,
    incidents,
    lines,
    rigs,
    served,
    links,
    metrics,
    onChannel,
    clock,
    log,
  })
}

function buildLines({ config, platform, trades, clock, log }: ControlPortParts, miner: MinerService): LineMethods {
  const verbosity = new Verbosity(miner, log.child({ module: 'miner' }))
  const reboot = new RebootScript(executableDir(platform), process.platform === 'win32', log)
  return new LineMethods({
    miner,
    pools: trades.pools,
    readUrl: poolReader(config),
    firstMatch: (pattern, texts) => firstMatch(clock, pattern, texts),
    reboot: () => reboot.run(),
    setVerbosity: (bits) => verbosity.set(bits),
    hostName: hostname(),
    hostMemoryBytes: totalmem(),
    log,
  })
}

function incidentSource({ book }: Incidents): IncidentSource {
  return {
    open: () => book.open().map(incidentView),
    recent: () => book.recent().map(incidentView),
    between: (from, to) => book.between(from, to, Number.POSITIVE_INFINITY).map(incidentView),
    acknowledge: (ids) => book.acknowledge(ids),
  }
}

/** Where the operator's script is expected: beside the desktop program, or beside `bin/headframe.mjs`. */
function executableDir({ isElectron, projectRoot }: Platform): string {
  return isElectron ? dirname(process.execPath) : join(projectRoot, 'bin')
}
