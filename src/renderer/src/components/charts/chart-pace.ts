// When a live chart is drawn again: once its picture would visibly move. Drawing is what a chart costs.

export interface ChartScale {
  /** Time per pixel, ms. */
  readonly pixelMs: number
  /** From the bottom of the vertical axis to its top, in the unit of the values. */
  readonly height: number
}

/** Smaller moves say nothing that the figures beside the chart don't. */
const MOVED_PX = 4
/** A value that moves by more than this part of the axis is an event, not noise. */
const LEAP = 0.05
export const READING_MS = 1_000
/** Readings aren't punctual: the one that is due may come this much early. */
export const EARLY_MS = 100
const MIN_READINGS = 2
/** However slowly a wide window moves, its chart is never further behind than this. Even, as every second one is shown. */
const MAX_READINGS = 6

/** How long to wait between two drawings, ms. @param scale null before the first one */
export function redrawMs(scale: ChartScale | null): number {
  const readings = scale === null ? MIN_READINGS : Math.floor((MOVED_PX * scale.pixelMs) / READING_MS)
  return Math.min(Math.max(readings, MIN_READINGS), MAX_READINGS) * READING_MS - EARLY_MS
}

/** Whether a line's newest value is so far from the last one drawn that it can't wait; null is a gap. */
export function isLeap(drawn: number | null, newest: number | null, scale: ChartScale | null): boolean {
  if (drawn === null || newest === null) return drawn !== newest
  return scale !== null && Math.abs(newest - drawn) > LEAP * scale.height
}
