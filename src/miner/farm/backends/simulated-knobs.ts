// What can be set of a simulated card, and what that makes of its speed, its power and its clocks: the memory sets the pace
// as long as the core keeps up, and a core that would take more than the power limit runs slower.

const IDLE_WATTS = 18
const LOAD_WATTS = 165
const USUAL_CORE_MHZ = 1_710
const CORE_STEP_MHZ = 15
const USUAL_MEMORY_MHZ = 7_000
/** Parts of the power under load that come from being on, from the core (by the square of its clock) and from the memory. */
const POWER_PARTS = { base: 0.45, core: 0.4, memory: 0.15 }
/** Part of its usual clock at which the core still feeds the memory, and the slowest one. */
const CORE_NEEDED = 0.76
const CORE_LEAST = 0.35
const CLOCKS_AT_REST = { core: 210, memory: 405 }

export type SimulatedKnob = 'power' | 'memoryClock' | 'coreClock' | 'fan'

/** Watts, MHz, MHz and percent; null: left to the card. */
export type SimulatedSettings = Readonly<Record<SimulatedKnob, number | null>>

/** The least and the most that a knob takes. */
export const SIMULATED_RANGES: Readonly<Record<SimulatedKnob, { readonly least: number; readonly most: number }>> = {
  power: { least: 115, most: 220 },
  memoryClock: { least: 5_000, most: 7_500 },
  coreClock: { least: 600, most: 1_905 },
  fan: { least: 28, most: 100 },
}

export class SimulatedKnobs {
  #settings: SimulatedSettings = { power: null, memoryClock: null, coreClock: null, fan: null }

  /** @param seed makes cards differ a little: their position */
  constructor(private readonly seed: number) {}

  get settings(): SimulatedSettings {
    return this.#settings
  }

  /** @param value null: given back to the card */
  set(knob: SimulatedKnob, value: number | null): void {
    this.#settings = { ...this.#settings, [knob]: value }
  }

  get limitWatts(): number {
    return this.#settings.power ?? SIMULATED_RANGES.power.most
  }

  /** Of a card as it comes: 1. */
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

  /** Part of the usual clock. */
  get #memory(): number {
    return (this.#settings.memoryClock ?? USUAL_MEMORY_MHZ) / USUAL_MEMORY_MHZ
  }

  /** Part of the usual clock, as far as the power limit lets it. */
  get #core(): number {
    const wanted = (this.#settings.coreClock ?? this.#usualCore) / this.#usualCore
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
