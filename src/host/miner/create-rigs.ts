// The monitored rigs of this run, with their metric families.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { isLargeFleet } from '../../miner/monitor/fleet-pace'
import { registerMonitorMetrics, registerRigMetrics } from '../../miner/monitor/rig-metrics'
import { type MonitoredRig, RigMonitor } from '../../miner/monitor/rig-monitor'
import type { TradesDeps } from '../trades-deps'

/**
 * Heap growth between two full collections. V8's default lets it double or more: each round over 10,000 rigs leaves
 * more garbage than the data kept about them.
 */
const HEAP_GROWTH_PERCENT = 30

/** Null when this run neither mines nor monitors; rigs can be added to an empty list. */
export function buildRigs({ config, platform, clock, metrics }: TradesDeps): RigMonitor | null {
  const { monitor, rigs, intervalMs } = config.fleet
  if (!monitor && !config.trades.miner) return null
  if (isLargeFleet(rigs.length)) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const service = new RigMonitor({ rigs, intervalMs }, { clock, random: () => randomBytes(4).readUInt32BE() / 2 ** 32 })
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
