// Where the labels of a chart's levels go: beside their dashed line, within the chart, clear of plotted lines and of each
// other.

/** In pixels of the canvas; y grows downwards. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A plotted line: points in ascending order of x. A null breaks it, undefined is skipped. */
export interface PlottedLine {
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number | null | undefined>
  /** Each value holds until the next point. */
  readonly isStepped: boolean
}

/** From values to pixels. */
export interface Scale {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
}

/** Whether the line runs through the box. */
export function crosses({ xs, ys, isStepped }: PlottedLine, { x, y }: Scale, box: Box): boolean {
  let before: Point | null = null
  const sought: Stretch = { box, isStepped }
  for (let index = startOf(xs, ys, x, box.left); index < xs.length; index++) {
    const value = ys[index]
    if (value === undefined) continue
    const at: number = x(xs[index] ?? 0)
    if (value === null) {
      if (at > box.right) return false
      before = null
      continue
    }
    const here = { x: at, y: y(value) }
    if (before === null ? isInside(here, box) : isCrossing(before, here, sought)) return true
    if (at > box.right) return false
    before = here
  }
  return false
}

/** Index of the last known point left of the box, where the first stretch that can touch it begins. */
function startOf(xs: PlottedLine['xs'], ys: PlottedLine['ys'], x: Scale['x'], left: number): number {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (x(xs[middle] ?? 0) < left) low = middle + 1
    else high = middle
  }
  let index = Math.max(0, low - 1)
  while (index > 0 && ys[index] === undefined) index -= 1
  return index
}

interface Point {
  readonly x: number
  readonly y: number
}

function isInside({ x, y }: Point, box: Box): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}

interface Stretch {
  readonly box: Box
  readonly isStepped: boolean
}

/** A straight stretch between two points, or a step: along the first value, then up or down at the second point. */
function isCrossing(from: Point, to: Point, { box, isStepped }: Stretch): boolean {
  if (to.x < box.left || from.x > box.right) return false
  const left = Math.max(box.left, from.x)
  const right = Math.min(box.right, to.x)
  const at = (x: number): number =>
    to.x === from.x ? to.y : from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x)
  const first = isStepped ? from.y : at(left)
  const last = isStepped ? (to.x <= box.right ? to.y : from.y) : at(right)
  return Math.min(first, last) <= box.bottom && Math.max(first, last) >= box.top
}

/** A level whose label is to be placed: the height of its line, and the width of the label. */
export interface LevelLabel {
  readonly y: number
  readonly width: number
  /** Where its left end was before: it stays there while there is room. */
  readonly left?: number | undefined
}

interface LabelRoom {
  /** The plotted area. */
  readonly area: Box
  /** Height of a label. */
  readonly height: number
  /** Distance to the area's sides, to other labels, and to the dashed line. */
  readonly gap: number
  /** Whether something is drawn where the label would be. */
  readonly isTaken: (box: Box) => boolean
}

/** Places that are tried along the line, from the left to the right side. */
const TRIES = 12

/**
 * A box for each label in order: above its line or else below it, where it was before or as far left as there is room,
 * and over another level's line only if there is no other room. Null where there is none at all: a label that covers
 * values would say less than no label.
 */
export function placeLabels(labels: readonly LevelLabel[], room: LabelRoom): readonly (Box | null)[] {
  const placed: Box[] = []
  return labels.map((label) => {
    const found = freeBox(label, placed, { labels, room })
    if (found !== null) placed.push(found)
    return found
  })
}

interface Surroundings {
  readonly labels: readonly LevelLabel[]
  readonly room: LabelRoom
}

/** Whether something is drawn at a place is asked last, and of few places: it means following the lines. */
function freeBox(label: LevelLabel, placed: readonly Box[], { labels, room }: Surroundings): Box | null {
  const untaken = candidates(label, room).filter((box) => placed.every((other) => !overlaps(box, other, room.gap)))
  const isClear = (box: Box): boolean => labels.every(({ y }) => y < box.top || y > box.bottom)
  const isFree = (box: Box): boolean => !room.isTaken(box)
  return (
    untaken.find((box) => isClear(box) && isFree(box)) ?? untaken.find((box) => !isClear(box) && isFree(box)) ?? null
  )
}

function candidates({ y, width, left: before }: LevelLabel, { area, height, gap }: LabelRoom): readonly Box[] {
  const first = area.left + gap
  const last = area.right - gap - width
  if (last < first) return []
  const tops = [y - gap / 4 - height, y + gap / 4].filter((top) => top >= area.top && top + height <= area.bottom)
  const lefts = Array.from({ length: TRIES }, (_, step) => first + ((last - first) * step) / (TRIES - 1))
  if (before !== undefined && before >= first && before <= last) lefts.unshift(before)
  return lefts.flatMap((left) => tops.map((top) => ({ left, top, right: left + width, bottom: top + height })))
}

function overlaps(a: Box, b: Box, gap: number): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom
}
