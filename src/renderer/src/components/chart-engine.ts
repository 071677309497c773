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

export interface ChartColors {
  readonly text: string
  readonly grid: string
}

export interface ChartSpec {
  readonly series: readonly ChartSeries[]
  readonly colors: ChartColors
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
  /** `window` = seconds shown up to the newest point. */
  setData(data: ChartData, windowSeconds: number): void
}

export interface ChartEngine {
  draw(element: HTMLElement, spec: ChartSpec): DrawnChart
}
