// The miner's options and events.
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { MiningHours } from '../config/values/mining-hours'
import type { XhashEngine } from '../native/xhash-port'
import type { DeviceBackend, TemperatureLimits } from './farm/device-backend'
import type { Ergodicity, FarmOptions } from './farm/farm'
import type { OwnDevicesOptions } from './farm/own-devices'
import type { SensorLevel, SensorSource } from './sensors/reading'
import type { DeviceSnapshot, MinerSnapshot, SettledShare } from './stats/snapshot'
import type { WorkSource } from './work-source'

type PassedOn = 'select' | 'sequentialBuilds' | 'doubleDatasets' | 'onGaveUp' | 'noEval'

export interface MinerServiceOptions extends OwnDevicesOptions, Pick<FarmOptions, PassedOn> {
  /** the program's version, as the API shows it */
  readonly version: string
  /** absolute path of the chart history; null: not stored */
  readonly historyFile: string | null
  /** absolute path of the timed pauses; null or absent: not stored */
  readonly pausesFile?: string | null
  /** segment width in bits, 10..63; default 40 */
  readonly segmentBits?: number
  /** when the first nonce is redrawn; default at startup only */
  readonly ergodicity?: Ergodicity
  /** target block time; default 600 */
  readonly blockSeconds?: number
  /** when devices mine; default always */
  readonly schedule?: readonly MiningHours[]
  /** temperature limits for every device; null (default): the device's own */
  readonly limits?: TemperatureLimits | null
  /** which sensors are read; default all */
  readonly sensors?: SensorLevel
}

/** What can be changed while the miner runs. */
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
  /** more kinds of devices, before the CPU in index order */
  readonly backends?: readonly DeviceBackend[]
  /** Sensors at a PCI address, for devices without their own; null if there are none. */
  readonly sensorsOf?: (pci: string) => SensorSource | null
}

/** Devices and totals once a second, shares as they are settled. */
export interface MinerEvents {
  /** at least once a second, and at each change of state or progress */
  devicesChanged: readonly DeviceSnapshot[]
  statusChanged: MinerSnapshot
  shareSettled: SettledShare
}
