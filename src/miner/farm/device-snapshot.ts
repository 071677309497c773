// One device as others see it, assembled from its parts.
import type { SensorReading } from '../sensors/reading'
import type { DeviceSnapshot, Hashrate, ShareCounts } from '../stats/snapshot'
import type { DeviceSlot } from './device-slot'
import type { DeviceCare } from './guard/device-care'

/** The sources of a snapshot. */
interface DeviceSnapshotParts {
  readonly rate: Hashrate
  readonly meanPowerWatts: number | null
  readonly shares: ShareCounts
  readonly effectiveHashrate: number | null
  readonly usualHashrate: number | null
  readonly care: Pick<DeviceCare, 'restarts' | 'responds' | 'limits'>
  readonly pauseEndsAt: number | null
  readonly reading: SensorReading
  readonly takenAt: number
}

/** A device's current snapshot. */
export function deviceSnapshot(slot: DeviceSlot, parts: DeviceSnapshotParts): DeviceSnapshot {
  const { index, info, state, progress, pauseReasons, error, datasetBytes } = slot
  const { rate, meanPowerWatts, shares, effectiveHashrate, usualHashrate, care, pauseEndsAt, reading, takenAt } = parts
  return {
    index,
    ...info,
    state,
    progress,
    hashrate: rate,
    shares,
    paused: pauseReasons.length > 0,
    pauseReasons,
    canResume: pauseReasons.includes('Api request'),
    error,
    restarts: care.restarts(index),
    pauseEndsAt,
    datasetBytes,
    responds: care.responds(index),
    effectiveHashrate,
    hashes: Number(slot.hashCount()),
    usualHashrate,
    temperatureLimits: care.limits(index),
    ...reading,
    meanPowerWatts,
    takenAt,
  }
}
