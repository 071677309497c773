// Devices without a driver: the CPU, and simulated ones, all in main memory.
import { cpus } from 'node:os'
import type { Clock } from '../../base/time'
import type { XhashEngine } from '../../native/xhash-port'
import { MinerError } from '../errors'
import { CpuHwmon } from '../sensors/cpu-hwmon'
import { SimulatedCard } from '../simulated-card'
import { CpuBackend } from './backends/cpu-backend'
import type { Pace } from './backends/paced-search'
import { SIMULATED_LIMIT, SimulatedBackend } from './backends/simulated-backend'
import { SharedDatasets } from './datasets/shared-datasets'
import type { DetectedDevice, DeviceBackend } from './device-backend'

/** Their options. */
export interface OwnDevicesOptions {
  /** threads of the CPU device, 1..256; null: the CPU doesn't mine */
  readonly cpuThreads: number | null
  /** rate limit over all CPU threads; absent: unlimited */
  readonly cpuPace?: Pace
  /** Linux's hwmon tree; default `/sys/class/hwmon` */
  readonly hwmonDir?: string
  /** simulated devices, 0..16; null: none allowed, now or later */
  readonly simulatedGpus?: number | null
  /** of the computer; absent: unknown */
  readonly memoryBytes?: number
  /** bytes available to datasets in main memory; null: unknown, which is the default */
  readonly freeBytes?: () => number | null
}

/** The CPU and simulated backends. */
export class OwnDevices {
  /** In index order. */
  readonly backends: readonly DeviceBackend[]
  readonly cpu: CpuBackend
  readonly #simulated: SimulatedBackend | null

  constructor(options: OwnDevicesOptions, { engine, clock }: { readonly engine: XhashEngine; readonly clock: Clock }) {
    const { cpuThreads, cpuPace, simulatedGpus = null, memoryBytes, freeBytes } = options
    const datasets = new SharedDatasets(engine, { threads: cpuThreads ?? 1, ...(freeBytes && { freeBytes }) })
    const memory = memoryBytes === undefined ? {} : { memoryBytes }
    const sensors = new CpuHwmon(options.hwmonDir ?? '/sys/class/hwmon')
    const name = cpus()[0]?.model.trim() || 'CPU'
    const paced = cpuPace === undefined ? {} : { paced: { pace: cpuPace, clock } }
    this.cpu = new CpuBackend({ name, threads: cpuThreads, sensors, ...memory, ...paced }, engine, datasets)
    this.#simulated =
      simulatedGpus === null ? null : new SimulatedBackend(simulatedGpus, { engine, clock, datasets, ...memory })
    this.backends = [this.cpu, ...(this.#simulated === null ? [] : [this.#simulated])]
  }

  /** Null when there is no simulated device. @param pci `f000:01:00.0` */
  simulatedCard(pci: string): SimulatedCard | null {
    const knobs = this.#simulated?.knobsOf(pci) ?? null
    return knobs === null ? null : new SimulatedCard(pci, knobs)
  }

  /** Adds simulated devices. @throws MinerError DEVICE_SIMULATION_REFUSED, DEVICE_SIMULATION_FULL */
  addSimulated(count: number): readonly DetectedDevice[] {
    if (this.#simulated === null) throw new MinerError('DEVICE_SIMULATION_REFUSED', undefined)
    const devices = this.#simulated.add(count)
    if (devices.length === 0) throw new MinerError('DEVICE_SIMULATION_FULL', { most: SIMULATED_LIMIT })
    return devices
  }
}
