// The devices that need no driver: the CPU, and simulated ones, all of them in the computer's own memory.
import { cpus } from 'node:os'
import type { Clock } from '../base/time'
import type { XhashEngine } from '../native/xhash-port'
import { MinerError } from './errors'
import { CpuBackend } from './farm/backends/cpu-backend'
import type { Pace } from './farm/backends/paced-search'
import { SIMULATED_LIMIT, SimulatedBackend } from './farm/backends/simulated-backend'
import { SharedDatasets } from './farm/datasets/shared-datasets'
import type { DetectedDevice, DeviceBackend } from './farm/device-backend'
import { CpuHwmon } from './sensors/cpu-hwmon'
import { SimulatedCard } from './simulated-card'

export interface OwnDevicesOptions {
  /** threads of the CPU device, 1..256; null: the CPU does not mine */
  readonly cpuThreads: number | null
  /** the most that all threads of the CPU hash; absent: as fast as they go */
  readonly cpuPace?: Pace
  /** Linux' hwmon tree; default `/sys/class/hwmon` */
  readonly hwmonDir?: string
  /** devices that exist in software only, 0..16; null: there may be none, now or later */
  readonly simulatedGpus?: number | null
  /** of the computer; absent: not known */
  readonly memoryBytes?: number
  /** bytes that datasets in the computer's own memory can have; null: not known, which is the default */
  readonly freeBytes?: () => number | null
}

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

  /** Null where no simulated device is. @param pci `f000:01:00.0` */
  simulatedCard(pci: string): SimulatedCard | null {
    const knobs = this.#simulated?.knobsOf(pci) ?? null
    return knobs === null ? null : new SimulatedCard(pci, knobs)
  }

  /** Plugs in further simulated devices. @throws MinerError DEVICE_SIMULATION_REFUSED, DEVICE_SIMULATION_FULL */
  addSimulated(count: number): readonly DetectedDevice[] {
    if (this.#simulated === null) throw new MinerError('DEVICE_SIMULATION_REFUSED', undefined)
    const devices = this.#simulated.add(count)
    if (devices.length === 0) throw new MinerError('DEVICE_SIMULATION_FULL', { most: SIMULATED_LIMIT })
    return devices
  }
}
