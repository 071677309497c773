// Finds a GPU's settings by its PCI address, whatever its maker.

import type { Logger } from '../../base/logger'
import { busIdOf, type Nvml } from '../../native/nvml'
import { findAmdCard } from '../sensors/amd-sysfs'
import { nvmlOnce } from '../sensors/gpu-sensors'
import { AmdCard, type SysfsWrite } from './amd-controls'
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

interface CardFinderDeps {
  /** Rejects with the reason when the library is missing. */
  readonly openNvml: () => Promise<Nvml>
  /** `/sys/class/drm` outside tests */
  readonly drmDir: string
  /** null when the system doesn't say */
  readonly isAdministrator: boolean | null
  readonly log: Logger
  /** writes AMD's files; default as is */
  readonly write?: SysfsWrite
}

/** Controls by PCI address. */
export class CardFinder {
  readonly #nvml: () => Promise<Nvml | null>

  constructor(private readonly deps: CardFinderDeps) {
    this.#nvml = nvmlOnce(deps.openNvml, deps.log)
  }

  /** Null for a GPU without settable knobs. @param pci `01:00.0`, or with its domain */
  async of(pci: string): Promise<CardControls | null> {
    const { drmDir: root, write, isAdministrator } = this.deps
    if (pci === '') return null
    if ((await findAmdCard(pci, root)) !== null)
      return new AmdCard(pci, write === undefined ? { root } : { root, write })
    const nvml = await this.#nvml()
    if (nvml === null) return null
    const card = new NvmlCard(pci, nvml, isAdministrator)
    try {
      await card.identity()
      return card
    } catch {
      return null // not one of NVIDIA's
    }
  }
}
