// Values for shell tests: a device and a status as reported by the backend.
import type { DeviceView, MinerStatusView } from '../../contract/miner'
import { NO_FACTS, type ShellFacts } from '../shell/shell-facts'

export function aDevice(part: Partial<DeviceView> = {}): DeviceView {
  return {
    index: 0,
    name: 'RTX 3070',
    pci: '01:00.0',
    backend: 'cuda',
    threads: null,
    state: 'mining',
    progress: null,
    hashrate: { now: 59_010_000, s60: 59_010_000, m15: 59_010_000 },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    temperature: { core: 61, hotspot: 74, memory: 88 },
    fanPercent: 64,
    powerWatts: 115,
    meanPowerWatts: 115,
    powerLimitWatts: 130,
    clockMhz: { core: null, memory: null },
    datasetBytes: null,
    takenAt: 0,
    ...part,
  }
}

export function aStatus(part: Partial<MinerStatusView> = {}): MinerStatusView {
  return {
    state: 'running',
    uptimeSeconds: 1,
    hashrate: { now: 59_010_000, s60: 0, m15: 0, effective: 0 },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    source: {
      kind: 'solo',
      connected: true,
      host: '',
      url: '',
      difficulty: null,
      epoch: null,
      height: null,
      switches: 0,
      warning: '',
      diagnosis: null,
    },
    lastProof: null,
    expectedSinceProof: 0,
    takenAt: 0,
    ...part,
  }
}

export function facts(part: Partial<ShellFacts> = {}): ShellFacts {
  return { ...NO_FACTS, devices: [aDevice()], status: aStatus(), ...part }
}

/** A pool as work source. */
export function poolStatus(connected: boolean, host = 'pool.example:3333'): MinerStatusView {
  const status = aStatus()
  return { ...status, source: { ...status.source, kind: 'pool', connected, host } }
}
