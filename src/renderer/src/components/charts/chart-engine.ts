// The port between our charts and the library that draws them, so that a page without a canvas works the same.
import type { Disposable } from '../../../../base/disposable'

export interface ChartSeries {
  readonly label: string
  /** CSS colour, already resolved from its token. */
  readonly color: string
  readonly width: number
  /** Lengths of stroke and gap; null for a solid line. */
  readonly dash: readonly number[] | null
  readonly isStepped: boolean
}

/** A level that means something, drawn across the chart. */
export interface ChartMark {
  readonly value: number
  readonly label: string
  readonly color: string
}

/** Least and most of each point of a line; null where nothing was recorded. */
export interface ChartBand {
  readonly low: readonly (number | null)[]
  readonly high: readonly (number | null)[]
}

/** A time in which the values mean something else, or are none: seconds since 1970, drawn as a band over the whole height. */
export interface ChartSpan {
  readonly from: number
  /** Null = still. */
  readonly to: number | null
  readonly kind: SpanKind
  /** What it was, in the tooltip and in the band where there is room. */
  readonly label: string
}

export type SpanKind = 'paused' | 'error' | 'building' | 'silent' | 'waiting' | 'unrecorded'

export interface ChartColors {
  readonly text: string
  readonly grid: string
  readonly spans: Readonly<Record<SpanKind, string>>
}

export interface ChartSpec {
  readonly series: readonly ChartSeries[]
  readonly colors: ChartColors
  readonly marks: readonly ChartMark[]
  readonly heightPx: number
  /** Fixed bounds of the vertical axis; null follows the data. */
  readonly range: readonly [number | null, number | null]
  readonly formatTick: (value: number) => string
  readonly formatValue: (value: number) => string
  readonly formatTime: (ms: number) => string
  /** Name of the time axis in the legend. */
  readonly timeLabel: string
  /** Charts with the same key share their cross-hair. */
  readonly syncKey: string
  /** Told whether the newest values are in sight, or a stretch that the user chose by dragging. */
  readonly onLive: (isLive: boolean) => void
}

/** One a point: null breaks the line, undefined is passed over. */
export type ChartLineValues = readonly (number | null | undefined)[]

/** Columns: seconds since 1970, then one list a series. */
export type ChartData = readonly [readonly number[], ...ChartLineValues[]]

export interface ChartContent {
  readonly data: ChartData
  /** Right edge and length of the time shown, in seconds. */
  readonly end: number
  readonly windowSeconds: number
  /** One a series, null for none. */
  readonly bands: readonly (ChartBand | null)[]
  readonly spans: readonly ChartSpan[]
}

export interface DrawnChart extends Disposable {
  show(content: ChartContent): void
  /** Back from a stretch that was chosen by dragging to the newest values. */
  followLive(): void
}

export interface ChartEngine {
  draw(element: HTMLElement, spec: ChartSpec): DrawnChart
}
