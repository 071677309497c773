// The miner as a whole, at one moment.
import type { Clock } from '../../base/time'
import { expectedHashes } from '../difficulty'
import type { Job, WorkSource } from '../work-source'
import type { DeviceMeter } from './device-meter'
import { sumHashrates } from './hashrate-meter'
import type { ShareLedger } from './share-ledger'
import type { MinerSnapshot } from './snapshot'

/** The sources of the snapshot. */
interface MinerFacts {
  readonly state: MinerSnapshot['state']
  readonly uptimeSeconds: number
  readonly meters: readonly Pick<DeviceMeter, 'rate'>[]
  readonly ledger: ShareLedger
  /** null without work */
  readonly job: Job | null
  readonly source: WorkSource
  readonly clock: Clock
  readonly expectedSinceProof: number
}

/** The miner's current snapshot. */
export function minerSnapshot(facts: MinerFacts): MinerSnapshot {
  const { state, uptimeSeconds, meters, ledger, job, source, clock, expectedSinceProof } = facts
  const { kind, connected, host, url, switches, warning, diagnosis = null } = source.state()
  const last = ledger.lastAccepted
  const rate = sumHashrates(meters.map((meter) => meter.rate))
  return {
    state,
    uptimeSeconds,
    hashrate: { ...rate, effective: ledger.effective(clock.monotonic(), uptimeSeconds) },
    shares: ledger.counts(null),
    source: {
      kind,
      connected,
      host,
      url,
      difficulty: job === null ? null : expectedHashes(job.target),
      epoch: job?.epoch ?? null,
      height: job?.height ?? null,
      switches,
      warning,
      diagnosis,
    },
    lastProof: last === null ? null : { at: last.at, device: last.device },
    expectedSinceProof,
    takenAt: clock.now(),
  }
}
