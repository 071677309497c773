// Joins the points of one chart: live rings for ten minutes, recorded history for longer windows.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { HistoryView, HistoryWindow, SeriesName } from '../../../contract/miner'
import type { ChartBand, ChartData, ChartLineValues } from '../components/charts/chart-engine'
import { type ChartScale, isLeap, READING_MS, redrawMs } from '../components/charts/chart-pace'
import { isInSight, LATE_MS, onSight, type ReadingPace } from './in-sight'
import type { Queries } from './queries'
import type { RingName, SampleRings, Samples } from './sample-rings'

export const windowSeconds: Readonly<Record<HistoryWindow, number>> = {
  '10m': 600,
  '1h': 3600,
  '24h': 86_400,
  '7d': 604_800,
}
const STEP_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 1000, '1h': 5000, '24h': 60_000, '7d': 900_000 }
/** A gap of more than this many steps breaks the line. */
const GAP_STEPS = 3
/** A short live chart is redrawn at every reading, a longer one once its picture would visibly move. */
const FIRST_POINTS = 30
const FIRST_REDRAW_MS = 900

interface FeedSource {
  readonly ring: RingName
  /** Which recorded history to read; null if the backend records none for it. */
  readonly history: { readonly device: number | null; readonly series: SeriesName } | null
}

/** How recorded history becomes the line; what the ring holds of the present is that already. */
export interface FeedLine extends FeedSource {
  /** Each point is the mean over this many preceding seconds. */
  readonly meanSeconds?: number
  /** Each point is divided by this series' value at the same time. */
  readonly per?: Pick<FeedSource, 'history'>
}

interface ChartFeedDeps {
  readonly rings: SampleRings
  readonly queries: Pick<Queries, 'history'>
  readonly clock: Clock
  /** How the chart was last drawn; null or absent while that isn't known. */
  readonly scale?: () => ChartScale | null
  /** Draws in the frames in which figures change; absent: with any reading. */
  readonly pace?: Pick<ReadingPace, 'isBeat'>
  /** Why recorded history can't be read; empty once it can. */
  readonly onFault?: (reason: string) => void
}

/** One list per line, now and with newer points. Without history, a line stays empty until live samples arrive. */
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
  { rings, queries, clock, scale = () => null, pace }: ChartFeedDeps,
  onSamples: (samples: readonly Samples[]) => void,
): Disposable {
  const all = new Disposables()
  const state = { seeded: -1, drawnAt: Number.NEGATIVE_INFINITY, points: 0, isOpen: true }
  const leaps = watchLeaps(lines, rings)
  const timer: { waiting: Disposable | null } = { waiting: null }

  const seed = async (line: FeedLine, ask: HistoryReader): Promise<void> => {
    try {
      const [history, per] = await Promise.all([ask(line.history), ask(line.per?.history ?? null)])
      if (!state.isOpen || history === null) return
      const { values } = shaped(line, samplesOf(history), line.per && samplesOf(per))
      rings.seed(line.ring, { ...history, values: [...values] })
    } catch {
      // Without recorded history, the chart starts with what arrives from now on.
    }
  }
  const draw = (): void => {
    timer.waiting = null
    state.drawnAt = clock.monotonic()
    const samples = lines.map(({ ring }) => rings.read(ring))
    state.points = Math.max(0, ...samples.map(({ times }) => times.length))
    leaps.drawn()
    onSamples(samples)
  }
  const drawNow = (): void => {
    timer.waiting?.dispose()
    if (state.isOpen && isInSight()) draw()
  }
  // Immediately if allowed: samples of a reading are drawn in its frame, and no timer wakes the page.
  const look = (changed: ReadonlySet<string> | null): void => {
    if (state.seeded !== rings.generation) {
      state.seeded = rings.generation
      const ask = historyReader(queries, '10m')
      void Promise.all(lines.map((line) => seed(line, ask))).then(drawNow)
    }
    if (!isInSight()) return
    if (changed !== null && !lines.some(({ ring }) => changed.has(ring))) return
    const isShort = state.points < FIRST_POINTS
    const drawn = scale()
    const isLeaping = leaps.isOne(drawn)
    const paceMs = isShort ? FIRST_REDRAW_MS : redrawMs(isLeaping ? null : drawn)
    const waitMs = state.drawnAt + paceMs - clock.monotonic()
    const isShown = isShort || isLeaping || pace === undefined || pace.isBeat()
    // The reading that a chart waits for may be the one after the next.
    const lateMs = isShort ? 0 : LATE_MS + (isLeaping ? 0 : READING_MS)
    if (waitMs <= 0 && isShown) drawNow()
    else timer.waiting ??= clock.setTimeout(draw, Math.max(0, waitMs) + lateMs)
  }
  all.add(rings.onChange(look))
  all.defer(onSight(() => look(null)))
  all.defer(() => {
    state.isOpen = false
    timer.waiting?.dispose()
  })
  look(null)
  return all
}

function openRecorded(
  lines: readonly FeedLine[],
  window: HistoryWindow,
  { rings, queries, clock, onFault = () => undefined }: ChartFeedDeps,
  onSamples: (samples: readonly Samples[]) => void,
): Disposable {
  const all = new Disposables()
  const state = { isOpen: true }
  const ask = async (): Promise<void> => {
    const read = historyReader(queries, window)
    try {
      const answers = await Promise.all(
        lines.map(async (line) => {
          const [history, per] = await Promise.all([read(line.history), read(line.per?.history ?? null)])
          return shaped(line, samplesOf(history), line.per && samplesOf(per))
        }),
      )
      if (!state.isOpen) return
      onFault('')
      onSamples(answers)
    } catch (error: unknown) {
      // The next period tries again; the drawn chart stays.
      if (state.isOpen) onFault(messageOf(error))
    }
  }
  all.add(clock.setInterval(() => void (rings.isHeld ? undefined : ask()), STEP_MS[window]))
  all.defer(() => {
    state.isOpen = false
  })
  void ask()
  return all
}

/** Compares the newest value of each line with the one that was drawn; means and quotients don't leap. */
function watchLeaps(lines: readonly FeedLine[], rings: SampleRings) {
  const names = lines.flatMap(({ ring, meanSeconds, per }) => ((meanSeconds ?? per) === undefined ? [ring] : []))
  const newest = (): readonly (number | null)[] => names.map((name) => rings.read(name).values.at(-1) ?? null)
  const state = { drawn: newest() }
  return {
    drawn: (): void => {
      state.drawn = newest()
    },
    isOne: (scale: ChartScale | null): boolean =>
      newest().some((value, index) => isLeap(state.drawn[index] ?? null, value, scale)),
  }
}

type HistoryReader = (history: FeedSource['history']) => Promise<HistoryView | null>

/** Asks for each series once, however many lines are made of it. */
function historyReader(queries: ChartFeedDeps['queries'], window: HistoryWindow): HistoryReader {
  const asked = new Map<string, Promise<HistoryView>>()
  return async (history) => {
    if (history === null) return null
    const name = `${history.device} ${history.series}`
    const answer = asked.get(name) ?? queries.history(history.device, history.series, window)
    asked.set(name, answer)
    return answer
  }
}

/** A line's points, from what was read for it. */
function shaped({ meanSeconds }: FeedLine, samples: Samples, per: Samples | undefined): Samples {
  const mean = (of: Samples): Samples => (meanSeconds === undefined ? of : trailingMean(of, meanSeconds))
  return per === undefined ? mean(samples) : quotient(mean(samples), mean(per))
}

/** Mean of the known values over the last `seconds` at each point; null if the point itself is unknown. */
export function trailingMean({ times, values }: Samples, seconds: number): Samples {
  const window: MeanWindow = { first: 0, sum: 0, count: 0 }
  const means: (number | null)[] = []
  for (let index = 0; index < times.length; index++) {
    const time = times[index] ?? 0
    enter(window, values[index], 1)
    while ((times[window.first] ?? time) <= time - seconds * 1000) {
      enter(window, values[window.first], -1)
      window.first += 1
    }
    means.push(values[index] == null || window.count === 0 ? null : window.sum / window.count)
  }
  return { times, values: means }
}

/** The known values from index `first` on. */
interface MeanWindow {
  first: number
  sum: number
  count: number
}

/** 1: a value comes in, -1: it leaves. */
function enter(window: MeanWindow, value: number | null | undefined, sign: 1 | -1): void {
  if (value == null) return
  window.sum += sign * value
  window.count += sign
}

/** Null if either is unknown, or the divisor is 0. */
function quotient({ times, values }: Samples, per: Samples): Samples {
  // Both are in ascending order, so one pass finds matching times.
  const walk = { at: 0 }
  const quotients = values.map((value, index) => {
    const time = times[index] ?? 0
    while ((per.times[walk.at] ?? Number.POSITIVE_INFINITY) < time) walk.at += 1
    const divisor = per.times[walk.at] === time ? (per.values[walk.at] ?? 0) : 0
    return value === null || divisor <= 0 ? null : value / divisor
  })
  return { times, values: quotients }
}

function samplesOf(history: HistoryView | null): Samples {
  if (history === null) return { times: [], values: [] }
  const { values, min, max } = history
  const times = values.map((_, index) => history.firstAt + index * history.stepMs)
  return min === undefined || max === undefined ? { times, values } : { times, values, low: min, high: max }
}

/** One common time axis in seconds; an extra point breaks the line after three steps without data. */
export function joinSamples(samples: readonly Samples[], window: HistoryWindow): ChartData {
  const [seconds, ...lines] = joined(samples, window)
  const bridgeS = (GAP_STEPS * STEP_MS[window]) / 1000
  return [seconds, ...lines.map((line) => bridged(seconds, line, bridgeS))]
}

/** A pause shorter than this many seconds isn't a gap: a late recorder skipped a point. */
function bridged(seconds: readonly number[], line: ChartLineValues, bridgeS: number): ChartLineValues {
  const state: { last: number; values: (number | null | undefined)[] | null } = { last: -1, values: null }
  for (let index = 0; index < line.length; index++) {
    if (line[index] == null) continue
    const { last } = state
    state.last = index
    if (last < 0 || index - last === 1 || (seconds[index] ?? 0) - (seconds[last] ?? 0) > bridgeS) continue
    state.values ??= [...line]
    state.values.fill(undefined, last + 1, index)
  }
  return state.values ?? line
}

function joined(samples: readonly Samples[], window: HistoryWindow): ChartData {
  const [first] = samples
  if (
    first !== undefined &&
    samples.every(({ times }) => times === first.times || isSameTimes(times, first.times)) &&
    !hasGap(first.times, window)
  )
    return [first.times.map((time) => time / 1000), ...samples.map(({ values }) => values)]
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

/** Lines of one device are read together, so most charts need no joining. */
function isSameTimes(times: readonly number[], others: readonly number[]): boolean {
  if (times.length !== others.length) return false
  for (let index = 0; index < times.length; index++) if (times[index] !== others[index]) return false
  return true
}

function hasGap(times: readonly number[], window: HistoryWindow): boolean {
  const longest = GAP_STEPS * STEP_MS[window]
  for (let index = 1; index < times.length; index++)
    if ((times[index] ?? 0) - (times[index - 1] ?? 0) > longest) return true
  return false
}

/** Start and end, in seconds, of each stretch between known points in which nothing at all was recorded. */
export function unrecorded(data: ChartData, window: HistoryWindow): readonly (readonly [number, number])[] {
  const [seconds, ...lines] = data
  const least = (GAP_STEPS * STEP_MS[window]) / 1000
  const found: (readonly [number, number])[] = []
  let before = Number.POSITIVE_INFINITY
  for (let index = 0; index < seconds.length; index++) {
    const second = seconds[index] ?? 0
    if (!isKnownAt(lines, index)) continue
    if (second - before > least) found.push([before, second])
    before = second
  }
  return found
}

/** A loop: this is asked of every point, and a callback for each would be garbage. */
function isKnownAt(lines: readonly ChartLineValues[], index: number): boolean {
  for (const line of lines) if (line[index] != null) return true
  return false
}

/** Parts of a window that a young chart fills: in steps, so that all charts of a page have the same time axis. */
const WINDOW_PARTS = [0.1, 0.2, 0.5, 1]

/** Seconds before `end` (seconds) that a chart shows: the whole window, or less while there is no older data. */
export function shownSeconds(data: ChartData, window: HistoryWindow, end: number): number {
  const [seconds, ...lines] = data
  return secondsSince(
    seconds.find((_, index) => lines.some((line) => line[index] != null)),
    window,
    end,
  )
}

/** The same, from the time of the oldest known value (seconds); undefined while there is none. */
export function secondsSince(first: number | undefined, window: HistoryWindow, end: number): number {
  const whole = windowSeconds[window]
  if (first === undefined) return whole
  return whole * (WINDOW_PARTS.find((part) => end - first <= part * whole) ?? 1)
}

/** The band around each line on the same time axis (seconds); null for lines of single samples. */
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

/** Points it takes to make a line. */
const LINE_POINTS = 2

/** Indexes of lines with any value: the others are left out of chart and legend. Empty until one has enough points. */
export function drawnLines(samples: readonly Samples[]): readonly number[] {
  const counts = samples.map(({ values }) => knownUpTo(LINE_POINTS, values))
  if (counts.every((count) => count < LINE_POINTS)) return []
  return counts.flatMap((count, index) => (count > 0 ? [index] : []))
}

/** How many values are known; no more than `most` are counted. */
function knownUpTo(most: number, values: readonly (number | null)[]): number {
  let count = 0
  for (let index = values.length - 1; index >= 0 && count < most; index--) if (values[index] != null) count += 1
  return count
}

/** Lowest, highest and latest known value; null if none is known. */
export function summarize(samples: Samples) {
  const known = samples.values.flatMap((value) => value ?? [])
  const last = known[known.length - 1]
  if (last === undefined) return null
  return { min: Math.min(...known), max: Math.max(...known), last }
}
