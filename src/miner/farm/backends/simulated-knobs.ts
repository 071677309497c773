// The knobs of a simulated GPU, and their effect on speed, power and clocks: the memory clock determines the speed as
// long as the core keeps up, and a core that would exceed the power limit runs slower.

const IDLE_WATTS = 18
const LOAD_WATTS = 165
const USUAL_CORE_MHZ = 1_710
const CORE_STEP_MHZ = 15
const USUAL_MEMORY_MHZ = 7_000
/** Shares of full-load power: idle, core (quadratic in its clock) and memory. */
const POWER_PARTS = { base: 0.45, core: 0.4, memory: 0.15 }
/** Fraction of the stock core clock that still feeds the memory, and the minimum. */
const CORE_NEEDED = 0.76
const CORE_LEAST = 0.35
const CLOCKS_AT_REST = { core: 210, memory: 405 }

type SimulatedKnob = 'power' | 'memoryClock' | 'coreClock' | 'fan'

/** Watts, MHz, MHz and percent; null: automatic. */
type SimulatedSettings = Readonly<Record<SimulatedKnob, number | null>>

/** Minimum and maximum of each knob. */
export const SIMULATED_RANGES: Readonly<Record<SimulatedKnob, { readonly least: number; readonly most: number }>> = {
  power: { least: 115, most: 220 },
  memoryClock: { least: 5_000, most: 7_500 },
  coreClock: { least: 600, most: 1_905 },
  fan: { least: 28, most: 100 },
}

/** The settings of one simulated GPU. */
export class SimulatedKnobs {
  settings: SimulatedSettings = { power: null, memoryClock: null, coreClock: null, fan: null }

  /** @param seed makes GPUs differ slightly: their index */
  constructor(private readonly seed: number) {}

  /** @param value null: automatic */
  set(knob: SimulatedKnob, value: number | null): void {
    this.settings = { ...this.settings, [knob]: value }
  }

  get limitWatts(): number {
    return this.settings.power ?? SIMULATED_RANGES.power.most
  }

  /** With stock settings: 1. */
  get speed(): number {
    return this.#memory * Math.min(1, this.#core / CORE_NEEDED)
  }

  /** @param load 0..1 */
  watts(load: number): number {
    return IDLE_WATTS + (this.#fullWatts(this.#core) - IDLE_WATTS) * load
  }

  /** MHz. @param load 0..1 */
  clocks(load: number): { readonly core: number; readonly memory: number } {
    if (load === 0) return CLOCKS_AT_REST
    return { core: this.#core * this.#usualCore, memory: this.#memory * USUAL_MEMORY_MHZ }
  }

  get #usualCore(): number {
    return USUAL_CORE_MHZ - CORE_STEP_MHZ * (this.seed % 5)
  }

  /** Fraction of the stock clock. */
  get #memory(): number {
    return (this.settings.memoryClock ?? USUAL_MEMORY_MHZ) / USUAL_MEMORY_MHZ
  }

  /** Fraction of the stock clock, as far as the power limit permits. */
  get #core(): number {
    const wanted = (this.settings.coreClock ?? this.#usualCore) / this.#usualCore
    if (this.#fullWatts(wanted) <= this.limitWatts) return wanted
    const left = (this.limitWatts - IDLE_WATTS) / (LOAD_WATTS - IDLE_WATTS) - this.#partsBesideCore
    return Math.max(CORE_LEAST, Math.sqrt(Math.max(0, left) / POWER_PARTS.core))
  }

  get #partsBesideCore(): number {
    return POWER_PARTS.base + POWER_PARTS.memory * this.#memory
  }

  #fullWatts(core: number): number {
    const parts = this.#partsBesideCore + POWER_PARTS.core * core ** 2
    return IDLE_WATTS + (LOAD_WATTS - IDLE_WATTS) * parts
  }
}
