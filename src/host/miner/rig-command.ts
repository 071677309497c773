// What chosen rigs are told, as a monitor passes it on.
import { parsePoolUrl } from '../../config/values/pool-url'
import type { FleetAction } from '../../miner/api/fleet-control'
import type { RigCommand } from '../../miner/monitor/rig-monitor'

/** The address of a pool that no rig could read is not sent to any. */
export function rigCommandOf(action: FleetAction): RigCommand | { readonly fault: string } {
  if (action.action !== 'set-pool') return action
  const read = parsePoolUrl(action.pool.reveal())
  return 'fault' in read ? { fault: read.fault } : { action: 'set-pool', text: action.pool, url: read.url }
}
