// Finds a GPU's sensors by its PCI address, whatever its maker: NVIDIA's library first, then AMD's sysfs.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Nvml } from '../../native/nvml'
import { AmdSysfs } from './amd-sysfs'
import { NO_READING, type SensorReading, type SensorSource } from './reading'

interface GpuSensorsDeps {
  /** Rejects with the reason when the library is missing. */
  readonly openNvml: () => Promise<Nvml>
  /** `/sys/class/drm` outside tests */
  readonly drmDir: string
  readonly log: Logger
}

/** Sensor sources by PCI address. */
export class GpuSensors {
  readonly #nvml: () => Promise<Nvml | null>

  constructor(private readonly deps: GpuSensorsDeps) {
    this.#nvml = nvmlOnce(deps.openNvml, deps.log)
  }

  /** @param pci `01:00.0`, or with its domain */
  of(pci: string): SensorSource {
    const amd = new AmdSysfs(pci, this.deps.drmDir)
    let chosen: SensorSource | null = null
    return {
      read: async () => {
        if (chosen !== null) return chosen.read()
        const first = await this.#first(pci, amd)
        chosen = first.source
        return first.reading
      },
    }
  }

  /** Whichever of the two knows the GPU. @throws both errors when neither does */
  async #first(pci: string, amd: SensorSource): Promise<{ source: SensorSource; reading: SensorReading }> {
    const nvml = await this.#nvml()
    if (nvml === null) return { source: amd, reading: await amd.read() }
    const source: SensorSource = { read: async () => readingOf(await nvml.read(pci)) }
    try {
      return { source, reading: await source.read() }
    } catch (error: unknown) {
      const reading = await amd.read().catch(() => null)
      if (reading !== null) return { source: amd, reading }
      throw error
    }
  }
}

/** NVIDIA's library, opened when it is first needed; null: it isn't available. */
export function nvmlOnce(open: () => Promise<Nvml>, log: Logger): () => Promise<Nvml | null> {
  let opened: Promise<Nvml | null> | null = null
  return () => {
    opened ??= open().catch((error: unknown) => {
      log.debug("NVIDIA's library isn't available", { error: messageOf(error) })
      return null
    })
    return opened
  }
}

/** NVIDIA's library doesn't report a hotspot. */
function readingOf(nvml: Awaited<ReturnType<Nvml['read']>>): SensorReading {
  return {
    ...NO_READING,
    temperature: { core: nvml.coreCelsius, hotspot: null, memory: nvml.memoryCelsius },
    fanPercent: nvml.fanPercent,
    powerWatts: nvml.powerWatts,
    powerLimitWatts: nvml.powerLimitWatts,
    clockMhz: { core: nvml.coreMhz, memory: nvml.memoryMhz },
  }
}
