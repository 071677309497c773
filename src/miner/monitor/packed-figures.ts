// A rig's figures in a quarter of the memory, for fleets of thousands: numbers of GPUs in one array, equal words shared.
import type { RigFigures, RigGpu } from './rig-figures'

/** Numbers of one GPU, `paused` as 0 or 1 among them. */
const NUMBERS = 15
const TEXTS = 4
/** Different words remembered to be shared; models, slots and reasons are few. */
const MAX_SHARED = 4_096

export interface PackedFigures {
  readonly whole: Omit<RigFigures, 'gpus'>
  readonly numbers: Float64Array
  readonly texts: readonly string[]
}

/** Packs figures of many rigs, whose equal words are kept once. */
export class FiguresPacker {
  readonly #shared = new Map<string, string>()

  pack({ gpus, ...whole }: RigFigures): PackedFigures {
    const numbers = new Float64Array(gpus.length * NUMBERS)
    gpus.forEach((gpu, index) => void numbers.set(numbersOf(gpu), index * NUMBERS))
    const words = gpus.flatMap(({ name, pci, backend, pauseReason }) => [name, pci, backend, pauseReason])
    return { whole, numbers, texts: words.map((word) => this.#share(word)) }
  }

  #share(text: string): string {
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    if (this.#shared.size < MAX_SHARED) this.#shared.set(text, text)
    return text
  }
}

/** Equal to what was packed. */
export function unpackFigures({ whole, numbers, texts }: PackedFigures): RigFigures {
  const count = numbers.length / NUMBERS
  return { ...whole, gpus: Array.from({ length: count }, (_, index) => gpuOf(index, numbers, texts)) }
}

function numbersOf({ hashrate, shares, temperature, clockMhz, ...gpu }: RigGpu): readonly number[] {
  return [
    ...[hashrate.now, hashrate.s60, hashrate.m15, shares.accepted, shares.rejected, shares.failed],
    ...[temperature.core, temperature.hotspot, temperature.memory, gpu.fanPercent, gpu.powerWatts, gpu.powerLimitWatts],
    ...[clockMhz.core, clockMhz.memory, gpu.paused ? 1 : 0],
  ]
}

function gpuOf(index: number, numbers: Float64Array, texts: readonly string[]): RigGpu {
  const at = (place: number): number => numbers[index * NUMBERS + place] ?? 0
  const [name = '', pci = '', backend = '', pauseReason = ''] = texts.slice(index * TEXTS, (index + 1) * TEXTS)
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
