// Commands for selected rigs, as forwarded by a monitor.
import { parsePoolUrl } from '../../config/values/pool-url'
import type { RigAction } from '../../miner/api/rig-control'
import type { RigCommand } from '../../miner/monitor/rig-monitor'

/** An invalid pool address isn't sent to any rig. */
export function rigCommandOf(action: RigAction): RigCommand | { readonly fault: string } {
  if (action.action !== 'set-pool') return action
  const read = parsePoolUrl(action.pool.reveal())
  return 'fault' in read ? { fault: read.fault } : { action: 'set-pool', text: action.pool, url: read.url }
}
