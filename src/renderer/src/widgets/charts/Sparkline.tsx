// Ten minutes, an hour or a day of hashrate in 120 pixels: one pixel per point, drawn on its own canvas as each pixel fills.
import { memo, useEffect, useRef } from 'react'
import type { ChartScale } from '../../components/charts/chart-pace'
import { openChartFeed, secondsSince, windowSeconds } from '../../state/chart-feed'
import { useEnvironment } from '../../state/environment'
import type { Samples } from '../../state/sample-rings'

const WIDTH = 120
const HEIGHT = 24
const SIZE = { width: WIDTH, height: HEIGHT }
/** A little less than a pixel's time: readings aren't that punctual. */
const PUNCTUAL = 0.9

interface SparklineProps {
  readonly device: number
  readonly label: string
  /** A CSS variable, from `deviceColor`. */
  readonly color: string
  readonly window?: '10m' | '1h' | '24h'
}

/** The hashrate in its own range. */
export const Sparkline = memo(function Sparkline({ device, label, color, window: shown = '10m' }: SparklineProps) {
  const { stores, clock, loadCharts } = useEnvironment()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (loadCharts === null) return
    const stroke = themeColor(color)
    const pixelMs = (windowSeconds[shown] * 1000) / WIDTH
    const state = { drawnAt: Number.NEGATIVE_INFINITY, points: 0 }
    const redraw = ([samples]: readonly Samples[]): void => {
      if (canvas.current === null || samples === undefined || document.visibilityState === 'hidden') return
      const hasHistory = samples.times.length > state.points + 2
      if (!hasHistory && clock.monotonic() - state.drawnAt < PUNCTUAL * pixelMs) return
      state.drawnAt = clock.monotonic()
      state.points = samples.times.length
      const now = clock.now()
      // A pixel shorter than the time between two readings would leave gaps in the line.
      const first = samples.times[samples.values.findIndex((value) => value !== null)]
      const seconds = secondsSince(first === undefined ? undefined : first / 1000, shown, now / 1000)
      draw(
        canvas.current,
        sparkPoints(samples, now, Math.max((seconds * 1000) / WIDTH, Math.min(pixelMs / 2, 2 * stepOf(samples)))),
        stroke(),
      )
    }
    const line = { ring: `${device}.hashrate`, history: { device, series: 'hashrate' } } as const
    const scale = (): ChartScale => ({ pixelMs, height: Number.POSITIVE_INFINITY })
    const { rings, queries, pace } = stores
    const feed = openChartFeed([line], shown, { rings, queries, pace, clock, scale }, redraw)
    return () => feed.dispose()
  }, [stores, clock, loadCharts, device, color, shown])
  return <canvas ref={canvas} role="img" aria-label={label} style={SIZE} />
})

/** Read again when the theme changes: asking at each drawing makes the browser compute all styles of the page. */
function themeColor(variable: string): () => string {
  const { documentElement } = document
  const last: { theme: string | undefined; color: string | null } = { theme: '', color: null }
  return () => {
    const { theme } = documentElement.dataset
    if (last.color === null || last.theme !== theme)
      Object.assign(last, {
        theme,
        color: getComputedStyle(documentElement).getPropertyValue(variable.slice('var('.length, -1)).trim(),
      })
    return last.color ?? ''
  }
}

/** Mean time between two readings; infinite if there is only one. */
function stepOf({ times }: Samples): number {
  const [first] = times
  const last = times[times.length - 1]
  return first === undefined || last === undefined || times.length < 2
    ? Number.POSITIVE_INFINITY
    : (last - first) / (times.length - 1)
}

/** Mean of each slot of `pixelMs`, oldest first; null where nothing was recorded. */
export function sparkPoints(samples: Samples, nowMs: number, pixelMs: number): readonly (number | null)[] {
  const sums = new Array<number>(WIDTH).fill(0)
  const counts = new Array<number>(WIDTH).fill(0)
  const { times, values } = samples
  for (let index = 0; index < times.length; index++) {
    const slot = WIDTH - 1 - Math.floor((nowMs - (times[index] ?? 0)) / pixelMs)
    const value = values[index]
    if (value == null || slot < 0 || slot >= WIDTH) continue
    sums[slot] = (sums[slot] ?? 0) + value
    counts[slot] = (counts[slot] ?? 0) + 1
  }
  return sums.map((sum, slot) => {
    const count = counts[slot] ?? 0
    return count === 0 ? null : sum / count
  })
}

/** Less than this part of the mean is drawn flat: what hardly moves looks still. */
const LEAST_RANGE = 0.12

function draw(canvas: HTMLCanvasElement, points: readonly (number | null)[], color: string): void {
  const ratio = window.devicePixelRatio || 1
  // Setting a canvas size clears it, so set it only when it changes.
  if (canvas.width !== Math.floor(WIDTH * ratio)) canvas.width = WIDTH * ratio
  if (canvas.height !== Math.floor(HEIGHT * ratio)) canvas.height = HEIGHT * ratio
  const context = canvas.getContext('2d')
  if (context === null) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, WIDTH, HEIGHT)
  context.strokeStyle = color
  context.lineWidth = 1.5
  const known = points.filter((point) => point !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const range = Math.max(high - low, (LEAST_RANGE * (low + high)) / 2)
  if (!(range > 0)) return
  const bottom = (low + high - range) / 2
  context.beginPath()
  points.forEach((point, x) => {
    if (point === null) return
    const y = HEIGHT - 2 - ((point - bottom) / range) * (HEIGHT - 4)
    if (points[x - 1] == null) context.moveTo(x, y)
    else context.lineTo(x, y)
  })
  context.stroke()
}
