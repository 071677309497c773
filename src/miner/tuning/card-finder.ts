// Finds a GPU's settings by its PCI address, whatever its maker.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Nvml } from '../../native/nvml'
import { findAmdCard } from '../sensors/amd-sysfs'
import { AmdCard, type SysfsWrite } from './amd-controls'
import type { CardControls } from './card-controls'
import { NvmlCard } from './nvml-controls'

/** Where to search for GPUs. */
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
  #nvml: Promise<Nvml | null> | null = null

  constructor(private readonly deps: CardFinderDeps) {}

  /** Null for a GPU without settable knobs. @param pci `01:00.0`, or with its domain */
  async of(pci: string): Promise<CardControls | null> {
    const { drmDir: root, write, isAdministrator } = this.deps
    if (pci === '') return null
    if ((await findAmdCard(pci, root)) !== null)
      return new AmdCard(pci, write === undefined ? { root } : { root, write })
    this.#nvml ??= this.#open()
    const nvml = await this.#nvml
    if (nvml === null) return null
    const card = new NvmlCard(pci, nvml, isAdministrator)
    try {
      await card.identity()
      return card
    } catch {
      return null // not one of NVIDIA's
    }
  }

  async #open(): Promise<Nvml | null> {
    try {
      return await this.deps.openNvml()
    } catch (error: unknown) {
      this.deps.log.debug("NVIDIA's library isn't available", { error: messageOf(error) })
      return null
    }
  }
}
