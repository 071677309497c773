// The only file that knows uPlot. Loaded at the first chart.
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { drawBands, drawMarks } from './chart-canvas'
import type { ChartBand, ChartData, ChartEngine, ChartSeries, ChartSpec, DrawnChart } from './chart-engine'

const AXIS_FONT = '11px "JetBrains Mono", ui-monospace, monospace'
const AXIS_WIDTH = 68
const TIME_AXIS_HEIGHT = 26
/** Height of the vertical axis while everything is zero: whole numbers make its labels. */
const EMPTY_RANGE = 5

export const chartEngine: ChartEngine = { draw: drawChart }

function drawChart(element: HTMLElement, spec: ChartSpec): DrawnChart {
  const view: View = { seconds: 600, bands: [], highest: 0 }
  const plot = new UPlot(options(spec, element.clientWidth, view), [[], ...spec.series.map(() => [])], element)
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: spec.heightPx }))
  observer.observe(element)
  return {
    setData(data: ChartData, windowSeconds, bands) {
      view.seconds = windowSeconds
      view.bands = bands
      view.highest = highestOf(bands)
      plot.setData(data as UPlot.AlignedData)
      showNewest(plot)
    },
    dispose() {
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** What is drawn besides the lines themselves. */
interface View {
  seconds: number
  bands: readonly (ChartBand | null)[]
  /** Of all bands, so that none is cut. */
  highest: number
}

function highestOf(bands: readonly (ChartBand | null)[]): number {
  return bands.reduce((most, band) => (band?.high ?? []).reduce<number>((max, one) => Math.max(max, one ?? 0), most), 0)
}

/** Without a cross-hair the legend shows the newest values. */
function showNewest(plot: UPlot): void {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false)
}

function options(spec: ChartSpec, width: number, view: Readonly<View>): UPlot.Options {
  const [low, high] = spec.range
  const axis = {
    stroke: spec.colors.text,
    font: AXIS_FONT,
    grid: { stroke: spec.colors.grid, width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height: spec.heightPx,
    padding: [8, 12, 0, 0],
    cursor: { sync: { key: spec.syncKey }, y: false, drag: { x: false, y: false }, points: { size: 6 } },
    legend: { show: true, live: true },
    hooks: {
      setCursor: [showNewest],
      drawAxes: [(plot) => drawBands(plot, view.bands, spec.series), (plot) => drawMarks(plot, spec.marks, AXIS_FONT)],
    },
    scales: {
      x: {
        time: true,
        range: (_plot, min, max) => [Math.max(min, max - view.seconds) === min ? max - view.seconds : min, max],
      },
      y: {
        range: (_plot, min, max) => {
          const bottom = low ?? min
          const most = Math.max(max, view.highest, ...spec.marks.map((mark) => mark.value))
          const top = high ?? (most > bottom ? most * 1.08 : bottom + EMPTY_RANGE)
          return [bottom, Math.max(top, bottom + 1e-9)]
        },
      },
    },
    axes: [
      {
        ...axis,
        space: 80,
        size: TIME_AXIS_HEIGHT,
        values: (_plot, splits) => splits.map((second) => spec.formatTime(second * 1000)),
      },
      {
        ...axis,
        size: AXIS_WIDTH,
        space: 36,
        values: (_plot, splits) => splits.map((value) => spec.formatTick(value)),
      },
    ],
    series: [
      { label: spec.timeLabel, value: (_plot, second) => (second == null ? '–' : spec.formatTime(second * 1000)) },
      ...spec.series.map((series) => seriesOptions(series, spec)),
    ],
  }
}

function seriesOptions(series: ChartSeries, spec: ChartSpec): UPlot.Series {
  const stepped = UPlot.paths.stepped?.({ align: 1 })
  return {
    label: series.label,
    stroke: series.color,
    width: series.width,
    spanGaps: false,
    points: { show: false },
    value: (_plot, value) => (value == null ? '–' : spec.formatValue(value)),
    ...(series.dash === null ? {} : { dash: [...series.dash] }),
    ...(series.isStepped && stepped !== undefined ? { paths: stepped } : {}),
  }
}
