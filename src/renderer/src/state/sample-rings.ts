// The last ten minutes of every series, outside any store: charts read them, React does not draw for them.
import type { Disposable } from '../../../base/disposable'
import type { DevicesView, DeviceView, HistoryView, MinerStatusView, SeriesName } from '../../../contract/miner'

/** One point a second for ten minutes. */
export const RING_POINTS = 600
/** Sums over all devices, and effective hashrate. */
export type RingName = `${number}.${SeriesName}` | 'all.hashrate' | 'all.effective' | 'all.power'

/** Times in UTC ms, ascending; a null value is a gap. */
export interface Samples {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  /** Least and most of each point; absent where points are single samples. */
  readonly low?: readonly (number | null)[]
  readonly high?: readonly (number | null)[]
}

interface Ring {
  times: number[]
  values: (number | null)[]
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
}

const seriesReaders = Object.entries(deviceReaders)

/** What a device reports for a series right now. */
export function readSeries(device: DeviceView, series: SeriesName): number | null {
  return deviceReaders[series](device)
}

export class SampleRings {
  readonly #rings = new Map<string, Ring>()
  readonly #listeners = new Set<(changed: ReadonlySet<string> | null) => void>()
  #generation = 0

  /** Grows by one whenever everything was forgotten; whoever seeded has to seed again. */
  get generation(): number {
    return this.#generation
  }

  /** Forgets all samples: after lost contact the recorded history is more complete than what was seen. */
  clear(): void {
    this.#rings.clear()
    this.#generation += 1
    this.#tell(null)
  }

  /** Appends a reading of all devices; readings closer than half a second to the last are dropped. */
  addDevices(view: DevicesView): void {
    const changed = new Set<string>()
    for (const device of view.devices) {
      for (const [series, read] of seriesReaders)
        this.#append(`${device.index}.${series}`, device.takenAt, read(device), changed)
    }
    const watts = view.devices.flatMap((device) => device.powerWatts ?? [])
    const all = watts.length === 0 ? null : watts.reduce((sum, value) => sum + value, 0)
    this.#append('all.power', view.takenAt, all, changed)
    this.#tell(changed)
  }

  addStatus(status: MinerStatusView): void {
    const changed = new Set<string>()
    this.#append('all.hashrate', status.takenAt, status.hashrate.now, changed)
    this.#append('all.effective', status.takenAt, status.hashrate.effective, changed)
    this.#tell(changed)
  }

  /** Puts recorded history in front of what arrived live. */
  seed(name: RingName, history: HistoryView): void {
    const ring = this.#ring(name)
    const firstLive = ring.times[0] ?? Number.POSITIVE_INFINITY
    const times = history.values.map((_, index) => history.firstAt + index * history.stepMs)
    const older = times.filter((time) => time < firstLive)
    ring.times = [...older, ...ring.times].slice(-RING_POINTS)
    ring.values = [...history.values.slice(0, older.length), ...ring.values].slice(-RING_POINTS)
    this.#tell(new Set([name]))
  }

  read(name: RingName): Samples {
    return this.#rings.get(name) ?? { times: [], values: [] }
  }

  /** Called after every change with the names of the rings that have other samples; null = all of them. */
  onChange(listener: (changed: ReadonlySet<string> | null) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  #append(name: string, time: number, value: number | null, changed: Set<string>): void {
    const ring = this.#ring(name)
    const last = ring.times[ring.times.length - 1]
    if (last !== undefined && time < last + 500) return
    ring.times.push(time)
    ring.values.push(value)
    changed.add(name)
    if (ring.times.length <= RING_POINTS) return
    ring.times.shift()
    ring.values.shift()
  }

  #ring(name: string): Ring {
    const known = this.#rings.get(name)
    if (known !== undefined) return known
    const made: Ring = { times: [], values: [] }
    this.#rings.set(name, made)
    return made
  }

  #tell(changed: ReadonlySet<string> | null): void {
    if (changed?.size === 0) return
    for (const listener of [...this.#listeners]) listener(changed)
  }
}
