// Settings of NVIDIA GPUs, through their management library.
import { busIdOf, type Nvml } from '../../native/nvml'
import { type CardControls, type CardKnobs, type CardSettings, KNOBS, type Knob, knobsOf } from './card-controls'

/** The knobs of one NVIDIA GPU. */
export class NvmlCard implements CardControls {
  /** @param isAdministrator null when the system doesn't say */
  constructor(
    readonly pci: string,
    private readonly nvml: Pick<Nvml, 'controls' | 'set'>,
    private readonly isAdministrator: boolean | null,
  ) {}

  async identity(): Promise<string> {
    return (await this.nvml.controls(this.pci)).identity
  }

  async knobs(): Promise<CardKnobs> {
    const found = await this.nvml.controls(this.pci)
    return Object.fromEntries(
      KNOBS.flatMap((knob) => {
        const range = found[knob]
        return range === null ? [] : [[knob, { ...range, allowed: this.isAdministrator }]]
      }),
    )
  }

  set(knob: Knob, value: number | null): Promise<void> {
    return this.nvml.set(this.pci, knob, value)
  }

  /** The driver's own tool can't set fans: this program does, as administrator. */
  commands(settings: CardSettings): readonly string[] {
    return knobsOf(settings).map((knob) => {
      const value = settings[knob] ?? null
      const tool = `sudo nvidia-smi -i ${busIdOf(this.pci)}`
      const program = `sudo headframe tune ${value === null ? 'reset' : 'set'} ${this.pci}`
      if (knob === 'coreClock') return value === null ? `${tool} -rgc` : `${tool} -lgc ${value},${value}`
      if (knob === 'memoryClock') return value === null ? `${tool} -rmc` : `${tool} -lmc ${value},${value}`
      if (knob === 'power' && value !== null) return `${tool} -pl ${value}`
      return value === null ? program : `${program} ${knob}=${value}`
    })
  }
}
