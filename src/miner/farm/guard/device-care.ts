// A watchdog and a thermal guard for each device; their decisions are carried out here.

import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { SensorReading } from '../../sensors/reading'
import type { DetectedDevice, TemperatureLimits } from '../device-backend'
import type { DeviceSlot } from '../device-slot'
import { Watchdog } from './watchdog'

/** How much hotter other sensors may be than the core. */
const PLACES = [
  { name: 'core', above: 0 },
  { name: 'hotspot', above: 15 },
  { name: 'memory', above: 20 },
] as const
type Place = (typeof PLACES)[number]['name']

const SAMPLES = 2

/** The temperature state of one device. */
export class ThermalGuard {
  isHot: boolean
  /** consecutive samples that contradict `isHot` */
  #against = 0
  /** sensors that were too hot since the pause began: each must be seen cool before it ends */
  readonly #blamed = new Set<Place>()

  /** @param isHot the previous state */
  constructor(
    private readonly limits: TemperatureLimits,
    isHot = false,
  ) {
    this.isHot = isHot
  }

  /** Processes one sample; unknown sensors are ignored, so a sensor that vanishes while hot keeps the device paused. */
  observe({ temperature }: SensorReading): void {
    const { stop, start } = this.limits
    const hot = PLACES.filter(({ name, above }) => (temperature[name] ?? -Infinity) >= stop + above)
    if (!this.isHot) {
      this.#against = hot.length > 0 ? this.#against + 1 : 0
      if (hot.length === 0) this.#blamed.clear()
    } else {
      const isCool = PLACES.every(({ name, above }) => {
        const celsius = temperature[name]
        return celsius === null ? !this.#blamed.has(name) : celsius <= start + above
      })
      this.#against = isCool ? this.#against + 1 : 0
    }
    for (const { name } of hot) this.#blamed.add(name)
    if (this.#against < SAMPLES) return
    this.isHot = !this.isHot
    this.#against = 0
    if (!this.isHot) this.#blamed.clear()
  }
}

interface DeviceCareOptions {
  /** 0..1, see WatchdogOptions */
  readonly minRateFraction: number
  /** for every device; null: the device's own, if any */
  readonly limits: TemperatureLimits | null
  /** a device was disabled until the user restarts it */
  readonly onGaveUp: (device: number, reason: string) => void
}

interface SupervisedDevice {
  readonly slot: DeviceSlot
  readonly watchdog: Watchdog
  guard: ThermalGuard | null
  limits: TemperatureLimits | null
  /** the device's own limits, if any */
  readonly ownLimits: TemperatureLimits | null
}

/** Supervises the farm's devices. */
export class DeviceCare {
  readonly #supervised = new Map<number, SupervisedDevice>()

  #limits: TemperatureLimits | null

  constructor(
    private readonly options: DeviceCareOptions,
    private readonly deps: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#limits = options.limits
  }

  add(slot: DeviceSlot, detected: Pick<DetectedDevice, 'limits' | 'onProcessor'>): void {
    const ownLimits = detected.limits ?? null
    const limits = this.#limits ?? ownLimits
    const minRateFraction = detected.onProcessor === true ? 0 : this.options.minRateFraction
    const guard = limits === null ? null : new ThermalGuard(limits)
    this.#supervised.set(slot.index, { slot, watchdog: new Watchdog({ minRateFraction }), guard, limits, ownLimits })
  }

  /** Changes the limits of every device; an overheated one stays paused until it is cool by the new ones. */
  setLimits(limits: TemperatureLimits | null): void {
    this.#limits = limits
    for (const ward of this.#supervised.values()) {
      const isHot = ward.guard?.isHot ?? false
      ward.limits = limits ?? ward.ownLimits
      ward.guard = ward.limits === null ? null : new ThermalGuard(ward.limits, isHot)
      if (isHot && ward.guard === null) ward.slot.resume('Overheating')
    }
  }

  clear(): void {
    this.#supervised.clear()
  }

  /** Call it once a second. */
  tick(): void {
    const at = this.deps.clock.monotonic()
    for (const ward of this.#supervised.values()) {
      const { state, progress } = ward.slot
      this.#act(ward, ward.watchdog.observe(at, { state, progress, hashes: ward.slot.hashCount() }))
    }
  }

  /** A sensor sample of a device; unknown values when the sensors are lost. */
  sensorsRead(device: number, reading: SensorReading): void {
    const ward = this.#supervised.get(device)
    if (ward === undefined || ward.guard === null) return
    const wasHot = ward.guard.isHot
    ward.guard.observe(reading)
    if (ward.guard.isHot === wasHot) return
    const { core, hotspot, memory } = reading.temperature
    const figures = { device, core, hotspot, memory }
    if (wasHot) {
      this.deps.log.info('device has cooled down', figures)
      ward.slot.resume('Overheating')
    } else {
      this.deps.log.warn('device is too hot, pausing it', figures)
      ward.slot.pause('Overheating')
    }
  }

  /** The device reported that it can't continue. */
  deviceFailed(device: number, reason: string): void {
    const ward = this.#supervised.get(device)
    if (ward !== undefined) this.#act(ward, ward.watchdog.failed(this.deps.clock.monotonic(), reason))
  }

  /** The user restarts all devices. */
  forgive(): void {
    for (const { watchdog } of this.#supervised.values()) watchdog.forgive()
  }

  /** Restarts by the watchdog, not the user. */
  restarts(device: number): number {
    return this.#supervised.get(device)?.watchdog.restarts ?? 0
  }

  /** False: it should be searching but has finished nothing for a while. */
  responds(device: number): boolean {
    return this.#supervised.get(device)?.watchdog.responds(this.deps.clock.monotonic()) ?? true
  }

  /** Its limits for pausing and resuming; null: no temperature limit. */
  limits(device: number): TemperatureLimits | null {
    return this.#supervised.get(device)?.limits ?? null
  }

  #act({ slot, watchdog }: SupervisedDevice, verdict: ReturnType<Watchdog['observe']>): void {
    if (verdict === null) return
    const { reason } = verdict
    const device = slot.index
    if (verdict.kind === 'restart') {
      this.deps.log.warn('restarting device', { device, reason, restarts: watchdog.restarts })
      slot.restart()
    } else {
      this.deps.log.error('device keeps failing and stays off', { device, reason })
      slot.giveUp(reason)
      this.options.onGaveUp(device, reason)
    }
  }
}
