// When a device is too hot and when it has cooled down: hysteresis on three places, two samples in a row.
import type { SensorReading } from '../../sensors/reading'
import type { TemperatureLimits } from '../device-backend'

/** Other places may be hotter than the core by so much. */
const PLACES = [
  { name: 'core', above: 0 },
  { name: 'hotspot', above: 15 },
  { name: 'memory', above: 20 },
] as const
type Place = (typeof PLACES)[number]['name']

const SAMPLES = 2

export class ThermalGuard {
  #isHot: boolean
  /** samples in a row that say the opposite of `isHot` */
  #against = 0
  /** places that were too hot since the pause began: each must be seen cool before it ends */
  readonly #blamed = new Set<Place>()

  /** @param isHot what is known of it already */
  constructor(
    private readonly limits: TemperatureLimits,
    isHot = false,
  ) {
    this.#isHot = isHot
  }

  get isHot(): boolean {
    return this.#isHot
  }

  /** One sample; unknown places say nothing, so a sensor that vanishes while hot keeps the device paused. */
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
