// One line of a chart: what it draws and how it is told apart.
import type { FeedLine } from '../state/chart-feed'

export interface ChartLine extends FeedLine {
  readonly label: string
  /** Number of the series colour, 1..8. */
  readonly color: number
  readonly isDashed?: boolean
  readonly isStepped?: boolean
}
