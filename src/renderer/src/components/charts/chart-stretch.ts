// The stretch of time that a chart shows, moved and scaled by a wheel. Pure; seconds.

export type Stretch = readonly [from: number, to: number]

/** A turn of the wheel changes the visible range by this factor. */
const STEP = 0.15
/** Nothing is seen in less. */
const MIN_S = 5

/** @param direction -1 into the past, 1 towards now */
export function shifted([from, to]: Stretch, direction: number): Stretch {
  const by = (to - from) * STEP * direction
  return [from + by, to + by]
}

/** The place under the pointer stays where it is. @param direction -1 nearer, 1 farther */
export function zoomed([from, to]: Stretch, place: number, direction: number): Stretch {
  const scale = 1 + STEP * direction
  if ((to - from) * scale < MIN_S) return [from, to]
  return [place - (place - from) * scale, place + (to - place) * scale]
}

/** Kept between the first and the last second there is; null where that is all of them: live again. */
export function within([from, to]: Stretch, first: number, last: number): Stretch | null {
  const length = to - from
  if (length >= last - first) return null
  if (from < first) return [first, first + length]
  return to > last ? [last - length, last] : [from, to]
}
