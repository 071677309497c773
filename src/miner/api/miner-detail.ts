// What the line RPC reports about the miner beyond its summary.
import type { TemperatureLimits } from '../farm/device-backend'
import type { ShareLedger } from '../stats/share-ledger'
import type { MinerDetail } from './line-stats'

/** What the details are made from. */
interface MinerDetailInput {
  readonly limits: TemperatureLimits | null
  readonly epochChanges: number
  /** whole seconds since then; for null, since the start. @param at monotonic ms */
  readonly secondsSince: (at: number | null) => number
  readonly ledger: Pick<ShareLedger, 'lastAcceptedAt'>
  /** number of devices */
  readonly devices: number
}

/** The miner's details for `statDetail`. */
export function minerDetail({ limits, epochChanges, secondsSince, ledger, devices }: MinerDetailInput): MinerDetail {
  return {
    epochChanges,
    secondsSinceShare: secondsSince(ledger.lastAcceptedAt(null)),
    deviceSecondsSinceShare: Array.from({ length: devices }, (_, index) => secondsSince(ledger.lastAcceptedAt(index))),
    temperatureLimits: limits === null ? null : [limits.start, limits.stop],
  }
}
