// The port between our charts and the library that draws them, so that a page without a canvas works the same.
import type { Disposable } from '../../../base/disposable'

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
  /** Where its word stands, so that the words of neighbours do not lie upon each other. */
  readonly side: 'start' | 'end'
}

/** Least and most of each point of a line; null where nothing was recorded. */
export interface ChartBand {
  readonly low: readonly (number | null)[]
  readonly high: readonly (number | null)[]
}

export interface ChartColors {
  readonly text: string
  readonly grid: string
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
}

/** Columns: seconds since 1970, then one list a series, null for a gap. */
export type ChartData = readonly [readonly number[], ...(readonly (number | null)[])[]]

export interface DrawnChart extends Disposable {
  /** `windowSeconds` = shown up to the newest point; `bands` = one a series, null for none. */
  setData(data: ChartData, windowSeconds: number, bands: readonly (ChartBand | null)[]): void
}

export interface ChartEngine {
  draw(element: HTMLElement, spec: ChartSpec): DrawnChart
}
