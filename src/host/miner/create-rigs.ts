// The watched rigs of this start, with their metric families.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { isLargeFleet } from '../../miner/monitor/fleet-pace'
import { registerMonitorMetrics, registerRigMetrics } from '../../miner/monitor/rig-metrics'
import { type MonitoredRig, RigMonitor } from '../../miner/monitor/rig-monitor'
import type { TradesDeps } from '../trades-deps'

/**
 * How much the heap grows from one full collection to the next. V8 alone lets it double or more: each round over 10,000 rigs leaves
 * more behind than all that is kept of them.
 */
const HEAP_GROWTH_PERCENT = 30

/** Null where this start neither mines nor watches; with an empty list, rigs can still be added. */
export function buildRigs({ config, platform, clock, metrics }: TradesDeps): RigMonitor | null {
  const { monitor, rigs, intervalMs } = config.fleet
  if (!monitor && !config.trades.miner) return null
  if (isLargeFleet(rigs.length)) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const service = new RigMonitor({ rigs, intervalMs }, { clock, random: () => randomBytes(4).readUInt32BE() / 2 ** 32 })
  if (monitor) registerMonitorMetrics(metrics, platform.version, () => service.uptimeSeconds())
  const register = (): void => registerRigMetrics(metrics, () => service.watchedRigs(), labelNames(rigs))
  if (rigs.length > 0) register()
  else {
    // Who watches nobody has no such families; with the first rig they come.
    const first = service.events.on('rigsChanged', () => {
      first.dispose()
      register()
    })
  }
  return service
}

/** Each once, sorted. */
function labelNames(rigs: readonly MonitoredRig[]): readonly string[] {
  return [...new Set(rigs.flatMap(({ labels }) => Object.keys(labels)))].sort()
}
