// Simulated devices for computers without GPUs: they hash for real on the CPU, a little each, and their sensors are
// modeled. Always named "Simulated GPU", so that nobody mistakes their figures for a real GPU's.
import type { Clock } from '../../../base/time'
import type { XhashEngine } from '../../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import type { SensorReading } from '../../sensors/reading'
import { SharedDatasets } from '../datasets/shared-datasets'
import type { DetectedDevice, DeviceBackend, DeviceInfo, DeviceSink, Fault, TemperatureLimits } from '../device-backend'
import { SimulatedDevice } from './simulated-device'
import { SimulatedKnobs } from './simulated-knobs'

const AMBIENT = 27
/** Core °C above ambient per watt above idle, with the fan off. */
const WARMING = 0.36
/** Fraction of that removed by the fan at full speed. */
const FAN_EFFECT = 0.6
const HEAT_SECONDS = 12
const FAN_SECONDS = 3
/** The fan is off below this, and rises by this many percent per degree above. */
const FAN_FROM = 45
const FAN_LEAST = 28
const FAN_PER_DEGREE = 2.2
/** A simulated overheating: the fan is blocked and the case is hot. */
const BLOCKED_AMBIENT = AMBIENT + 24
/** Longest time step of the model, so that the computer's sleep doesn't distort it. */
const STEP_SECONDS = 1

/** The load: 0 = idle, 1 = full speed. */
type Load = () => number

class SimulatedSensors {
  #core: number
  #fan = 0
  #at: number
  isOverheating = false
  isLost = false

  /** @param seed makes GPUs differ slightly: their index */
  constructor(
    private readonly seed: number,
    private readonly deps: { readonly clock: Clock; readonly load: Load; readonly knobs: SimulatedKnobs },
  ) {
    this.#core = AMBIENT + (seed % 4)
    this.#at = deps.clock.monotonic()
  }

  /** @throws when a sensor failure is simulated */
  async read(): Promise<SensorReading> {
    this.#advance()
    if (this.isLost) throw new Error('sensors of the simulated device are lost')
    const { knobs } = this.deps
    const load = this.deps.load()
    const core = this.#core
    const clocks = knobs.clocks(load)
    return {
      temperature: { core: round(core), hotspot: round(core + 3 + 9 * load), memory: round(core + 4 + 12 * load) },
      fanPercent: round(this.#fan),
      powerWatts: round(this.#watts(load)),
      powerLimitWatts: knobs.limitWatts,
      clockMhz: { core: round(clocks.core), memory: round(clocks.memory) },
    }
  }

  #advance(): void {
    const now = this.deps.clock.monotonic()
    let left = Math.min(60, (now - this.#at) / 1_000)
    this.#at = now
    for (; left > 0; left -= STEP_SECONDS) this.#step(Math.min(STEP_SECONDS, left))
  }

  #step(seconds: number): void {
    const ambient = (this.isOverheating ? BLOCKED_AMBIENT : AMBIENT) + (this.seed % 4)
    const cooling = 1 - (FAN_EFFECT * this.#fan) / 100
    const target = ambient + (this.#watts(this.deps.load()) - this.deps.knobs.watts(0)) * WARMING * cooling
    this.#core += (target - this.#core) * (1 - Math.exp(-seconds / HEAT_SECONDS))
    const wanted = this.#core < FAN_FROM ? 0 : FAN_LEAST + (this.#core - FAN_FROM) * FAN_PER_DEGREE
    const fan = this.isOverheating ? 0 : Math.min(100, this.deps.knobs.settings.fan ?? wanted)
    this.#fan += (fan - this.#fan) * (1 - Math.exp(-seconds / FAN_SECONDS))
  }

  /** Fluctuates by a few watts, as real loads do. */
  #watts(load: number): number {
    const swing = 4 * load * Math.sin(this.deps.clock.monotonic() / 7_000 + this.seed)
    return Math.min(this.deps.knobs.limitWatts, this.deps.knobs.watts(load) + swing)
  }
}

function round(value: number): number {
  return Math.round(value)
}

/** As many as the largest rigs have. */
export const SIMULATED_LIMIT = 16
const NAME = 'Simulated GPU'
/** The share of one core that all of them together may use. */
const CORE_SHARE = 0.2
const LIMITS: TemperatureLimits = { stop: 85, start: 70 }

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
