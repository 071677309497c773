// A compact form of a rig's figures for thousands of rigs: all numbers in one array, equal strings shared.
import type { RigFigures, RigGpu } from './rig-figures'

/** Numbers of the rig and of one GPU; booleans are stored as 1 or 0. */
const WHOLE_NUMBERS = 11
const NUMBERS = 15
const WHOLE_TEXTS = 3
const TEXTS = 4
/** Distinct strings remembered for sharing; models, slots and reasons are few. */
const MAX_SHARED = 4_096

/** Numbers of the rig, then of each GPU; its texts in the same order. */
export interface PackedFigures {
  readonly numbers: Float64Array
  readonly texts: readonly string[]
}

/** Packs the figures of many rigs and stores equal strings once. */
export class FiguresPacker {
  readonly #shared = new Map<string, string>()

  /** @param place obsolete figures of the same rig: their memory is reused if it fits */
  pack(figures: RigFigures, place: PackedFigures | null = null): PackedFigures {
    const { gpus, version, pool } = figures
    const length = WHOLE_NUMBERS + gpus.length * NUMBERS
    const numbers = place?.numbers.length === length ? place.numbers : new Float64Array(length)
    numbers.set(numbersOfWhole(figures))
    gpus.forEach((gpu, index) => void numbers.set(numbersOf(gpu), WHOLE_NUMBERS + index * NUMBERS))
    const words = [version, pool.host, pool.warning].concat(
      gpus.flatMap(({ name, pci, backend, pauseReason }) => [name, pci, backend, pauseReason]),
    )
    const isSame = place?.texts.length === words.length && words.every((word, index) => word === place.texts[index])
    return { numbers, texts: isSame ? place.texts : words.map((word) => this.#share(word)) }
  }

  #share(text: string): string {
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    if (this.#shared.size < MAX_SHARED) this.#shared.set(text, text)
    return text
  }
}

/** The inverse of packing. */
export function unpackFigures({ numbers, texts }: PackedFigures): RigFigures {
  const at = (place: number): number => numbers[place] ?? 0
  const [version = '', host = '', warning = ''] = texts
  const count = (numbers.length - WHOLE_NUMBERS) / NUMBERS
  return {
    control: at(0) === 1,
    version,
    uptimeSeconds: at(1),
    pool: { connected: at(2) === 1, host, warning },
    hashrate: { now: at(3), s60: at(4), m15: at(5), effective: at(6) },
    shares: { accepted: at(7), rejected: at(8), failed: at(9) },
    powerWatts: at(10),
    gpus: Array.from({ length: count }, (_, index) => gpuOf(index, numbers, texts)),
  }
}

function numbersOfWhole({ control, uptimeSeconds, pool, hashrate, shares, powerWatts }: RigFigures): readonly number[] {
  return [
    ...[control ? 1 : 0, uptimeSeconds, pool.connected ? 1 : 0],
    ...[hashrate.now, hashrate.s60, hashrate.m15, hashrate.effective],
    ...[shares.accepted, shares.rejected, shares.failed, powerWatts],
  ]
}

function numbersOf({ hashrate, shares, temperature, clockMhz, ...gpu }: RigGpu): readonly number[] {
  return [
    ...[hashrate.now, hashrate.s60, hashrate.m15, shares.accepted, shares.rejected, shares.failed],
    ...[temperature.core, temperature.hotspot, temperature.memory, gpu.fanPercent, gpu.powerWatts, gpu.powerLimitWatts],
    ...[clockMhz.core, clockMhz.memory, gpu.paused ? 1 : 0],
  ]
}

function gpuOf(index: number, numbers: Float64Array, texts: readonly string[]): RigGpu {
  const at = (place: number): number => numbers[WHOLE_NUMBERS + index * NUMBERS + place] ?? 0
  const textsAt = WHOLE_TEXTS + index * TEXTS
  const [name = '', pci = '', backend = '', pauseReason = ''] = texts.slice(textsAt, textsAt + TEXTS)
  return {
    name,
    pci,
    backend,
    pauseReason,
    paused: at(14) === 1,
    hashrate: { now: at(0), s60: at(1), m15: at(2) },
    shares: { accepted: at(3), rejected: at(4), failed: at(5) },
    temperature: { core: at(6), hotspot: at(7), memory: at(8) },
    fanPercent: at(9),
    powerWatts: at(10),
    powerLimitWatts: at(11),
    clockMhz: { core: at(12), memory: at(13) },
  }
}
