// Detects overheating and cooling down: hysteresis on three sensors, two consecutive samples.
import type { SensorReading } from '../../sensors/reading'
import type { TemperatureLimits } from '../device-backend'

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
  #isHot: boolean
  /** consecutive samples that contradict `isHot` */
  #against = 0
  /** sensors that were too hot since the pause began: each must be seen cool before it ends */
  readonly #blamed = new Set<Place>()

  /** @param isHot the previous state */
  constructor(
    private readonly limits: TemperatureLimits,
    isHot = false,
  ) {
    this.#isHot = isHot
  }

  get isHot(): boolean {
    return this.#isHot
  }

  /** Processes one sample; unknown sensors are ignored, so a sensor that vanishes while hot keeps the device paused. */
  observe({ temperature }: SensorReading): void {
    const { stop, start } = this.limits
    const hot = PLACES.filter(({ name, above }) => (temperature[name] ?? -Infinity) >= stop + above)
    if (!this.#isHot) {
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
    this.#isHot = !this.#isHot
    this.#against = 0
    if (!this.#isHot) this.#blamed.clear()
  }
}
