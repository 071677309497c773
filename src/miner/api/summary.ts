// GET /api/v1/summary: the public format, in which unknown sensors are 0 and every member is always present.
import { TROUBLE_WORDS } from '../pool-trouble'
import type { DeviceSnapshot, Hashrate, MinerSnapshot } from '../stats/snapshot'

/** The answer of GET /api/v1/summary. */
export type Summary = ReturnType<typeof buildSummary>
/** One device in the summary. */
export type SummaryGpu = ReturnType<typeof gpu>
/** H/s. */
export type SummaryRates = ReturnType<typeof rates>

interface SummaryInput {
  /** what this instance permits, regardless of the caller */
  readonly control: boolean
  readonly version: string
  readonly miner: MinerSnapshot
  readonly devices: readonly DeviceSnapshot[]
}

/** The summary of the current state. */
export function buildSummary({ control, version, miner, devices }: SummaryInput) {
  const { source } = miner
  return {
    control,
    miner: { name: 'headframe', version, algorithm: 'xhash', uptime: miner.uptimeSeconds },
    pool: {
      connected: source.connected,
      host: source.host,
      url: source.url,
      difficulty: finite(source.difficulty),
      epoch: source.epoch ?? -1,
      block: source.height ?? -1,
      switches: source.switches,
      warning: source.warning,
      diagnosis: diagnosis(miner),
    },
    hashrate: { ...rates(miner.hashrate), effective: finite(miner.hashrate.effective) },
    shares: miner.shares,
    gpus: devices.map(gpu),
  }
}

/** Of the pool in use, or being tried; without trouble, `trouble` is empty. `seconds`: since it began. */
function diagnosis({ source, takenAt }: MinerSnapshot) {
  if (source.diagnosis === null) return { trouble: '', seconds: 0, count: 0, answer: '', action: '' }
  const { trouble, since, count, answer } = source.diagnosis
  const seconds = Math.max(0, Math.floor((takenAt - since) / 1_000))
  return { trouble, seconds, count, answer, action: TROUBLE_WORDS[trouble].action }
}

function gpu(device: DeviceSnapshot) {
  const { temperature, clockMhz } = device
  return {
    index: device.index,
    name: device.name,
    pci: device.pci,
    // The API knows three backends; the device's name says that it is simulated.
    backend: device.backend === 'simulated' ? 'opencl' : device.backend,
    hashrate: rates(device.hashrate),
    shares: device.shares,
    paused: device.paused,
    pause_reason: device.pauseReasons.join('; '),
    temperature: {
      core: finite(temperature.core),
      hotspot: finite(temperature.hotspot),
      memory: finite(temperature.memory),
    },
    fan: finite(device.fanPercent),
    power: finite(device.powerWatts),
    power_limit: finite(device.powerLimitWatts),
    clocks: { core: finite(clockMhz.core), memory: finite(clockMhz.memory) },
  }
}

function rates(rate: Hashrate) {
  return { now: finite(rate.now), '60s': finite(rate.s60), '15m': finite(rate.m15) }
}

/** JSON has no NaN, and this format no null. */
function finite(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : 0
}
