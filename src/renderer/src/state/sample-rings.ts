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

/** What a device reports for a series right now. */
export function readSeries(device: DeviceView, series: SeriesName): number | null {
  return deviceReaders[series](device)
}

export class SampleRings {
  readonly #rings = new Map<string, Ring>()
  readonly #listeners = new Set<() => void>()
  #generation = 0

  /** Grows by one whenever everything was forgotten; whoever seeded has to seed again. */
  get generation(): number {
    return this.#generation
  }

  /** Forgets all samples: after lost contact the recorded history is more complete than what was seen. */
  clear(): void {
    this.#rings.clear()
    this.#generation += 1
    this.#tell()
  }

  /** Appends a reading of all devices; readings closer than half a second to the last are dropped. */
  addDevices(view: DevicesView): void {
    for (const device of view.devices) {
      for (const [series, read] of Object.entries(deviceReaders))
        this.#append(`${device.index}.${series}`, device.takenAt, read(device))
    }
    const watts = view.devices.flatMap((device) => device.powerWatts ?? [])
    this.#append('all.power', view.takenAt, watts.length === 0 ? null : watts.reduce((sum, value) => sum + value, 0))
    this.#tell()
  }

  addStatus(status: MinerStatusView): void {
    this.#append('all.hashrate', status.takenAt, status.hashrate.now)
    this.#append('all.effective', status.takenAt, status.hashrate.effective)
    this.#tell()
  }

  /** Puts recorded history in front of what arrived live. */
  seed(name: RingName, history: HistoryView): void {
    const ring = this.#ring(name)
    const firstLive = ring.times[0] ?? Number.POSITIVE_INFINITY
    const times = history.values.map((_, index) => history.firstAt + index * history.stepMs)
    const older = times.filter((time) => time < firstLive)
    ring.times = [...older, ...ring.times].slice(-RING_POINTS)
    ring.values = [...history.values.slice(0, older.length), ...ring.values].slice(-RING_POINTS)
    this.#tell()
  }

  read(name: RingName): Samples {
    return this.#rings.get(name) ?? { times: [], values: [] }
  }

  /** Called after every change of any ring. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  #append(name: string, time: number, value: number | null): void {
    const ring = this.#ring(name)
    const last = ring.times[ring.times.length - 1]
    if (last !== undefined && time < last + 500) return
    ring.times.push(time)
    ring.values.push(value)
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

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
