// The port between our charts and the drawing library, so that a page without a canvas works the same.
import type { Disposable } from '../../../../base/disposable'
import type { ChartScale } from './chart-pace'

export interface ChartSeries {
  readonly label: string
  /** CSS colour, already resolved from its token. */
  readonly color: string
  readonly width: number
  /** Lengths of stroke and gap; null for a solid line. */
  readonly dash: readonly number[] | null
  readonly isStepped: boolean
}

/** A threshold drawn across the chart. */
export interface ChartMark {
  readonly value: number
  readonly label: string
  readonly color: string
}

/** Lowest and highest value of each point of a line; null where nothing was recorded. */
export interface ChartBand {
  readonly low: readonly (number | null)[]
  readonly high: readonly (number | null)[]
}

/** A span in which values mean something else or are missing: seconds since 1970, a band over the full height. */
export interface ChartSpan {
  readonly from: number
  /** Null = not over yet. */
  readonly to: number | null
  readonly kind: SpanKind
  /** Shown in the tooltip, and in the band if it fits. */
  readonly label: string
}

export type SpanKind = 'paused' | 'error' | 'building' | 'silent' | 'waiting' | 'unrecorded'

interface ChartColors {
  readonly text: string
  readonly grid: string
  readonly spans: Readonly<Record<SpanKind, string>>
}

export interface ChartSpec {
  readonly series: readonly ChartSeries[]
  readonly colors: ChartColors
  readonly marks: readonly ChartMark[]
  readonly heightPx: number
  /** As tall as its place, at least `heightPx`. */
  readonly isFilling: boolean
  /** Fixed bounds of the vertical axis; null follows the data. */
  readonly range: readonly [number | null, number | null]
  /** Labels of the vertical axis, from the lowest. */
  readonly formatTicks: (values: readonly number[]) => readonly string[]
  readonly formatValue: (value: number) => string
  readonly formatTime: (ms: number) => string
  /** A time of the axis, where every tick is a whole minute. */
  readonly formatMinute: (ms: number) => string
  /** Name of the time axis in the legend. */
  readonly timeLabel: string
  /** Charts with the same key share their cross-hair. */
  readonly syncKey: string
  /** Where the cross-hair of the chart stood that this one replaces; null for none. */
  readonly cursorPx: number | null
  /** Called with true while the newest values are in view, false while the user looks at a range chosen by dragging. */
  readonly onLive: (isLive: boolean) => void
}

/** One per point: null breaks the line, undefined is skipped. */
export type ChartLineValues = readonly (number | null | undefined)[]

/** Columns: seconds since 1970, then one list per series. */
export type ChartData = readonly [readonly number[], ...ChartLineValues[]]

export interface ChartContent {
  readonly data: ChartData
  /** Right edge and length of the time shown, in seconds. */
  readonly end: number
  readonly windowSeconds: number
  /** One per series, null for none. */
  readonly bands: readonly (ChartBand | null)[]
  readonly spans: readonly ChartSpan[]
}

export interface DrawnChart extends Disposable {
  show(content: ChartContent): void
  /** How it is drawn; null before it has values. */
  scale(): ChartScale | null
  /** Returns from a range chosen by dragging to the newest values. */
  followLive(): void
  /** Where the cross-hair stands, in pixels from the left of the values; null while there is none. */
  cursorPx(): number | null
}

export interface ChartEngine {
  draw(element: HTMLElement, spec: ChartSpec): DrawnChart
}
