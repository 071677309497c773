// What a miner is made from, and what it tells while it runs.
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { MiningHours } from '../config/values/mining-hours'
import type { XhashEngine } from '../native/xhash-port'
import type { DeviceBackend, TemperatureLimits } from './farm/device-backend'
import type { Ergodicity, FarmOptions } from './farm/farm'
import type { OwnDevicesOptions } from './own-devices'
import type { SensorLevel, SensorSource } from './sensors/reading'
import type { DeviceSnapshot, MinerSnapshot, SettledShare } from './snapshot'
import type { WorkSource } from './work-source'

type PassedOn = 'select' | 'sequentialBuilds' | 'doubleDatasets' | 'onGaveUp' | 'noEval'

export interface MinerServiceOptions extends OwnDevicesOptions, Pick<FarmOptions, PassedOn> {
  /** the program's version, as the API shows it */
  readonly version: string
  /** where charts live between runs, absolute; null: nowhere */
  readonly historyFile: string | null
  /** where pauses that end by themselves live between runs, absolute; null or absent: nowhere */
  readonly pausesFile?: string | null
  /** width of nonce segments in bits, 10..63; default 40 */
  readonly segmentBits?: number
  /** when the first nonce is drawn again; default at start only */
  readonly ergodicity?: Ergodicity
  /** what the chain's difficulty aims at; default 600 */
  readonly blockSeconds?: number
  /** when devices mine; default always */
  readonly schedule?: readonly MiningHours[]
  /** temperatures for every device; null (default): what devices bring */
  readonly limits?: TemperatureLimits | null
  /** how much sensors tell; default all */
  readonly sensors?: SensorLevel
}

/** What can be changed of a miner that runs. */
export interface MinerChange
  extends Partial<Pick<MinerServiceOptions, 'limits' | 'schedule' | 'select' | 'cpuThreads'>> {}

export interface MinerServiceDeps {
  readonly source: WorkSource
  readonly engine: XhashEngine
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  /** 64 random bits */
  readonly random: () => bigint
  /** further kinds of devices, before the CPU in index order */
  readonly backends?: readonly DeviceBackend[]
  /** Sensors of a device that brings none itself, by its PCI address; null where there are none. */
  readonly sensorsOf?: (pci: string) => SensorSource | null
}

export interface MinerEvents {
  /** at least once a second, and at each change of state or progress */
  devicesChanged: readonly DeviceSnapshot[]
  statusChanged: MinerSnapshot
  shareSettled: SettledShare
}
