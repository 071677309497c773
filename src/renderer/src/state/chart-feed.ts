// Brings the points of one chart together: live rings for ten minutes, recorded history for longer windows.
import type { Disposable } from '../../../base/disposable'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { HistoryView, HistoryWindow, SeriesName } from '../../../contract/miner'
import type { ChartBand, ChartData } from '../components/chart-engine'
import type { Queries } from './queries'
import type { RingName, SampleRings, Samples } from './sample-rings'

export const windowSeconds: Readonly<Record<HistoryWindow, number>> = { '10m': 600, '1h': 3600, '24h': 86_400 }
const STEP_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 1000, '1h': 5000, '24h': 60_000 }
/** A silence longer than this many steps breaks the line. */
const GAP_STEPS = 3
/** Live charts are drawn again at most this often. */
const REDRAW_MS = 1000

export interface FeedLine {
  readonly ring: RingName
  /** What to ask recorded history for; null when the backend records none of it. */
  readonly history: { readonly device: number | null; readonly series: SeriesName } | null
}

export interface ChartFeedDeps {
  readonly rings: SampleRings
  readonly queries: Pick<Queries, 'history'>
  readonly clock: Clock
}

/**
 * Calls `onSamples` with one list a line, now and whenever there are newer points, until disposed.
 * A line whose history cannot be had stays empty until live samples come.
 */
export function openChartFeed(
  lines: readonly FeedLine[],
  window: HistoryWindow,
  deps: ChartFeedDeps,
  onSamples: (samples: readonly Samples[]) => void,
): Disposable {
  return window === '10m' ? openLive(lines, deps, onSamples) : openRecorded(lines, window, deps, onSamples)
}

function openLive(
  lines: readonly FeedLine[],
  { rings, queries, clock }: ChartFeedDeps,
  onSamples: (samples: readonly Samples[]) => void,
): Disposable {
  const all = new Disposables()
  const state = { seeded: -1, isDirty: true, isOpen: true }

  const seed = async (line: FeedLine): Promise<void> => {
    if (line.history === null) return
    try {
      const history = await queries.history(line.history.device, line.history.series, '10m')
      if (state.isOpen) rings.seed(line.ring, history)
    } catch {
      // Without recorded history the chart starts with what arrives from now on.
    }
  }
  const look = (): void => {
    state.isDirty = true
    if (state.seeded === rings.generation) return
    state.seeded = rings.generation
    for (const line of lines) void seed(line)
  }
  const draw = (): void => {
    if (!state.isDirty) return
    state.isDirty = false
    onSamples(lines.map((line) => rings.read(line.ring)))
  }
  all.add(rings.onChange(look))
  all.add(clock.setInterval(draw, REDRAW_MS))
  all.defer(() => {
    state.isOpen = false
  })
  look()
  draw()
  return all
}

function openRecorded(
  lines: readonly FeedLine[],
  window: HistoryWindow,
  { queries, clock }: ChartFeedDeps,
  onSamples: (samples: readonly Samples[]) => void,
): Disposable {
  const all = new Disposables()
  const state = { isOpen: true }
  const ask = async (): Promise<void> => {
    try {
      const answers = await Promise.all(
        lines.map(({ history }) => (history === null ? null : queries.history(history.device, history.series, window))),
      )
      if (state.isOpen) onSamples(answers.map(samplesOf))
    } catch {
      // The next period asks again; what is drawn stays.
    }
  }
  all.add(clock.setInterval(() => void ask(), STEP_MS[window]))
  all.defer(() => {
    state.isOpen = false
  })
  void ask()
  return all
}

function samplesOf(history: HistoryView | null): Samples {
  if (history === null) return { times: [], values: [] }
  const { values, min, max } = history
  const times = values.map((_, index) => history.firstAt + index * history.stepMs)
  return min === undefined || max === undefined ? { times, values } : { times, values, low: min, high: max }
}

/** One common time axis in seconds; a point of its own breaks the line where nothing came for three steps. */
export function joinSamples(samples: readonly Samples[], window: HistoryWindow): ChartData {
  const known = samples.map(({ times, values }) => new Map(times.map((time, index) => [time, values[index] ?? null])))
  const times = [...new Set(samples.flatMap((line) => line.times))].sort((a, b) => a - b)
  const withGaps: number[] = []
  for (const time of times) {
    const last = withGaps[withGaps.length - 1]
    if (last !== undefined && time - last > GAP_STEPS * STEP_MS[window]) withGaps.push(last + STEP_MS[window])
    withGaps.push(time)
  }
  return [withGaps.map((time) => time / 1000), ...known.map((line) => withGaps.map((time) => line.get(time) ?? null))]
}

/** What lies around each line on the same time axis (seconds); null for lines of single samples. */
export function joinBands(samples: readonly Samples[], seconds: readonly number[]): readonly (ChartBand | null)[] {
  return samples.map(({ times, low, high }) => {
    if (low === undefined || high === undefined) return null
    const places = new Map(times.map((time, index) => [time / 1000, index]))
    const at = (values: readonly (number | null)[]) =>
      seconds.map((second) => {
        const place = places.get(second)
        return place === undefined ? null : (values[place] ?? null)
      })
    return { low: at(low), high: at(high) }
  })
}

/** Points a line needs to be one. */
const LINE_POINTS = 2

/** Which lines have any value: the others have no place in chart or legend. Empty while nothing makes a line yet. */
export function drawnLines(samples: readonly Samples[]): readonly number[] {
  const counts = samples.map(({ values }) => values.filter((value) => value !== null).length)
  if (counts.every((count) => count < LINE_POINTS)) return []
  return counts.flatMap((count, index) => (count > 0 ? [index] : []))
}

export interface SampleSummary {
  readonly min: number
  readonly max: number
  readonly last: number
}

/** Smallest, largest and newest known value; null when nothing is known. */
export function summarize(samples: Samples): SampleSummary | null {
  const known = samples.values.flatMap((value) => value ?? [])
  const last = known[known.length - 1]
  if (last === undefined) return null
  return { min: Math.min(...known), max: Math.max(...known), last }
}
