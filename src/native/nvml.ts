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

export interface Nvml {
  /**
   * Rejects when the library does not know the device or the device is lost; never settles when the driver hangs.
   * @param pci `01:00.0`, or with a domain `0001:01:00.0`
   */
  read(pci: string): Promise<NvmlReading>
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
  return { read: (pci) => addon.readNvml(nvml, busIdOf(pci)) }
}

function systemLibrary(): string {
  return process.platform === 'win32' ? 'nvml.dll' : 'libnvidia-ml.so.1'
}

function busIdOf(pci: string): string {
  const domain = pci.split(':').length === 3 ? (pci.split(':')[0] ?? '') : ''
  return `${domain.padStart(DOMAIN_DIGITS, '0')}:${pci.slice(domain === '' ? 0 : domain.length + 1)}`
}
