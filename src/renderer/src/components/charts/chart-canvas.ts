// What a chart shows besides its lines: the spread around each point, threshold levels, and times without data.
import type UPlot from 'uplot'
import type { ChartBand, ChartMark, ChartSeries, ChartSpan, SpanKind } from './chart-engine'

const BAND_ALPHA = 0.22
const LABEL_GAP = 4
const LABEL_HEIGHT = 13

/** Fills from the lowest to the highest value of each point; breaks like its line where nothing was recorded. */
export function drawBands(plot: UPlot, bands: readonly (ChartBand | null)[], series: readonly ChartSeries[]): void {
  const { ctx } = plot
  ctx.save()
  clip(plot)
  ctx.globalAlpha = BAND_ALPHA
  bands.forEach((band, index) => {
    if (band === null) return
    ctx.fillStyle = series[index]?.color ?? ''
    for (const [first, last] of runsOf(band)) fillRun(plot, band, first, last)
  })
  ctx.restore()
}

/** First and last index of each stretch without a gap. */
export function runsOf({ low, high }: ChartBand): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = []
  let start = -1
  for (let index = 0; index <= low.length; index++) {
    const isKnown = low[index] != null && high[index] != null
    if (isKnown && start < 0) start = index
    if (!isKnown && start >= 0) {
      runs.push([start, index - 1])
      start = -1
    }
  }
  return runs
}

function fillRun(plot: UPlot, band: ChartBand, first: number, last: number): void {
  const { ctx } = plot
  const x = (index: number): number => plot.valToPos(plot.data[0][index] ?? 0, 'x', true)
  const y = (value: number | null | undefined): number => plot.valToPos(value ?? 0, 'y', true)
  ctx.beginPath()
  for (let index = first; index <= last; index++) ctx.lineTo(x(index), y(band.high[index]))
  for (let index = last; index >= first; index--) ctx.lineTo(x(index), y(band.low[index]))
  ctx.closePath()
  ctx.fill()
}

const HATCH_STEP = 7
const SPAN_ALPHA = 0.1
const HATCH_ALPHA = 0.45

interface SpanLook {
  readonly colors: Readonly<Record<SpanKind, string>>
  readonly font: string
}

/** Hatched where a device was paused, gray where nothing was recorded; the reason stands inside if it fits. */
export function drawSpans(plot: UPlot, spans: readonly ChartSpan[], { colors, font }: SpanLook): void {
  const { ctx, bbox } = plot
  ctx.save()
  clip(plot)
  for (const { from, to, kind, label } of spans) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true))
    const right = Math.min(bbox.left + bbox.width, to === null ? Infinity : plot.valToPos(to, 'x', true))
    if (right <= bbox.left || left >= bbox.left + bbox.width) continue
    const width = Math.max(right - left, pixelRatio())
    ctx.fillStyle = colors[kind]
    ctx.strokeStyle = colors[kind]
    ctx.globalAlpha = SPAN_ALPHA
    ctx.fillRect(left, bbox.top, width, bbox.height)
    if (kind !== 'unrecorded') hatch(plot, left, width)
    ctx.globalAlpha = 1
    spanLabel(plot, label, { left, width, font })
  }
  ctx.restore()
}

const pixelRatio = (): number => window.devicePixelRatio || 1

/** Strokes from lower left to upper right. Counted from the chart's corner, so that neighboring bands line up. */
function hatch({ ctx, bbox }: UPlot, left: number, width: number): void {
  const ratio = pixelRatio()
  const step = HATCH_STEP * ratio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, bbox.top, width, bbox.height)
  ctx.clip()
  ctx.globalAlpha = HATCH_ALPHA
  ctx.lineWidth = ratio
  ctx.beginPath()
  const first = Math.floor((left - bbox.height - bbox.left) / step) * step + bbox.left
  for (let x = first; x < left + width; x += step) {
    ctx.moveTo(x, bbox.top + bbox.height)
    ctx.lineTo(x + bbox.height, bbox.top)
  }
  ctx.stroke()
  ctx.restore()
}

interface LabelPlace {
  readonly left: number
  readonly width: number
  readonly font: string
}

function spanLabel({ ctx, bbox }: UPlot, label: string, { left, width, font }: LabelPlace): void {
  const ratio = pixelRatio()
  ctx.font = scaled(font, ratio)
  const gap = LABEL_GAP * ratio
  if (label === '' || ctx.measureText(label).width + 2 * gap > width) return
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  ctx.fillText(label, left + gap, bbox.top + bbox.height - gap)
}

function scaled(font: string, ratio: number): string {
  return font.replace(/(\d+)px/, (_, size: string) => `${Number(size) * ratio}px`)
}

interface MarkLook {
  readonly series: readonly ChartSeries[]
  readonly font: string
}

/** Where the labels of each chart were last placed. */
const placed = new WeakMap<UPlot, readonly (Box | null)[]>()

/**
 * Dashed lines across the chart, each labeled where its label covers neither a plotted line nor another label. A label
 * without room is omitted: the levels are also listed beside the charts.
 */
export function drawMarks(plot: UPlot, marks: readonly ChartMark[], { series, font }: MarkLook): void {
  const { ctx, bbox } = plot
  const ratio = pixelRatio()
  ctx.save()
  clip(plot)
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.lineWidth = ratio
  ctx.font = scaled(font, ratio)
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  const before = placed.get(plot)
  const levels = marks.map(({ value, label }, index) => ({
    y: Math.round(plot.valToPos(value, 'y', true)),
    width: ctx.measureText(label).width,
    left: before?.[index]?.left,
  }))
  const boxes = placeLabels(levels, {
    area: { left: bbox.left, top: bbox.top, right: bbox.left + bbox.width, bottom: bbox.top + bbox.height },
    height: LABEL_HEIGHT * ratio,
    gap: LABEL_GAP * ratio,
    isTaken: (box) => isPlotted(plot, series, box),
  })
  placed.set(plot, boxes)
  marks.forEach(({ label, color }, index) => {
    const { y = 0 } = levels[index] ?? {}
    const box = boxes[index] ?? null
    ctx.strokeStyle = color
    ctx.fillStyle = color
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    if (box !== null) ctx.fillText(label, box.left, box.bottom)
  })
  ctx.restore()
}

function isPlotted(plot: UPlot, series: readonly ChartSeries[], box: Box): boolean {
  const scale = {
    x: (value: number) => plot.valToPos(value, 'x', true),
    y: (value: number) => plot.valToPos(value, 'y', true),
  }
  return series.some(({ isStepped }, index) =>
    crosses({ xs: plot.data[0], ys: plot.data[index + 1] ?? [], isStepped }, scale, box),
  )
}

function clip({ ctx, bbox }: UPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}

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
  readonly area: Box
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
