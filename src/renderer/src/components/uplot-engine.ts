// The only file that knows uPlot. Loaded at the first chart.
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartData, ChartEngine, ChartSeries, ChartSpec, DrawnChart } from './chart-engine'

const AXIS_FONT = '11px "JetBrains Mono", ui-monospace, monospace'
const AXIS_WIDTH = 68
const TIME_AXIS_HEIGHT = 26

export const chartEngine: ChartEngine = { draw: drawChart }

function drawChart(element: HTMLElement, spec: ChartSpec): DrawnChart {
  const view = { seconds: 600 }
  const plot = new UPlot(options(spec, element.clientWidth, view), [[], ...spec.series.map(() => [])], element)
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: spec.heightPx }))
  observer.observe(element)
  return {
    setData(data: ChartData, windowSeconds) {
      view.seconds = windowSeconds
      plot.setData(data as UPlot.AlignedData)
      showNewest(plot)
    },
    dispose() {
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** Without a cross-hair the legend shows the newest values. */
function showNewest(plot: UPlot): void {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false)
}

function options(spec: ChartSpec, width: number, view: { readonly seconds: number }): UPlot.Options {
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
    hooks: { setCursor: [showNewest] },
    scales: {
      x: {
        time: true,
        range: (_plot, min, max) => [Math.max(min, max - view.seconds) === min ? max - view.seconds : min, max],
      },
      y: {
        range: (_plot, min, max) => {
          const bottom = low ?? min
          const top = high ?? (max > bottom ? max * 1.08 : bottom + 1)
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
