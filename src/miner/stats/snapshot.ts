// The miner's state at one moment. Everything that shows numbers (summary, metrics, UI) reads these snapshots; nothing
// else counts.
import type { PauseReason } from '../farm/pauses/pause-reasons'
import type { PoolDiagnosis } from '../pool-trouble'
import type { SensorReading } from '../sensors/reading'
import type { RingSlice } from './history-ring'

/** H/s over the windows of the mining API. */
export interface Hashrate {
  readonly now: number
  readonly s60: number
  readonly m15: number
}

/** The three counters of the mining API. */
export interface ShareCounts {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
}

export type DeviceState = 'starting' | 'compiling' | 'building' | 'mining' | 'waiting' | 'paused' | 'error'
/** How a device is driven. */
export type BackendKind = 'cpu' | 'opencl' | 'cuda' | 'simulated'

/** Sensor members are null when the device doesn't report them. */
export interface DeviceSnapshot extends SensorReading {
  readonly index: number
  readonly name: string
  /** `01:00.0`; empty for a CPU */
  readonly pci: string
  readonly backend: BackendKind
  readonly threads: number | null
  readonly state: DeviceState
  /** 0..1 while building its dataset, otherwise null */
  readonly progress: number | null
  readonly hashrate: Hashrate
  /** mean of the power readings within the window of `hashrate.s60`; null when there are none */
  readonly meanPowerWatts: number | null
  readonly shares: ShareCounts
  readonly paused: boolean
  /** in the fixed order of `pause-reasons.ts`; empty exactly when not paused */
  readonly pauseReasons: readonly PauseReason[]
  /** `resume` can lift one of the reasons */
  readonly canResume: boolean
  /** what went wrong in state `error`; empty otherwise */
  readonly error: string
  /** watchdog restarts since startup */
  readonly restarts: number
  /** UTC ms at which an API pause ends; null when it lasts until `resume` or there is none */
  readonly pauseEndsAt: number | null
  readonly datasetBytes: number | null
  /** false: it should be working but has finished nothing for longer than a batch takes */
  readonly responds: boolean
  /** H/s that its accepted shares of the last 15 min account for; null in the first two minutes */
  readonly effectiveHashrate: number | null
  /** hashes finished since startup; never decreases */
  readonly hashes: number
  /** median H/s while it mined, of the last day or else week; null while less than half an hour is known */
  readonly usualHashrate: number | null
  /** core °C at which it pauses and resumes; null: no temperature limit */
  readonly temperatureLimits: { readonly stop: number; readonly start: number } | null
  /** UTC ms */
  readonly takenAt: number
}

/** The miner's totals, and its source of work. */
export interface MinerSnapshot {
  readonly state: 'off' | 'running' | 'failed'
  /** whole seconds since startup, monotonic clock */
  readonly uptimeSeconds: number
  /** effective: null while undefined (the first two minutes) */
  readonly hashrate: Hashrate & { readonly effective: number | null }
  readonly shares: ShareCounts
  readonly source: {
    readonly kind: 'solo' | 'pool' | 'none'
    readonly connected: boolean
    readonly host: string
    readonly url: string
    /** expected hashes per share of the current job; null without a job */
    readonly difficulty: number | null
    readonly epoch: number | null
    readonly height: number | null
    readonly switches: number
    readonly warning: string
    readonly diagnosis: PoolDiagnosis | null
  }
  /** the last accepted share; `at` in UTC ms */
  readonly lastProof: { readonly at: number; readonly device: number } | null
  /** shares that the hashes since then (since startup without one) find on average */
  readonly expectedSinceProof: number
  /** UTC ms */
  readonly takenAt: number
}

/** `failed`: a wrong result, which isn't sent. `lost`: never answered, or couldn't be sent. */
export type ShareOutcome = 'accepted' | 'rejected' | 'failed' | 'stale' | 'lost'

/** One line of the share ledger. */
export interface SettledShare {
  /** UTC ms */
  readonly at: number
  readonly device: number
  /** `host:port`; empty for our own node's work */
  readonly pool: string
  readonly jobId: string
  readonly height: number | null
  /** of the job: expected hashes per share */
  readonly jobDifficulty: number
  /** of this very hash; null for a failed solution */
  readonly ownDifficulty: number | null
  readonly outcome: ShareOutcome
  /** the reason unless `accepted`; empty otherwise */
  readonly reason: string
  readonly latencyMs: number | null
  readonly epoch: number
  readonly nonce: bigint
}

export const SERIES = [
  'hashrate',
  'core',
  'hotspot',
  'memory',
  'fan',
  'power',
  'coreClock',
  'memoryClock',
  'effective',
] as const
type Series = (typeof SERIES)[number]
/** A chart's window. */
export type HistoryWindow = '10m' | '1h' | '24h' | '7d'

/** Which chart to read. */
export interface HistoryQuery {
  /** null: totals over all devices (hashrate, effective and power only) */
  readonly device: number | null
  readonly series: Series
  readonly window: HistoryWindow
}

/** Point i covers [firstAt + i * stepMs, + stepMs); null when nothing was recorded. `values` are means. */
export interface HistorySlice extends RingSlice {
  readonly stepMs: number
}
