// A chart over time with its text alternative and its table. Points go straight to the canvas, not through React.
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { HistoryWindow } from '../../../contract/miner'
import type { Formatter, NumberKind } from '../format/formatter'
import { type Text, useFormat, useText } from '../i18n/text'
import { drawnLines, joinBands, joinSamples, openChartFeed, summarize, windowSeconds } from '../state/chart-feed'
import { useEnvironment } from '../state/environment'
import type { Samples } from '../state/sample-rings'
import { useTheme } from '../state/theme'
import { Button } from './Button'
import { ChartTable } from './ChartTable'
import type { ChartEngine, ChartSpec, DrawnChart } from './chart-engine'
import type { ChartLine, Threshold } from './chart-line'
import styles from './TimeChart.module.css'

const SUMMARY_MS = 30_000
const NO_THRESHOLDS: readonly Threshold[] = []

export interface TimeChartProps {
  readonly title: string
  /** `chart-` and `chart-table-` are put before it. */
  readonly testId: string
  readonly lines: readonly ChartLine[]
  readonly kind: NumberKind
  readonly window: HistoryWindow
  readonly heightPx?: number
  /** Bounds of the vertical axis; null follows the data. */
  readonly range?: readonly [number | null, number | null]
  readonly syncKey: string
  /** Levels drawn across the chart. */
  readonly thresholds?: readonly Threshold[]
  /** Beside the title: a switch of the time shown. */
  readonly aside?: ReactNode
}

export function TimeChart(props: TimeChartProps) {
  const { title, testId, lines, kind, window: shown, heightPx = 160, aside, thresholds = NO_THRESHOLDS } = props
  const t = useText()
  const format = useFormat()
  const holder = useRef<HTMLDivElement>(null)
  const latest = useRef<readonly Samples[]>([])
  const [summary, setSummary] = useState('')
  const [drawn, setDrawn] = useState<readonly number[]>([])
  const [isTable, setTable] = useState(false)
  const summaryId = useId()
  const { stores, clock } = useEnvironment()
  const drawing = useDrawing(props, drawn, holder, heightPx)

  useEffect(() => {
    const state = { summarizedAt: Number.NEGATIVE_INFINITY }
    const feed = openChartFeed(lines, shown, { rings: stores.rings, queries: stores.queries, clock }, (samples) => {
      latest.current = samples
      drawing.show(samples, shown)
      const found = drawnLines(samples)
      setDrawn((before) => (before.join() === found.join() ? before : found))
      if (found.length === 0 || clock.monotonic() - state.summarizedAt < SUMMARY_MS) return
      state.summarizedAt = clock.monotonic()
      setSummary(summaryText(lines, samples, { t, format, kind, thresholds }))
    })
    return () => feed.dispose()
  }, [lines, shown, stores, clock, drawing, t, format, kind, thresholds])

  return (
    <figure className={styles.chart} data-testid={`chart-${testId}`} aria-describedby={summaryId}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {aside}
        <Button size="small" variant="quiet" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'ui.chart.hideTable' : 'ui.chart.showTable')}
          <span className="visually-hidden"> {title}</span>
        </Button>
      </figcaption>
      {drawn.length === 0 ? (
        <p className={styles.collecting} style={{ minHeight: heightPx }}>
          {t('ui.chart.collecting')}
        </p>
      ) : (
        <div ref={holder} className={styles.canvas} style={{ minHeight: heightPx }} aria-hidden="true" />
      )}
      <p id={summaryId} className="visually-hidden">
        {summary === '' ? t('ui.chart.noSamples') : summary}
      </p>
      {isTable && (
        <ChartTable
          key={drawn.join()}
          testId={`chart-table-${testId}`}
          title={title}
          lines={pick(lines, drawn)}
          samples={pick(latest.current, drawn)}
          kind={kind}
        />
      )}
    </figure>
  )
}

function pick<T>(all: readonly T[], indexes: readonly number[]): readonly T[] {
  return indexes.flatMap((index) => all[index] ?? [])
}

interface Drawing {
  show(samples: readonly Samples[], window: HistoryWindow): void
}

/** Keeps one drawn chart in step with the theme and the lines that have values; samples that come before it is loaded are
 * drawn when it is. */
function useDrawing(
  props: TimeChartProps,
  drawn: readonly number[],
  holder: { readonly current: HTMLDivElement | null },
  heightPx: number,
): Drawing {
  const { loadCharts } = useEnvironment()
  const format = useFormat()
  const theme = useTheme()
  const timeLabel = useText()('ui.chart.time')
  const { lines, kind, range, syncKey, thresholds = NO_THRESHOLDS } = props
  const state = useRef<{ draw: Drawing['show'] | null; last: (() => void) | null }>({ draw: null, last: null })
  const low = range?.[0] ?? null
  const high = range?.[1] ?? null

  useEffect(() => {
    const element = holder.current
    if (element === null || loadCharts === null) return
    const life: { isOver: boolean; chart: DrawnChart | null } = { isOver: false, chart: null }
    const current = state.current
    const given = { format, timeLabel, theme }
    const begin = (engine: ChartEngine): void => {
      if (life.isOver) return
      const chart = engine.draw(
        element,
        chartSpec({ ...given, lines: pick(lines, drawn), kind, range: [low, high], syncKey, heightPx, thresholds }),
      )
      life.chart = chart
      current.draw = (samples, window) => {
        const shown = pick(samples, drawn)
        const data = joinSamples(shown, window)
        chart.setData(data, windowSeconds[window], joinBands(shown, data[0]))
      }
      current.last?.()
    }
    loadCharts().then(begin, () => undefined) // a chart that cannot be loaded leaves the summary and the table
    return () => {
      life.isOver = true
      life.chart?.dispose()
      current.draw = null
    }
  }, [holder, loadCharts, lines, drawn, kind, low, high, syncKey, heightPx, format, timeLabel, theme, thresholds])

  return useMemo(
    () => ({
      show(samples, window) {
        const current = state.current
        current.last = () => current.draw?.(samples, window)
        if (document.visibilityState !== 'hidden') current.last()
      },
    }),
    [],
  )
}

interface SpecInput {
  readonly lines: readonly ChartLine[]
  readonly kind: NumberKind
  readonly range: readonly [number | null, number | null]
  readonly syncKey: string
  readonly heightPx: number
  readonly format: Formatter
  readonly timeLabel: string
  /** Only so that a change of theme makes another chart: colours are read from the document. */
  readonly theme: string
  readonly thresholds: readonly Threshold[]
}

function chartSpec(input: SpecInput): ChartSpec {
  const { lines, kind, range, syncKey, heightPx, format, timeLabel, thresholds } = input
  const style = getComputedStyle(document.documentElement)
  return {
    series: lines.map((line) => ({
      label: line.label,
      color: style.getPropertyValue(`--series-${line.color}`).trim(),
      width: 1.5,
      dash: line.isDashed === true ? [6, 3] : null,
      isStepped: line.isStepped === true,
    })),
    colors: {
      text: style.getPropertyValue('--muted').trim(),
      grid: style.getPropertyValue('--border').trim(),
    },
    marks: thresholds.map(({ value, label, level }) => ({
      value,
      label,
      color: style.getPropertyValue(`--${level}`).trim(),
      side: level === 'danger' ? ('end' as const) : ('start' as const),
    })),
    heightPx,
    range,
    formatTick: (value) => format.tick(kind, value),
    formatValue: (value) => format.text(kind, value),
    formatTime: (ms) => format.timeOfDay(ms),
    timeLabel,
    syncKey,
  }
}

function summaryText(
  lines: readonly ChartLine[],
  samples: readonly Samples[],
  words: {
    readonly t: Text
    readonly format: Formatter
    readonly kind: NumberKind
    readonly thresholds: readonly Threshold[]
  },
): string {
  const { t, format, kind, thresholds } = words
  return lines
    .flatMap((line, index) => {
      const found = summarize(samples[index] ?? { times: [], values: [] })
      if (found === null) return []
      const range = t('ui.chart.summary', {
        label: line.label,
        min: format.text(kind, found.min),
        max: format.text(kind, found.max),
        last: format.text(kind, found.last),
      })
      const own = thresholds.filter((threshold) => threshold.lines.includes(line.label))
      return [range, thresholdText(line.label, found.last, own, { t, format, kind })]
    })
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Where the newest value stands to the line's levels; empty when it has none. */
function thresholdText(
  label: string,
  last: number,
  own: readonly Threshold[],
  { t, format, kind }: { readonly t: Text; readonly format: Formatter; readonly kind: NumberKind },
): string {
  const above = own.filter(({ value }) => last >= value).sort((a, b) => b.value - a.value)[0]
  const lowest = [...own].sort((a, b) => a.value - b.value)[0]
  if (lowest === undefined) return ''
  if (above === undefined) return t('ui.gpus.belowWarning', { label, value: format.text(kind, lowest.value) })
  const key = above.level === 'danger' ? 'ui.gpus.aboveCritical' : 'ui.gpus.aboveWarning'
  return t(key, { label, value: format.text(kind, above.value) })
}
