// Ten minutes of a series in 120 pixels: one pixel a point, drawn on an own canvas every five seconds.
import { memo, useEffect, useRef } from 'react'
import { openChartFeed } from '../state/chart-feed'
import { useEnvironment } from '../state/environment'
import type { Samples } from '../state/sample-rings'

const WIDTH = 120
const HEIGHT = 24
const SIZE = { width: WIDTH, height: HEIGHT }
const PIXEL_MS = 5000
/** A little less than a pixel's time: readings are not that punctual. */
const REDRAW_MS = 4500

export interface SparklineProps {
  readonly device: number
  readonly label: string
}

export const Sparkline = memo(function Sparkline({ device, label }: SparklineProps) {
  const { stores, clock, loadCharts } = useEnvironment()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (loadCharts === null) return
    const state = { drawnAt: Number.NEGATIVE_INFINITY, points: 0 }
    const redraw = ([samples]: readonly Samples[]): void => {
      if (canvas.current === null || samples === undefined || document.visibilityState === 'hidden') return
      const hasHistory = samples.times.length > state.points + 2
      if (!hasHistory && clock.monotonic() - state.drawnAt < REDRAW_MS) return
      state.drawnAt = clock.monotonic()
      state.points = samples.times.length
      draw(canvas.current, sparkPoints(samples, clock.now()))
    }
    const line = { ring: `${device}.hashrate`, history: { device, series: 'hashrate' } } as const
    const feed = openChartFeed([line], '10m', { rings: stores.rings, queries: stores.queries, clock }, redraw)
    return () => feed.dispose()
  }, [stores, clock, loadCharts, device])
  return <canvas ref={canvas} role="img" aria-label={label} style={SIZE} />
})

/** Mean of each 5 s slot of the last ten minutes, oldest first; null where nothing was recorded. */
export function sparkPoints(samples: Samples, nowMs: number): readonly (number | null)[] {
  const sums = new Array<number>(WIDTH).fill(0)
  const counts = new Array<number>(WIDTH).fill(0)
  samples.times.forEach((time, index) => {
    const slot = WIDTH - 1 - Math.floor((nowMs - time) / PIXEL_MS)
    const value = samples.values[index]
    if (value == null || slot < 0 || slot >= WIDTH) return
    sums[slot] = (sums[slot] ?? 0) + value
    counts[slot] = (counts[slot] ?? 0) + 1
  })
  return sums.map((sum, slot) => {
    const count = counts[slot] ?? 0
    return count === 0 ? null : sum / count
  })
}

function draw(canvas: HTMLCanvasElement, points: readonly (number | null)[]): void {
  const ratio = window.devicePixelRatio || 1
  // Another size is another memory: only where it is one.
  if (canvas.width !== Math.floor(WIDTH * ratio)) canvas.width = WIDTH * ratio
  if (canvas.height !== Math.floor(HEIGHT * ratio)) canvas.height = HEIGHT * ratio
  const context = canvas.getContext('2d')
  if (context === null) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, WIDTH, HEIGHT)
  context.strokeStyle = getComputedStyle(canvas).getPropertyValue('--series-1')
  context.lineWidth = 1.5
  const largest = Math.max(...points.map((point) => point ?? 0))
  if (largest <= 0) return
  context.beginPath()
  points.forEach((point, x) => {
    if (point === null) return
    const y = HEIGHT - 2 - (point / largest) * (HEIGHT - 4)
    if (points[x - 1] == null) context.moveTo(x, y)
    else context.lineTo(x, y)
  })
  context.stroke()
}
