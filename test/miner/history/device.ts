// A device whose figures are distinguishable by its index.
import { NO_READING } from '../../../src/miner/sensors/reading'
import type { DeviceSnapshot } from '../../../src/miner/stats/snapshot'

export function aDevice(index: number): DeviceSnapshot {
  const rate = 100 * (index + 1)
  return {
    ...NO_READING,
    meanPowerWatts: null,
    index,
    name: 'card',
    pci: `0${index + 1}:00.0`,
    backend: 'opencl',
    threads: null,
    state: 'mining',
    progress: null,
    hashrate: { now: rate, s60: rate, m15: rate },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    datasetBytes: null,
    responds: true,
    effectiveHashrate: null,
    hashes: 0,
    usualHashrate: null,
    temperatureLimits: null,
    takenAt: 0,
  }
}
