// What a chart shows besides its lines: the spread around each point, threshold levels, and times without data.
import type UPlot from 'uplot'
import type { ChartBand, ChartMark, ChartSeries, ChartSpan, SpanKind } from './chart-engine'
import { type Box, crosses, placeLabels } from './mark-labels'

const BAND_ALPHA = 0.22
const LABEL_GAP = 4
const LABEL_HEIGHT = 13

/**
 * Fills from the lowest to the highest value of each point; where nothing was recorded, the band breaks like its line.
 */
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

/**
 * Hatched where a device was paused, plain gray where nothing was recorded; the reason is written inside if it fits.
 */
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

/** Whether any of the lines runs through the box. */
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
