// NVIDIA's sensors through the addon. Without addon, driver or card there are none, which isn't an error.
import { loadAddon } from './loader'

/** One device's values; null where it does not report one. */
export interface NvmlReading {
  /** Celsius */
  readonly coreCelsius: number | null
  readonly memoryCelsius: number | null
  readonly fanPercent: number | null
  readonly powerWatts: number | null
  readonly powerLimitWatts: number | null
  readonly coreMhz: number | null
  readonly memoryMhz: number | null
}

/** The values that one knob takes: watts, MHz or per cent. */
export interface NvmlRange {
  readonly least: number
  readonly most: number
  /** null where the card decides, or where the library does not tell, as with locked clocks */
  readonly now: number | null
  /** the card's own; null where it has no fixed one */
  readonly usual: number | null
}

/** What can be set of a device; null where it has no such knob. */
export interface NvmlControls {
  /** unlike any other card's, and the same after a restart; empty where the library does not tell */
  readonly identity: string
  /** watts */
  readonly power: NvmlRange | null
  /** MHz */
  readonly coreClock: NvmlRange | null
  /** MHz */
  readonly memoryClock: NvmlRange | null
  /** per cent, all fans together */
  readonly fan: NvmlRange | null
}

export interface Nvml {
  /**
   * Rejects when the library does not know the device or the device is lost; never settles when the driver hangs.
   * @param pci `01:00.0`, or with a domain `0001:01:00.0`
   */
  read(pci: string): Promise<NvmlReading>
  /** Ranges of what can be set; nothing is changed. Rejects as `read`. */
  controls(pci: string): Promise<NvmlControls>
  /**
   * Sets one knob.
   * @param value null: given back to the card
   * Rejects with the library's words: no rights, out of range, not supported.
   */
  set(pci: string, knob: Exclude<keyof NvmlControls, 'identity'>, value: number | null): Promise<void>
}

export interface NvmlOptions {
  /** absolute folder from which the addon's file is looked for, upwards: see loader.ts */
  readonly searchFrom: string
  /** the library's file; default the system's own */
  readonly library?: string
}

const DOMAIN_DIGITS = 8

/** @throws with the reason when the library cannot be used */
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

/** As the library writes addresses: `00000000:01:00.0`. @param pci `01:00.0`, or with a domain */
export function busIdOf(pci: string): string {
  const domain = pci.split(':').length === 3 ? (pci.split(':')[0] ?? '') : ''
  return `${domain.padStart(DOMAIN_DIGITS, '0')}:${pci.slice(domain === '' ? 0 : domain.length + 1)}`
}
