// A simulated device's knobs behind the tuning port, so that tuning can be tried without a GPU.
import type { SimulatedKnobs } from './farm/backends/simulated-knobs'
import { SIMULATED_RANGES } from './farm/backends/simulated-knobs'
import { type CardControls, type CardKnobs, KNOBS, type Knob } from './tuning/card-controls'

/** The knobs of one simulated device. */
export class SimulatedCard implements CardControls {
  constructor(
    readonly pci: string,
    private readonly simulated: SimulatedKnobs,
  ) {}

  async identity(): Promise<string> {
    return `simulated ${this.pci}`
  }

  async knobs(): Promise<CardKnobs> {
    const { settings, limitWatts } = this.simulated
    return Object.fromEntries(
      KNOBS.map((knob) => {
        const isPower = knob === 'power'
        const now = isPower ? limitWatts : settings[knob]
        const usual = isPower ? SIMULATED_RANGES.power.most : null
        return [knob, { ...SIMULATED_RANGES[knob], now, usual, allowed: true }]
      }),
    )
  }

  async set(knob: Knob, value: number | null): Promise<void> {
    this.simulated.set(knob, value)
  }

  /** Nothing outside this program could change it. */
  commands(): readonly string[] {
    return []
  }
}
