// NVIDIA's sensors through the addon. Without addon, driver or GPU there are none, which isn't an error.
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

/** The values of one knob: watts, MHz or percent. */
interface NvmlRange {
  readonly least: number
  readonly most: number
  /** null where the GPU decides, or where the library doesn't report it, as with locked clocks */
  readonly now: number | null
  /** the default; null where it isn't fixed */
  readonly usual: number | null
}

/** The adjustable settings of a device; null where it lacks a knob. */
interface NvmlControls {
  /** unique to this GPU and stable across restarts; empty where the library doesn't report it */
  readonly identity: string
  /** watts */
  readonly power: NvmlRange | null
  /** MHz */
  readonly coreClock: NvmlRange | null
  /** MHz */
  readonly memoryClock: NvmlRange | null
  /** percent, all fans together */
  readonly fan: NvmlRange | null
}

/** NVIDIA's management library, for reading sensors and setting knobs. */
export interface Nvml {
  /**
   * Rejects when the device is unknown to the library or lost; never settles when the driver hangs.
   * @param pci `01:00.0`, or with a domain `0001:01:00.0`
   */
  read(pci: string): Promise<NvmlReading>
  /** Ranges of the settings; changes nothing. Rejects like `read`. */
  controls(pci: string): Promise<NvmlControls>
  /**
   * Sets one knob.
   * @param value null: restore the default
   * Rejects with the library's message: no permission, out of range, not supported.
   */
  set(pci: string, knob: Exclude<keyof NvmlControls, 'identity'>, value: number | null): Promise<void>
}

/** Where the library is. */
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
