// GET /api/v1/summary: the public format, in which unknown sensors are 0 and every member is always present.
import { TROUBLE_WORDS } from '../pool-trouble'
import type { DeviceSnapshot, Hashrate, MinerSnapshot, ShareCounts } from '../stats/snapshot'

/** Hashrates, H/s. */
export interface SummaryRates {
  readonly now: number
  readonly '60s': number
  readonly '15m': number
}

/** One device in the summary. */
export interface SummaryGpu {
  readonly index: number
  readonly name: string
  readonly pci: string
  readonly backend: string
  readonly hashrate: SummaryRates
  readonly shares: ShareCounts
  readonly paused: boolean
  readonly pause_reason: string
  readonly temperature: { readonly core: number; readonly hotspot: number; readonly memory: number }
  readonly fan: number
  readonly power: number
  readonly power_limit: number
  readonly clocks: { readonly core: number; readonly memory: number }
}

/** What is wrong with the pool in use, or being tried. */
interface SummaryDiagnosis {
  /** one of `TROUBLE_WORDS`; empty: nothing is known to be wrong */
  readonly trouble: string
  /** whole seconds since it began; 0 without trouble */
  readonly seconds: number
  /** how often it was seen */
  readonly count: number
  /** the pool's last answer, or the system's words */
  readonly answer: string
  /** what the operator can do */
  readonly action: string
}

/** The answer of GET /api/v1/summary. */
export interface Summary {
  readonly control: boolean
  readonly miner: {
    readonly name: 'headframe'
    readonly version: string
    readonly algorithm: 'xhash'
    readonly uptime: number
  }
  readonly pool: {
    readonly connected: boolean
    readonly host: string
    readonly url: string
    readonly difficulty: number
    readonly epoch: number
    readonly block: number
    readonly switches: number
    readonly warning: string
    /** always there; `trouble` is empty while nothing is known to be wrong */
    readonly diagnosis: SummaryDiagnosis
  }
  readonly hashrate: SummaryRates & { readonly effective: number }
  readonly shares: ShareCounts
  readonly gpus: readonly SummaryGpu[]
}

/** What the summary is made from. */
interface SummaryInput {
  /** what this instance permits, regardless of the caller */
  readonly control: boolean
  readonly version: string
  readonly miner: MinerSnapshot
  readonly devices: readonly DeviceSnapshot[]
}

/** The summary of the current state. */
export function buildSummary({ control, version, miner, devices }: SummaryInput): Summary {
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

function diagnosis({ source, takenAt }: MinerSnapshot): SummaryDiagnosis {
  if (source.diagnosis === null) return { trouble: '', seconds: 0, count: 0, answer: '', action: '' }
  const { trouble, since, count, answer } = source.diagnosis
  const seconds = Math.max(0, Math.floor((takenAt - since) / 1_000))
  return { trouble, seconds, count, answer, action: TROUBLE_WORDS[trouble].action }
}

function gpu(device: DeviceSnapshot): SummaryGpu {
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

function rates(rate: Hashrate): SummaryRates {
  return { now: finite(rate.now), '60s': finite(rate.s60), '15m': finite(rate.m15) }
}

/** JSON has no NaN, and this format no null. */
function finite(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : 0
}
