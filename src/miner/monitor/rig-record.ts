// What was seen of one rig since this program watches it, for charts: sums of an hour and a day, and each GPU's last hour.
import { HistoryRing, type RingShape, type RingSlice } from '../stats/history-ring'
import type { RigFigures, RigGpu } from './rig-figures'

export type RigWindow = '1h' | '24h'

const RIG_SERIES = ['hashrate', 'power', 'hottest'] as const
const GPU_SERIES = ['hashrate', 'core', 'hotspot', 'memory', 'fan', 'power'] as const
export type RigSeries = (typeof RIG_SERIES)[number]
export type RigGpuSeries = (typeof GPU_SERIES)[number]

const WINDOWS: Readonly<Record<RigWindow, Omit<RingShape, 'series'>>> = {
  '1h': { stepMs: 15_000, points: 240 },
  '24h': { stepMs: 180_000, points: 480 },
}
/** A rig with more than these is charted as a whole only, so that a strange answer cannot fill the memory. */
const MOST_GPUS = 32
/** Points of the day, three minutes each, without which nothing is usual yet. */
const LEAST_POINTS = 10
/** A reading counts until the next one, unless that comes later than so many intervals: then there is a gap. */
const HELD_INTERVALS = 3

type Row = readonly (number | null)[]

export interface RigSlice extends RingSlice {
  readonly stepMs: number
}

export class RigRecord {
  readonly #rig = { '1h': ringOf('1h', RIG_SERIES.length), '24h': ringOf('24h', RIG_SERIES.length) } as const
  readonly #gpus: HistoryRing[] = []
  #usual: number | null = null
  #usualSlot = Number.NaN
  #last: { readonly at: number; readonly figures: RigFigures } | null = null

  constructor(private readonly intervalMs: number) {}

  /** @param at UTC ms at which the figures arrived */
  add(at: number, figures: RigFigures): void {
    const last = this.#last
    const heldMs = Math.max(this.intervalMs, WINDOWS['1h'].stepMs) * HELD_INTERVALS
    if (last !== null && at - last.at <= heldMs) this.#each(last.figures, (ring, row) => hold(ring, last.at, at, row))
    this.#last = { at, figures }
    this.#each(figures, (ring, row) => ring.record(at, row))
    const slot = Math.floor(at / WINDOWS['24h'].stepMs)
    if (slot === this.#usualSlot) return
    this.#usualSlot = slot
    this.#usual = middle(this.#rig['24h'].slice(at, 0).values)
  }

  /** Middle of the hashrate over the last 24 h while it mined; null while too little is known. */
  usual(): number | null {
    return this.#usual
  }

  /** All gaps where nothing was recorded. @param now UTC ms, the right edge */
  rig(now: number, series: RigSeries, window: RigWindow): RigSlice {
    return { stepMs: WINDOWS[window].stepMs, ...this.#rig[window].slice(now, RIG_SERIES.indexOf(series)) }
  }

  /** The last hour of one GPU. @param index its place in the rig's list */
  gpu(now: number, index: number, series: RigGpuSeries): RigSlice {
    const ring = this.#gpus[index] ?? ringOf('1h', GPU_SERIES.length)
    return { stepMs: WINDOWS['1h'].stepMs, ...ring.slice(now, GPU_SERIES.indexOf(series)) }
  }

  #each(figures: RigFigures, record: (ring: HistoryRing, row: Row) => void): void {
    const sums = rowOfRig(figures)
    for (const ring of Object.values(this.#rig)) record(ring, sums)
    figures.gpus.slice(0, MOST_GPUS).forEach((gpu, index) => {
      const ring = this.#gpus[index] ?? ringOf('1h', GPU_SERIES.length)
      this.#gpus[index] = ring
      record(ring, rowOfGpu(gpu))
    })
  }
}

/** The public API says 0 for a sensor that is not reported. */
const known = (value: number): number | null => (value > 0 ? value : null)

/** The hottest place of any GPU in Celsius; null when none is told. */
function hottest(gpus: readonly RigGpu[]): number | null {
  const told = gpus.flatMap(({ temperature }) => Object.values(temperature).filter((celsius) => celsius > 0))
  return told.length === 0 ? null : Math.max(...told)
}

function rowOfRig({ hashrate, powerWatts, gpus }: RigFigures): Row {
  return [hashrate.now, known(powerWatts), hottest(gpus)]
}

function rowOfGpu({ hashrate, temperature, fanPercent, powerWatts }: RigGpu): Row {
  const { core, hotspot, memory } = temperature
  return [hashrate.now, known(core), known(hotspot), known(memory), known(fanPercent), known(powerWatts)]
}

/** One reading in all points between its own and the one of the next. */
function hold(ring: HistoryRing, from: number, to: number, row: Row): void {
  const { stepMs } = ring.shape
  for (let slot = Math.floor(from / stepMs) + 1; slot < Math.floor(to / stepMs); slot++) ring.record(slot * stepMs, row)
}

function middle(values: Row): number | null {
  const sorted = values.flatMap((value) => (value !== null && value > 0 ? [value] : [])).sort((a, b) => a - b)
  return sorted.length < LEAST_POINTS ? null : (sorted[Math.floor(sorted.length / 2)] ?? null)
}

function ringOf(window: RigWindow, series: number): HistoryRing {
  return new HistoryRing({ ...WINDOWS[window], series })
}
