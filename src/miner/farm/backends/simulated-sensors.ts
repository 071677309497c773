// Sensors of a simulated GPU: temperature follows load, the fan follows temperature, both with inertia.
import type { Clock } from '../../../base/time'
import type { SensorReading } from '../../sensors/reading'
import type { SimulatedKnobs } from './simulated-knobs'

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

/** The sensors of one simulated GPU. */
export class SimulatedSensors {
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
