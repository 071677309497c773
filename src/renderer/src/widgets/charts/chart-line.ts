// One line of a chart: what it draws and how it is distinguished.
import type { FeedLine } from '../../state/chart-feed'

export interface ChartLine extends FeedLine {
  readonly label: string
  /** Number of the series colour, 1..8. */
  readonly color: number
  readonly isDashed?: boolean
  readonly isStepped?: boolean
  /** For what flickers behind its own mean. */
  readonly isThin?: boolean
}

/** A level of some lines that means something. */
export interface Threshold {
  readonly value: number
  /** Drawn at its start. */
  readonly label: string
  /** Its colour's token. */
  readonly level: 'warn' | 'danger' | 'muted'
  /** Labels of the lines that it applies to; empty for one that is only displayed. */
  readonly lines: readonly string[]
}
