// What the line RPC tells of the miner beyond its summary.
import type { TemperatureLimits } from '../farm/device-backend'
import type { ShareLedger } from '../stats/share-ledger'
import type { MinerDetail } from './line-stats'

export interface MinerDetailInput {
  readonly limits: TemperatureLimits | null
  readonly epochChanges: number
  /** whole seconds since then; since the start for null. @param at monotonic ms */
  readonly secondsSince: (at: number | null) => number
  readonly ledger: Pick<ShareLedger, 'lastAcceptedAt'>
  /** how many there are */
  readonly devices: number
}

export function minerDetail({ limits, epochChanges, secondsSince, ledger, devices }: MinerDetailInput): MinerDetail {
  return {
    epochChanges,
    secondsSinceShare: secondsSince(ledger.lastAcceptedAt(null)),
    deviceSecondsSinceShare: Array.from({ length: devices }, (_, index) => secondsSince(ledger.lastAcceptedAt(index))),
    temperatureLimits: limits === null ? null : [limits.start, limits.stop],
  }
}
