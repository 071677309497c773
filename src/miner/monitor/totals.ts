// Sums over the rigs that are online.
import type { RigFigures } from './rig-figures'

/** The sums. */
interface RigTotals {
  readonly rigs: number
  readonly online: number
  readonly gpus: number
  readonly paused: number
  readonly hashrate: RigFigures['hashrate']
  readonly shares: RigFigures['shares']
  readonly powerWatts: number
  /** H/s over 60 s of the GPUs whose power is known */
  readonly meteredHashrate: number
}

/** @param figures of each rig; null: offline */
export function rigTotals(figures: readonly (RigFigures | null)[]): RigTotals {
  const online = figures.flatMap((each) => each ?? [])
  const sum = (read: (each: RigFigures) => number): number => online.reduce((total, each) => total + read(each), 0)
  return {
    rigs: figures.length,
    online: online.length,
    gpus: sum(({ gpus }) => gpus.length),
    paused: sum(({ gpus }) => gpus.filter((gpu) => gpu.paused).length),
    hashrate: {
      now: sum(({ hashrate }) => hashrate.now),
      s60: sum(({ hashrate }) => hashrate.s60),
      m15: sum(({ hashrate }) => hashrate.m15),
      effective: sum(({ hashrate }) => hashrate.effective),
    },
    shares: {
      accepted: sum(({ shares }) => shares.accepted),
      rejected: sum(({ shares }) => shares.rejected),
      failed: sum(({ shares }) => shares.failed),
    },
    powerWatts: sum(({ powerWatts }) => powerWatts),
    meteredHashrate: sum(({ gpus }) => metered(gpus)),
  }
}

function metered(gpus: RigFigures['gpus']): number {
  return gpus.reduce((total, { powerWatts, hashrate }) => total + (powerWatts > 0 ? hashrate.s60 : 0), 0)
}
