// One line of a chart: what it draws and how it is distinguished.
import type { FeedLine } from '../../state/chart-feed'

export interface ChartLine extends FeedLine {
  readonly label: string
  /** Number of the series colour, 1..8. */
  readonly color: number
  readonly isDashed?: boolean
  readonly isStepped?: boolean
  /** For values that flicker around their own mean. */
  readonly isThin?: boolean
}

/** A threshold for some of the lines. */
export interface Threshold {
  readonly value: number
  /** Shown at its start. */
  readonly label: string
  /** Its color token. */
  readonly level: 'warn' | 'danger' | 'muted'
  /** Labels of the lines that it applies to; empty if it is only displayed. */
  readonly lines: readonly string[]
}
