// NVIDIA's sensors through the addon. Without addon, driver or GPU there are none, which isn't an error.
import type { NvmlControls, NvmlReading } from './addon'
import { loadAddon } from './loader'

/** NVIDIA's management library, for reading sensors and setting knobs. */
export interface Nvml {
  /**
   * Rejects when the device is unknown to the library or lost; never settles when the driver hangs.
   * @param pci `01:00.0`, or with a domain `0001:01:00.0`
   */
  read(pci: string): Promise<NvmlReading>
  /** Ranges of the settings; changes nothing. Rejects like `read`. */
  controls(pci: string): Promise<NvmlControls>
  /** @param value null: restore the default. Rejects with the library's message: no permission, out of range. */
  set(pci: string, knob: Exclude<keyof NvmlControls, 'identity'>, value: number | null): Promise<void>
}

interface NvmlOptions {
  /** absolute folder from which the addon's file is searched upwards: see loader.ts */
  readonly searchFrom: string
  /** the library's file; default the system's */
  readonly library?: string
}

const DOMAIN_DIGITS = 8

/** @throws with the reason when the library can't be used */
export async function openNvml({ searchFrom, library }: NvmlOptions): Promise<Nvml> {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) throw new Error(loaded.error)
  const { addon } = loaded
  const nvml = await addon.openNvml(library ?? systemLibrary())
  return {
    read: (pci) => addon.readNvml(nvml, busIdOf(pci)),
    controls: (pci) => addon.readNvmlControls(nvml, busIdOf(pci)),
    set: (pci, knob, value) => addon.setNvml(nvml, busIdOf(pci), knob, value),
  }
}

function systemLibrary(): string {
  return process.platform === 'win32' ? 'nvml.dll' : 'libnvidia-ml.so.1'
}

/** In the library's notation: `00000000:01:00.0`. @param pci `01:00.0`, or with a domain */
export function busIdOf(pci: string): string {
  const domain = pci.split(':').length === 3 ? (pci.split(':')[0] ?? '') : ''
  return `${domain.padStart(DOMAIN_DIGITS, '0')}:${pci.slice(domain === '' ? 0 : domain.length + 1)}`
}
