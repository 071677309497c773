// What a chart shows besides its lines: the spread of each point, and the levels that mean something.
import type UPlot from 'uplot'
import type { ChartBand, ChartMark, ChartSeries } from './chart-engine'

const BAND_ALPHA = 0.22
const LABEL_GAP = 4
const LABEL_HEIGHT = 13

/** Fills from the least to the most of each point; where nothing was recorded the band breaks like its line. */
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

/** Dashed lines across the chart, each with its word at one end: above the line where there is room, else below. */
export function drawMarks(plot: UPlot, marks: readonly ChartMark[], font: string): void {
  const { ctx, bbox } = plot
  const ratio = window.devicePixelRatio || 1
  ctx.save()
  clip(plot)
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.lineWidth = ratio
  ctx.font = font.replace(/(\d+)px/, (_, size: string) => `${Number(size) * ratio}px`)
  for (const { value, label, color, side } of marks) {
    const y = Math.round(plot.valToPos(value, 'y', true))
    ctx.strokeStyle = color
    ctx.fillStyle = color
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const isAbove = y - LABEL_HEIGHT * ratio >= bbox.top
    ctx.textBaseline = isAbove ? 'bottom' : 'top'
    ctx.textAlign = side === 'start' ? 'left' : 'right'
    const x = side === 'start' ? bbox.left + LABEL_GAP * ratio : bbox.left + bbox.width - LABEL_GAP * ratio
    ctx.fillText(label, x, isAbove ? y - ratio : y + 2 * ratio)
  }
  ctx.restore()
}

function clip({ ctx, bbox }: UPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}
