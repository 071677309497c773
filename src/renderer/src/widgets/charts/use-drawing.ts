// Keeps the drawn chart of a figure up to date with its samples, its pause bands, the theme, and the range the user
// dragged over.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import type { ChartContent, ChartEngine, ChartSpan, ChartSpec, DrawnChart } from '../../components/charts/chart-engine'
import type { ChartScale } from '../../components/charts/chart-pace'
import type { Formatter, NumberKind } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { joinBands, joinSamples, shownSeconds, unrecorded } from '../../state/chart-feed'
import { useEnvironment } from '../../state/environment'
import type { Samples } from '../../state/sample-rings'
import { useTheme } from '../../state/theme'
import type { ChartLine, Threshold } from './chart-line'

/** A chart that is about to be scrolled into view is drawn before that. */
const SIGHT_MARGIN = '100px'

interface Drawing {
  show(samples: readonly Samples[], window: HistoryWindow): void
  setSpans(spans: readonly ChartSpan[]): void
  /** How the chart is drawn; null while it isn't. */
  scale(): ChartScale | null
  followLive(): void
}

interface DrawingLook {
  readonly lines: readonly ChartLine[]
  readonly kind: NumberKind
  readonly heightPx: number
  readonly isFilling?: boolean
  readonly range?: readonly [number | null, number | null]
  readonly syncKey: string
  readonly thresholds: readonly Threshold[]
}

interface DrawingState {
  chart: DrawnChart | null
  /** Whether the chart is in view, or nearly: out of view it is drawn once and then costs nothing. */
  isInSight: boolean
  hasDrawn: boolean
  /** Where the cross-hair stood when the chart before this one went. */
  cursorPx: number | null
  /** Which lines the chart has. */
  drawn: readonly number[]
  /** The latest content, for a chart that is loaded later. */
  samples: readonly Samples[]
  window: HistoryWindow
  spans: readonly ChartSpan[]
}

export function pick<T>(all: readonly T[], indexes: readonly number[]): readonly T[] {
  return indexes.flatMap((index) => all[index] ?? [])
}

/** `drawn`: indexes of the lines that have values. `isLive` is false while a dragged range is shown. */
export function useDrawing(
  look: DrawingLook,
  drawn: readonly number[],
  holder: { readonly current: HTMLDivElement | null },
): { readonly drawing: Drawing; readonly isLive: boolean } {
  const { loadCharts } = useEnvironment()
  const format = useFormat()
  const theme = useTheme()
  const t = useText()
  const [isLive, setLive] = useState(true)
  const { state, draw, drawing } = useCanvas()
  const { lines, kind, range, syncKey: sync, heightPx, thresholds: marks, isFilling: fills = false } = look
  const low = range?.[0] ?? null
  const high = range?.[1] ?? null

  useEffect(() => {
    const element = holder.current
    if (element === null || loadCharts === null) return
    const life: { isOver: boolean; chart: DrawnChart | null } = { isOver: false, chart: null }
    const begin = (engine: ChartEngine): void => {
      if (life.isOver) return
      const place = { heightPx, isFilling: fills, cursorPx: state.cursorPx }
      const shown = { lines: pick(lines, drawn), kind, range: [low, high] } as const
      const own = { syncKey: sync, thresholds: marks, onLive: setLive }
      const spec = chartSpec({ ...shown, ...place, ...own, format, timeLabel: t('ui.chart.time'), theme })
      life.chart = engine.draw(element, spec)
      Object.assign(state, { chart: life.chart, drawn, hasDrawn: false })
      setLive(true)
      draw()
    }
    const onSight = (entries: readonly IntersectionObserverEntry[]): void => {
      state.isInSight = entries.some(({ isIntersecting }) => isIntersecting)
      draw()
    }
    const sight = new IntersectionObserver(onSight, { rootMargin: SIGHT_MARGIN })
    sight.observe(element)
    loadCharts().then(begin, () => undefined) // if a chart can't be loaded, the summary and the table remain
    return () => {
      life.isOver = true
      sight.disconnect()
      if (life.chart !== null) state.cursorPx = life.chart.cursorPx()
      life.chart?.dispose()
      state.chart = null
    }
  }, [holder, loadCharts, lines, drawn, kind, low, high, sync, heightPx, fills, format, t, theme, marks, state, draw])

  return { drawing, isLive }
}

/** The latest content, whether or not there is a chart yet. */
function useCanvas() {
  const { clock } = useEnvironment()
  const t = useText()
  const state = useRef<DrawingState>({
    chart: null,
    isInSight: false,
    hasDrawn: false,
    cursorPx: null,
    drawn: [],
    samples: [],
    window: '10m',
    spans: [],
  }).current
  return useMemo(() => {
    const draw = (): void => {
      if (state.chart === null || document.visibilityState === 'hidden') return
      if (!state.isInSight && state.hasDrawn) return
      state.hasDrawn = state.samples.length > 0
      state.chart.show(contentOf(state, clock.now(), t('ui.chart.unrecorded')))
    }
    const drawing: Drawing = {
      show(samples, window) {
        Object.assign(state, { samples, window })
        draw()
      },
      setSpans(spans) {
        state.spans = spans
        draw()
      },
      scale: () => state.chart?.scale() ?? null,
      followLive: () => state.chart?.followLive(),
    }
    return { state, draw, drawing }
  }, [state, clock, t])
}

/** The right edge is now, so that the charts of a page are aligned. */
function contentOf({ samples, drawn, window, spans }: DrawingState, nowMs: number, gapLabel: string): ChartContent {
  const shown = pick(samples, drawn)
  const data = joinSamples(shown, window)
  const gaps = unrecorded(data, window).map(([from, to]) => ({
    from,
    to,
    kind: 'unrecorded' as const,
    label: gapLabel,
  }))
  return {
    data,
    end: nowMs / 1000,
    windowSeconds: shownSeconds(data, window, nowMs / 1000),
    bands: joinBands(shown, data[0]),
    spans: [...gaps, ...spans],
  }
}

interface SpecInput {
  readonly lines: readonly ChartLine[]
  readonly kind: NumberKind
  readonly range: readonly [number | null, number | null]
  readonly syncKey: string
  readonly heightPx: number
  readonly isFilling: boolean
  readonly format: Formatter
  readonly timeLabel: string
  /** Only so that a change of theme recreates the chart: colors are read from the document. */
  readonly theme: string
  readonly thresholds: readonly Threshold[]
  readonly cursorPx: number | null
  readonly onLive: (isLive: boolean) => void
}

function chartSpec(input: SpecInput): ChartSpec {
  const { lines, kind, range, syncKey, heightPx, isFilling, format, timeLabel, thresholds, cursorPx, onLive } = input
  const style = getComputedStyle(document.documentElement)
  const color = (token: string): string => style.getPropertyValue(`--${token}`).trim()
  return {
    series: lines.map((line) => ({
      label: line.label,
      color: color(lines.length === 1 ? 'dev-one' : `dev-${line.color}`),
      width: line.isThin === true ? 1 : 1.5,
      dash: line.isDashed === true ? [6, 3] : null,
      isStepped: line.isStepped === true,
    })),
    colors: {
      text: color('text-3'),
      grid: color('line'),
      spans: {
        paused: color('loss-planned'),
        error: color('loss-fault'),
        building: color('loss-planned'),
        silent: color('loss-fault'),
        waiting: color('loss-work'),
        unrecorded: color('text-3'),
      },
    },
    marks: thresholds.map(({ value, label, level }) => ({
      value,
      label,
      color: color(level === 'muted' ? 'text-3' : level),
    })),
    heightPx,
    isFilling,
    range,
    formatTicks: (values) => format.ticks(kind, values),
    formatValue: (value) => format.text(kind, value),
    formatTime: (ms) => format.timeOfDay(ms),
    formatMinute: (ms) => format.clock(ms),
    timeLabel,
    syncKey,
    cursorPx,
    onLive,
  }
}
