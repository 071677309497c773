// The last ten minutes of every series, outside any store: charts read them without a React render.
import type { Disposable } from '../../../base/disposable'
import type { DevicesView, DeviceView, HistoryView, MinerStatusView, SeriesName } from '../../../contract/miner'
import { efficiencyOf, totalOf } from './stores/program-store'

/** One point per second for ten minutes. */
export const RING_POINTS = 600
/** What the figures of a device show as they are; recorded history has only what they are made of. */
type MeanName = 's60' | 'efficiency'
/** Sums over all devices, and effective hashrate. */
export type RingName = `${number}.${SeriesName | MeanName}` | 'all.hashrate' | 'all.effective' | 'all.power'

/** Times in UTC ms, ascending; a null value is a gap. */
export interface Samples {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  /** Lowest and highest value of each point; absent where points are single samples. */
  readonly low?: readonly (number | null)[]
  readonly high?: readonly (number | null)[]
}

interface Ring {
  times: number[]
  values: (number | null)[]
}

/** A reading that is older than the newest by more than this comes after the computer's clock was set back. */
const LATE_MS = 5_000

/** The clock was set back: samples of a time that is yet to come would keep every new one out. */
function forgetAfter(ring: Ring, time: number): void {
  const kept = ring.times.findIndex((at) => at >= time)
  ring.times.splice(kept)
  ring.values.splice(kept)
}

const deviceReaders: Readonly<Record<SeriesName, (device: DeviceView) => number | null>> = {
  hashrate: (device) => device.hashrate.now,
  core: (device) => device.temperature.core,
  hotspot: (device) => device.temperature.hotspot,
  memory: (device) => device.temperature.memory,
  fan: (device) => device.fanPercent,
  power: (device) => device.powerWatts,
  coreClock: (device) => device.clockMhz.core,
  memoryClock: (device) => device.clockMhz.memory,
  effective: (device) => device.effectiveHashrate ?? null,
}

const meanReaders: Readonly<Record<MeanName, (device: DeviceView) => number | null>> = {
  s60: (device) => device.hashrate.s60,
  efficiency: efficiencyOf,
}

const seriesReaders = Object.entries({ ...deviceReaders, ...meanReaders })

export class SampleRings {
  readonly #rings = new Map<string, Ring>()
  readonly #names = new Map<number, readonly string[]>()
  readonly #listeners = new Set<(changed: ReadonlySet<string> | null) => void>()
  /** Rings that missed some readings. */
  readonly #gapped = new Set<string>()
  #generation = 0
  #isHeld = false

  /** Increases whenever something may be missing; callers that seeded history have to seed again. */
  get generation(): number {
    return this.#generation
  }

  /** While held, samples are stored but no listener is notified. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Holds notifications back, or releases them immediately. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#tell(null)
  }

  /** Drops all samples: after lost contact, the recorded history is more complete. */
  clear(): void {
    this.#rings.clear()
    this.#gapped.clear()
    this.#generation += 1
    this.#tell(null)
  }

  /** Readings were missed: the existing ones remain until the recorded history replaces them. */
  missed(): void {
    this.#generation += 1
    for (const name of this.#rings.keys()) this.#gapped.add(name)
    this.#tell(null)
  }

  /** Appends a reading of all devices; drops readings within half a second of the last. */
  addDevices(view: DevicesView): void {
    const changed = new Set<string>()
    for (const device of view.devices) {
      const names = this.#namesOf(device.index)
      for (const [position, [, read]] of seriesReaders.entries())
        this.#append(names[position] ?? '', device.takenAt, read(device), changed)
    }
    this.#append('all.power', view.takenAt, totalOf(view.devices, deviceReaders.power), changed)
    this.#tell(changed)
  }

  addStatus(status: MinerStatusView): void {
    const changed = new Set<string>()
    this.#append('all.hashrate', status.takenAt, status.hashrate.now, changed)
    this.#append('all.effective', status.takenAt, status.hashrate.effective, changed)
    this.#tell(changed)
  }

  /** Puts recorded history before the live samples; replaces them, as far as it reaches, where readings were missed. */
  seed(name: RingName, { values, firstAt, stepMs }: HistoryView): void {
    const ring = this.#ring(name)
    const hasGaps = this.#gapped.has(name)
    const firstLive = ring.times[0] ?? Number.POSITIVE_INFINITY
    const all = values.slice(0, knownCount(values)).map((_, index) => firstAt + index * stepMs)
    const times = hasGaps ? all : all.filter((time) => time < firstLive)
    const end = times[times.length - 1]
    const found = end === undefined ? 0 : ring.times.findIndex((time) => time >= end + stepMs / 2)
    const later = found < 0 ? ring.times.length : found
    ring.times = [...times, ...ring.times.slice(hasGaps ? later : 0)].slice(-RING_POINTS)
    ring.values = [...values.slice(0, times.length), ...ring.values.slice(hasGaps ? later : 0)].slice(-RING_POINTS)
    this.#gapped.delete(name)
    this.#tell(new Set([name]))
  }

  read(name: RingName): Samples {
    return this.#rings.get(name) ?? { times: [], values: [] }
  }

  /** Called after every change with the names of the changed rings; null = all of them. */
  onChange(listener: (changed: ReadonlySet<string> | null) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  #append(name: string, time: number, value: number | null, changed: Set<string>): void {
    const ring = this.#ring(name)
    if (time < (ring.times[ring.times.length - 1] ?? time) - LATE_MS) forgetAfter(ring, time)
    const last = ring.times[ring.times.length - 1]
    if (last !== undefined && time < last + 500) return
    ring.times.push(time)
    ring.values.push(value)
    changed.add(name)
    if (ring.times.length <= RING_POINTS) return
    ring.times.shift()
    ring.values.shift()
  }

  /** Of a device's rings, in the order of the readers; composed once, since each second needs them. */
  #namesOf(device: number): readonly string[] {
    const known = this.#names.get(device)
    if (known !== undefined) return known
    const names = seriesReaders.map(([series]) => `${device}.${series}`)
    this.#names.set(device, names)
    return names
  }

  #ring(name: string): Ring {
    const known = this.#rings.get(name)
    if (known !== undefined) return known
    const made: Ring = { times: [], values: [] }
    this.#rings.set(name, made)
    return made
  }

  #tell(changed: ReadonlySet<string> | null): void {
    if (changed?.size === 0 || this.#isHeld) return
    for (const listener of [...this.#listeners]) listener(changed)
  }
}

/** Number of values without the unrecorded ones at the end. */
function knownCount(values: readonly (number | null)[]): number {
  let count = values.length
  while (count > 0 && values[count - 1] === null) count -= 1
  return count
}
