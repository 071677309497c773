// Builds what mines, monitors rigs, or serves them work, with its money and incidents. Read only by runs that do one of it,
// or compare their node with another one.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { toHex } from '../../base/hex'
import { KeptJson } from '../../files/json-file'
import type { Measurement } from '../../miner/measurement'
import type { MinerService } from '../../miner/miner-service'
import { hasManyRigs } from '../../miner/monitor/poll-pace'
import { registerMonitorMetrics, registerRigMetrics } from '../../miner/monitor/rig-metrics'
import { type MonitoredRig, RigMonitor } from '../../miner/monitor/rig-monitor'
import type { PoolSource } from '../../miner/pool/pool-source'
import { HistoryFile } from '../../miner/stats/history-file'
import { StratumServer } from '../../miner/stratum/stratum-server'
import { rigRatesSchema } from '../../miner/stratum/workers'
import { CardFinder } from '../../miner/tuning/card-finder'
import { TuningService } from '../../miner/tuning/tuning-service'
import { openNvml } from '../../native/nvml'
import type { XhashEngine } from '../../native/xhash-engine'
import type { NodeService } from '../../node/node-service'
import { NodeWorkSource } from '../adapters/node-work-source'
import { dataDirPaths } from '../system/data-dir'
import type { TradesDeps } from '../trades-deps'
import { createIncidents, createRules, type Incidents } from './create-incidents'
import { createMeasurement, createMiner, type MinerParts } from './create-miner'
import { Money } from './create-money'

/** Each null when this run doesn't have it. */
export interface Mining {
  readonly miner: MinerService | null
  /** Null when the miner works for our own node. */
  readonly pools: PoolSource | null
  /** How the pools' work keeps up with our own node; null without either. */
  readonly watched: MinerParts['watched']
  /** The ledger of money; null when neither this program nor rigs on its stratum port mine. */
  readonly money: Money | null
  /** What is or was wrong, and alerts; null when this run has nothing that they are about. */
  readonly incidents: Incidents | null
  /** Device timelines and morning reports; null without a miner. */
  readonly record: MinerParts['record'] | null
  /** How fast this computer is, on request; null without a miner. */
  readonly measurement: Measurement | null
  /** GPU tuning on request; null without a miner. */
  readonly tuning: TuningService | null
  /** Null when no rigs are monitored. */
  readonly rigs: RigMonitor | null
  /** Serves the node's work to other rigs; null without --stratum-bind. */
  readonly stratum: StratumServer | null
}

/** @param engine null when this run doesn't hash */
export function createMining(deps: TradesDeps, engine: XhashEngine | null, node: NodeService | null): Mining {
  const rules = createRules(deps)
  const isMining = deps.config.trades.miner && engine !== null
  const mined = isMining ? createMiner(deps, engine, { node, rules }) : null
  const { miner = null, pools = null, watched = null, record = null } = mined ?? {}
  const stratum = engine === null || node === null ? null : buildStratum(deps, engine, node)
  const ofRigs = () => (stratum === null ? null : new Money(deps, { miner, node, rules: () => rules.current }))
  const money = mined?.money ?? ofRigs()
  if (stratum !== null) money?.watchRigs(stratum)
  const rigs = buildRigs(deps)
  return {
    miner,
    pools,
    watched,
    record,
    stratum,
    money,
    rigs,
    incidents: createIncidents(deps, { miner, money, rigs, stratum, rules, node }),
    tuning: miner === null ? null : buildTuning(deps, miner),
    measurement: miner === null ? null : createMeasurement(deps, miner),
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

// The monitored rigs of this run, with their metric families.

/**
 * Heap growth between two full collections. V8's default lets it double or more: each round over 10,000 rigs leaves
 * more garbage than the data kept about them.
 */
const HEAP_GROWTH_PERCENT = 30

/** Null when this run neither mines nor monitors; rigs can be added to an empty list. */
function buildRigs({ config, platform, clock, metrics, logs }: TradesDeps): RigMonitor | null {
  const { monitor, rigs, intervalMs } = config.rigMonitor
  if (!monitor && !config.trades.miner) return null
  if (hasManyRigs(rigs.length)) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
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
