// Simulated devices for computers without GPUs: they hash for real on the CPU, a little each, and their sensors are
// modeled. Always named "Simulated GPU", so that nobody mistakes their figures for a real GPU's.
import type { Clock } from '../../../base/time'
import type { XhashEngine } from '../../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import { SharedDatasets } from '../datasets/shared-datasets'
import type { DetectedDevice, DeviceBackend, DeviceInfo, DeviceSink, Fault, TemperatureLimits } from '../device-backend'
import { SimulatedDevice } from './simulated-device'
import { SimulatedKnobs } from './simulated-knobs'
import { SimulatedSensors } from './simulated-sensors'

/** As many as the largest rigs have. */
export const SIMULATED_LIMIT = 16
const NAME = 'Simulated GPU'
/** The share of one core that all of them together may use. */
const CORE_SHARE = 0.2
const LIMITS: TemperatureLimits = { stop: 85, start: 70 }

/** What simulated devices use. */
interface SimulatedBackendDeps {
  readonly engine: XhashEngine
  readonly clock: Clock
  /** shared with other devices in the same memory; default: only with each other */
  readonly datasets?: SharedDatasets
  /** of the computer; absent: unknown */
  readonly memoryBytes?: number
}

/** The backend of simulated devices. */
export class SimulatedBackend implements DeviceBackend {
  readonly kind = 'simulated'
  readonly #datasets: SharedDatasets
  readonly #devices: DetectedDevice[] = []
  readonly #knobs: SimulatedKnobs[] = []

  /** @param count initial number of devices, 0..16 */
  constructor(
    count: number,
    private readonly deps: SimulatedBackendDeps,
  ) {
    this.#datasets = deps.datasets ?? new SharedDatasets(deps.engine, { threads: 1 })
    this.#append(count)
  }

  async detect(): Promise<readonly DetectedDevice[]> {
    return [...this.#devices]
  }

  /** Adds devices, up to 16 in all, and returns the new ones. They persist across a restart of the miner. */
  add(count: number): readonly DetectedDevice[] {
    const before = this.#devices.length
    this.#append(count)
    return this.#devices.slice(before)
  }

  /** The knobs of the device there; null when there is none. @param pci `f000:01:00.0` */
  knobsOf(pci: string): SimulatedKnobs | null {
    return this.#knobs[this.#devices.findIndex((device) => device.info.pci === pci)] ?? null
  }

  #append(count: number): void {
    const end = Math.min(SIMULATED_LIMIT, this.#devices.length + count)
    while (this.#devices.length < end) this.#devices.push(this.#newDevice(this.#devices.length))
  }

  #newDevice(position: number): DetectedDevice {
    const { engine, clock, memoryBytes } = this.deps
    let open: SimulatedDevice | null = null
    let isShortOfMemory = false
    const load = (): number => open?.load ?? 0
    const knobs = new SimulatedKnobs(position)
    this.#knobs.push(knobs)
    const sensors = new SimulatedSensors(position, { clock, load, knobs })
    const checkMemory = (epoch: number): void => {
      if (!isShortOfMemory) return
      const neededBytes = datasetBytes(engine.params, epoch) + cacheBytes(engine.params, epoch)
      throw new MinerError('DEVICE_OUT_OF_MEMORY', { neededBytes, freeBytes: 0 })
    }
    return {
      info: infoOf(position),
      sensors,
      onProcessor: true,
      limits: LIMITS,
      driver: 'none: it hashes on the CPU',
      ...(memoryBytes !== undefined && { memoryBytes }),
      open: (sink: DeviceSink) => {
        const share = (): number => CORE_SHARE / this.#devices.length
        const speed = (): number => knobs.speed
        open = new SimulatedDevice(sink, { engine, clock, datasets: this.#datasets, share, speed, checkMemory })
        return open
      },
      simulateFault: (fault: Fault) => {
        sensors.isOverheating = fault === 'overheat'
        sensors.isLost = fault === 'sensor-lost'
        isShortOfMemory = fault === 'out-of-memory'
        open?.suffer(fault)
      },
    }
  }
}

/** In a PCI domain of its own, where no real device is. */
function infoOf(position: number): DeviceInfo {
  const bus = (position + 1).toString(16).padStart(2, '0')
  return { name: NAME, pci: `f000:${bus}:00.0`, backend: 'simulated', threads: null }
}
