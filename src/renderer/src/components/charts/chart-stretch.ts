// The time range that a chart shows, moved and scaled by the mouse wheel. Pure; seconds.

export type Stretch = readonly [from: number, to: number]

/** A turn of the wheel changes the visible range by this factor. */
const STEP = 0.15
/** The smallest visible range. */
const MIN_S = 5

/** @param direction -1 into the past, 1 towards now */
export function shifted([from, to]: Stretch, direction: number): Stretch {
  const by = (to - from) * STEP * direction
  return [from + by, to + by]
}

/**
 * Keeps the time under the pointer in place.
 * @param direction -1 zooms in, 1 zooms out
 */
export function zoomed([from, to]: Stretch, place: number, direction: number): Stretch {
  const scale = 1 + STEP * direction
  if ((to - from) * scale < MIN_S) return [from, to]
  return [place - (place - from) * scale, place + (to - place) * scale]
}

/** Limits a range to the first and last second available; null if that covers everything: live again. */
export function within([from, to]: Stretch, first: number, last: number): Stretch | null {
  const length = to - from
  if (length >= last - first) return null
  if (from < first) return [first, first + length]
  return to > last ? [last - length, last] : [from, to]
}
