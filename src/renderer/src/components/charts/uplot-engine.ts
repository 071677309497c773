// The only file that imports uPlot. Loaded at the first chart.
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { drawBands, drawMarks, drawSpans } from './chart-canvas'
import type {
  ChartBand,
  ChartContent,
  ChartEngine,
  ChartSeries,
  ChartSpan,
  ChartSpec,
  DrawnChart,
} from './chart-engine'
import type { ChartScale } from './chart-pace'
import { spread } from './chart-scale'

/** The time range that a chart shows, moved and scaled by the mouse wheel. Pure; seconds. */
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

/** Keeps the time under the pointer in place. @param direction -1 zooms in, 1 zooms out */
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

const AXIS_FONT = '11px "Inter Variable", "Noto Sans SC Variable", system-ui, sans-serif'
/** Of the vertical axis: for each character of its longest label, beside it, and at least. */
const LETTER_PX = 6.2
const AXIS_REST_PX = 14
const MIN_AXIS_PX = 36
const TIME_AXIS_HEIGHT = 26
/** Height of the vertical axis while all values are zero: it gives whole-number labels. */
const EMPTY_RANGE = 5

export const chartEngine: ChartEngine = { draw: drawChart }

function drawChart(element: HTMLElement, spec: ChartSpec): DrawnChart {
  const view: View = { content: NOTHING, highest: 0, chosen: null }
  const life = { isOver: false }
  const kept = { cursorPx: spec.cursorPx }
  const showLegend = (): void => {
    if (life.isOver) return
    plot.legend.live = true
    if (plot.cursor.idx == null) showNewest(plot)
    else plot.setLegend({ idx: plot.cursor.idx }, false)
  }
  const plot = new UPlot(options(spec, element.clientWidth, view), [[], ...spec.series.map(() => [])], element)
  const observer = new ResizeObserver(([entry]) =>
    plot.setSize({ width: element.clientWidth, height: heightOf(spec, entry?.contentRect.height ?? 0) }),
  )
  observer.observe(element)
  plot.over.addEventListener('wheel', (event) => turn(plot, view, { spec, event }), { passive: false })
  return {
    show(content) {
      view.content = content
      view.highest = highestOf(content.bands)
      // At once, and the legend after all charts of this reading: text on a canvas makes the browser compute the style of
      // everything that was changed before it.
      plot.legend.live = false
      plot.batch(() => plot.setData(content.data as UPlot.AlignedData))
      if (kept.cursorPx !== null) plot.setCursor({ left: kept.cursorPx, top: 0 })
      kept.cursorPx = null
      queueMicrotask(showLegend)
    },
    scale: () => scaleOf(plot, view),
    followLive() {
      view.chosen = null
      plot.redraw(false, true)
      plot.setData(view.content.data as UPlot.AlignedData)
      spec.onLive(true)
    },
    cursorPx: () => kept.cursorPx ?? shownCursor(plot),
    dispose() {
      life.isOver = true
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** Below this width, charts stand below each other and each has its own height. */
const FILLS_FROM_PX = 640

function heightOf({ heightPx, isFilling }: ChartSpec, roomPx: number): number {
  return isFilling && window.innerWidth >= FILLS_FROM_PX ? Math.max(heightPx, Math.floor(roomPx)) : heightPx
}

function shownCursor({ cursor: { left } }: UPlot): number | null {
  return left === undefined || left < 0 ? null : left
}

/** Computed from what is drawn: asking the page for a size would make it lay itself out. */
function scaleOf({ bbox, scales }: UPlot, { content }: View): ChartScale | null {
  const widthPx = bbox.width / (window.devicePixelRatio || 1)
  const { min, max } = scales.y ?? {}
  if (min == null || max == null || !(widthPx > 0)) return null
  return { pixelMs: (content.windowSeconds * 1000) / widthPx, height: max - min }
}

const NOTHING: ChartContent = { data: [[]], end: 0, windowSeconds: 600, bands: [], spans: [] }
/** A shorter drag counts as a click. */
const MIN_CHOSEN_S = 5

interface View {
  content: ChartContent
  /** Highest value of all bands, so that none is cut. */
  highest: number
  /** Seconds from and to; null while the newest values are shown. */
  chosen: readonly [number, number] | null
}

/** From then on, the dragged range fills the chart. */
function choose(plot: UPlot, view: View, spec: ChartSpec): void {
  const { left, width } = plot.select
  if (width <= 0) return
  const from = plot.posToVal(left, 'x')
  const to = plot.posToVal(left + width, 'x')
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (to - from < MIN_CHOSEN_S) return
  view.chosen = [from, to]
  plot.setData(view.content.data as UPlot.AlignedData)
  spec.onLive(false)
}

interface Turned {
  readonly spec: ChartSpec
  readonly event: WheelEvent
}

/** Sideways or with Shift: moves through time. With Ctrl: zooms. Anything else scrolls the page. */
function turn(plot: UPlot, view: View, { spec, event }: Turned): void {
  const isZoom = event.ctrlKey || event.metaKey
  const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX
  if (!isZoom && Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return
  event.preventDefault()
  const { end, windowSeconds } = view.content
  const now = view.chosen ?? [end - windowSeconds, end]
  const next = isZoom
    ? zoomed(now, plot.posToVal(event.offsetX, 'x'), Math.sign(event.deltaY))
    : shifted(now, Math.sign(sideways))
  view.chosen = within(next, end - windowSeconds, end)
  plot.setData(view.content.data as UPlot.AlignedData)
  spec.onLive(view.chosen === null)
}

/** What the band under the cross-hair means, as the chart's tooltip. */
function nameSpan(plot: UPlot, view: View): void {
  const left = shownCursor(plot)
  const second = left === null ? null : plot.posToVal(left, 'x')
  const span = second === null ? undefined : view.content.spans.find((one) => isWithin(one, second))
  plot.over.title = span?.label ?? ''
}

function isWithin({ from, to }: ChartSpan, second: number): boolean {
  return second >= from && (to === null || second <= to)
}

function highestOf(bands: readonly (ChartBand | null)[]): number {
  return bands.reduce((most, band) => (band?.high ?? []).reduce<number>((max, one) => Math.max(max, one ?? 0), most), 0)
}

/** Without a cross-hair, the legend shows the newest values. */
function showNewest(plot: UPlot): void {
  if (plot.cursor.idx != null) return
  const last = plot.data[0].length - 1
  plot.setLegend({ idxs: plot.data.map((values) => newestKnown(values, last)) }, false)
  growLegend(plot)
  placeLegend(plot)
}

/** Height of a label at a line's end. */
const END_PX = 18

/** Each label beside the end of its line, as near as the others allow. Lines closer than a label keep their order. */
function placeLegend(plot: UPlot): void {
  const ratio = window.devicePixelRatio || 1
  const top = plot.bbox.top / ratio
  const height = plot.bbox.height / ratio
  const last = plot.data[0].length - 1
  const endOf = (line: number): number => {
    const values = plot.data[line] ?? []
    const value = values[newestKnown(values, last)]
    const at = value == null ? height : Math.min(height, Math.max(0, plot.valToPos(value, 'y')))
    return top + at - END_PX / 2
  }
  const ends = [...plot.root.querySelectorAll<HTMLElement>('.u-legend .u-series')]
    .slice(1)
    .map((label, index) => ({ label, y: endOf(index + 1) }))
    .sort((one, other) => Math.round(one.y / END_PX) - Math.round(other.y / END_PX))
  const placed = spread(
    ends.map(({ y }) => y),
    END_PX,
    0,
    top + height - END_PX / 2,
  )
  ends.forEach(({ label }, place) => {
    const y = `${Math.round(placed[place] ?? 0)}px`
    if (label.style.getPropertyValue('--y') !== y) label.style.setProperty('--y', y)
  })
}

/** A value of the legend gets the room of the longest so far, so that a shorter one moves nothing beside it. */
function growLegend({ root }: UPlot): void {
  for (const cell of root.querySelectorAll<HTMLElement>('.u-legend .u-value')) {
    const columns = columnsOf(cell.textContent ?? '')
    if (columns > Number(cell.dataset.columns ?? 0)) {
      cell.dataset.columns = String(columns)
      cell.style.inlineSize = `${columns}ch`
    }
  }
}

/** Widths of a digit: characters of Chinese take two. */
const WIDE = /[\u2e80-\uffef]/g

const columnsOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0)

/** The lines of one chart aren't read at the same moment: the newest point of one may lack the others. */
const READ_APART = 3

function newestKnown(values: ArrayLike<unknown>, last: number): number {
  for (let index = last; index > last - READ_APART && index >= 0; index--) if (values[index] != null) return index
  return last
}

function options(spec: ChartSpec, width: number, view: View): UPlot.Options {
  const [low, high] = spec.range
  return {
    width,
    height: spec.heightPx,
    padding: [8, RIGHT_PADDING_PX, 0, 0],
    cursor: {
      sync: { key: spec.syncKey },
      y: false,
      drag: { x: true, y: false, setScale: false },
      // Prevents the library's own zoom on a double click.
      bind: { dblclick: () => null },
      points: { size: 6 },
    },
    legend: { show: true, live: true },
    hooks: {
      setLegend: [growLegend],
      setSize: [placeLegend],
      setCursor: [showNewest, (plot) => nameSpan(plot, view)],
      setSelect: [(plot) => choose(plot, view, spec)],
      drawAxes: [
        (plot) => drawSpans(plot, view.content.spans, { colors: spec.colors.spans, font: AXIS_FONT }),
        (plot) => drawBands(plot, view.content.bands, spec.series),
        (plot) => drawMarks(plot, spec.marks, { series: spec.series, font: AXIS_FONT }),
      ],
    },
    scales: {
      x: {
        time: true,
        range: () => [...(view.chosen ?? [view.content.end - view.content.windowSeconds, view.content.end])],
      },
      y: {
        range: (_plot, min, max) => {
          const bottom = low ?? min
          if (high !== null) return [bottom, Math.max(high, bottom + 1e-9)]
          const robust = Math.min(max, robustTop(view.content.data))
          const most = Math.max(robust, Math.min(view.highest, robust * SPIKE), ...spec.marks.map((mark) => mark.value))
          return [bottom, Math.max(most > bottom ? most * 1.08 : bottom + EMPTY_RANGE, bottom + 1e-9)]
        },
      },
    },
    axes: axesOf(spec),
    series: [
      { label: spec.timeLabel, value: (_plot, second) => (second == null ? '–' : spec.formatTime(second * 1000)) },
      ...spec.series.map((series) => seriesOptions(series, spec)),
    ],
  }
}

/** What is this many times above almost all other values is a spike: it is clipped, the axis stays. */
const SPIKE = 1.5
/** The part of the values that sets the axis. */
const USUAL_PART = 0.99

/** The top that suits all but the highest values, so that a first second spoils no chart. */
function robustTop(data: ChartContent['data']): number {
  const known: number[] = []
  for (const values of data.slice(1)) for (const value of values) if (value != null) known.push(value)
  if (known.length === 0) return Number.POSITIVE_INFINITY
  const sorted = Float64Array.from(known).sort()
  const usual = sorted[Math.floor(USUAL_PART * (sorted.length - 1))] ?? 0
  const highest = sorted.at(-1) ?? 0
  return usual > 0 && highest > SPIKE * usual ? usual * SPIKE : highest
}

/** Time below, values at the left. */
function axesOf(spec: ChartSpec): UPlot.Axis[] {
  const axis = {
    stroke: spec.colors.text,
    font: AXIS_FONT,
    grid: { stroke: spec.colors.grid, width: 1 },
    ticks: { show: false },
  }
  return [
    {
      ...axis,
      space: (plot) => Math.max(TIME_SPACE_PX, plot.width / MAX_TIMES),
      incrs: [...TIME_STEPS_S],
      size: TIME_AXIS_HEIGHT,
      values: (plot, splits) => {
        const text = splits.every((second) => second % 60 === 0) ? spec.formatMinute : spec.formatTime
        return splits.map((second) => (hasRoom(plot, second) ? text(second * 1000) : ''))
      },
    },
    {
      ...axis,
      size: (_plot, labels) => axisWidth(labels ?? []),
      // Even a low chart gets a label between its lowest and highest, and a high one no more than can be read at a glance.
      space: (plot) => Math.max(Math.min(VALUE_SPACE_PX, spec.heightPx / 4), plot.height / MAX_VALUES),
      values: (_plot, splits) => withoutRepeats(spec.formatTicks(splits)),
    },
  ]
}

/** Seconds between two times of the axis, close enough that a narrow chart of ten minutes has three. */
const TIME_STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
]

/** Minimum distance between two labels of each axis, and the most of them. */
const VALUE_SPACE_PX = 36
const MAX_VALUES = 7
const TIME_SPACE_PX = 72
const MAX_TIMES = 9

/** Half of a time label's width, and the padding beside the chart: a label is shown in full or not at all. */
const HALF_LABEL_PX = 28
const RIGHT_PADDING_PX = 12

/** Within the picture, and clear of the lowest label of the vertical axis. */
function hasRoom(plot: UPlot, second: number): boolean {
  const at = plot.valToPos(second, 'x')
  const axis = plot.bbox.left / (window.devicePixelRatio || 1)
  return at >= HALF_LABEL_PX - AXIS_REST_PX && at + HALF_LABEL_PX <= plot.width - axis
}

/** As wide as its labels: a round value more or less changes it. */
function axisWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map((label) => label.length))
  return Math.max(MIN_AXIS_PX, Math.ceil(AXIS_REST_PX + longest * LETTER_PX))
}

/** Values so close that rounding makes them equal get one label. */
function withoutRepeats(labels: readonly string[]): string[] {
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label))
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
