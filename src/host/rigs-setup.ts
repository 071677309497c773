// The watched rigs of this start, with their metric families.
import { randomBytes } from 'node:crypto'
import { registerMonitorMetrics, registerRigMetrics } from '../miner/monitor/rig-metrics'
import { RigMonitor } from '../miner/monitor/rig-monitor'
import type { TradesDeps } from './trades-deps'

/** Null when no other rig is watched. */
export function buildRigs({ config, platform, clock, metrics }: TradesDeps): RigMonitor | null {
  const { monitor, rigs, intervalMs } = config.fleet
  if (rigs.length === 0) return null
  const service = new RigMonitor({ rigs, intervalMs }, { clock, random: () => randomBytes(4).readUInt32BE() / 2 ** 32 })
  if (monitor) registerMonitorMetrics(metrics, platform.version, () => service.uptimeSeconds())
  registerRigMetrics(metrics, () => service.watchedRigs())
  return service
}
