// The power that a GPU draws while it is measured, from NVIDIA's management library.
const SAMPLE_MS = 500

export class PowerMeter {
  #watts = []
  #busy = Promise.resolve()
  #timer

  /** @param nvml null where there is none: then nothing is measured */
  constructor(addon, nvml, pci) {
    if (nvml === null || pci === '') return
    const busId = /^\w{4}:/.test(pci) ? `0000${pci}` : `00000000:${pci}`
    const sample = async () => {
      const { powerWatts } = await addon.readNvml(nvml, busId)
      if (Number.isFinite(powerWatts)) this.#watts.push(powerWatts)
    }
    this.#timer = setInterval(() => {
      // A GPU that can't be queried has no power figure, which the table shows.
      this.#busy = this.#busy.then(sample).catch(() => undefined)
    }, SAMPLE_MS)
  }

  /** @returns {Promise<number | null>} the mean, in watts */
  async stop() {
    clearInterval(this.#timer)
    await this.#busy
    if (this.#watts.length === 0) return null
    return this.#watts.reduce((sum, watts) => sum + watts, 0) / this.#watts.length
  }
}
