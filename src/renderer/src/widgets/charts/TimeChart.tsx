// A chart over time with its text alternative and its table. Points go straight to the canvas, bypassing React.

import { Table2 } from 'lucide-react'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { HistoryWindow, TimelineSpan } from '../../../../contract/miner'
import type { ChartContent, ChartEngine, ChartSpan, ChartSpec, DrawnChart } from '../../components/charts/chart-engine'
import type { ChartScale } from '../../components/charts/chart-pace'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { TableHead } from '../../components/tables/Table'
import { copyText } from '../../components/values/HexText'
import type { Formatter, NumberKind } from '../../format/formatter'
import { type Text, useFormat, useLanguage, useText } from '../../i18n/text'
import {
  drawnLines,
  type FeedLine,
  joinBands,
  joinSamples,
  openChartFeed,
  shownSeconds,
  summarize,
  unrecorded,
} from '../../state/chart-feed'
import { useEnvironment } from '../../state/environment'
import type { Samples } from '../../state/sample-rings'
import { useTheme } from '../../state/theme'
import { Button, Failure } from '../controls/Button'
import styles from './TimeChart.module.css'

const SUMMARY_MS = 30_000
const NO_THRESHOLDS: readonly Threshold[] = []
const NO_SPANS: readonly ChartSpan[] = []

interface TimeChartProps {
  readonly title: string
  readonly testId: string
  readonly lines: readonly ChartLine[]
  readonly kind: NumberKind
  readonly window: HistoryWindow
  readonly heightPx?: number
  /** As tall as its panel, at least `heightPx`. */
  readonly isFilling?: boolean
  /** Bounds of the vertical axis; null follows the data. */
  readonly range?: readonly [number | null, number | null]
  readonly syncKey: string
  readonly thresholds?: readonly Threshold[]
  readonly spans?: readonly ChartSpan[]
  /** Has no room for labels beside its lines. */
  readonly isSmall?: boolean
  readonly figure?: ReactNode
  readonly aside?: ReactNode
}

export function TimeChart(props: TimeChartProps) {
  const { title, testId, lines, kind, window: shown, heightPx = 160 } = props
  const { aside, thresholds = NO_THRESHOLDS, spans = NO_SPANS } = props
  const { t, format } = useLanguage()
  const holder = useRef<HTMLDivElement>(null)
  const latest = useRef<readonly Samples[]>([])
  const [summary, setSummary] = useState('')
  const [drawn, setDrawn] = useState<readonly number[]>([])
  const [isTable, setTable] = useState(false)
  const [fault, setFault] = useState('')
  const summaryId = useId()
  const { stores, clock } = useEnvironment()
  const { drawing, isLive } = useDrawing({ ...props, heightPx, thresholds }, drawn, holder)

  useEffect(() => {
    const state = { summarizedAt: Number.NEGATIVE_INFINITY }
    const deps = { ...stores, clock, scale: drawing.scale, onFault: setFault }
    const feed = openChartFeed(lines, shown, deps, (samples) => {
      latest.current = samples
      drawing.show(samples, shown)
      const found = drawnLines(samples)
      setDrawn((before) => (before.join() === found.join() ? before : found))
      if (found.length === 0 || clock.monotonic() - state.summarizedAt < SUMMARY_MS) return
      state.summarizedAt = clock.monotonic()
      setSummary(chartSummary(lines, samples, { t, format, kind, thresholds, window: shown }))
    })
    return () => {
      feed.dispose()
      setFault('')
    }
  }, [lines, shown, stores, clock, drawing, t, format, kind, thresholds])
  useEffect(() => drawing.setSpans(spans), [drawing, spans])

  return (
    <figure className={styles.chart} data-testid={`chart-${testId}`} {...looksOf(props)} aria-describedby={summaryId}>
      <Caption
        title={title}
        testId={testId}
        figure={props.figure}
        aside={aside}
        isTable={isTable}
        onTable={() => setTable(!isTable)}
        onLive={isLive ? null : drawing.followLive}
      />
      <Canvas holder={holder} place={placeOf(heightPx, lines.length)} lines={drawn.length} />
      <Failure text={fault === '' ? '' : `${t('ui.error.part')}: ${fault}`} />
      <Spoken id={summaryId} summary={summary} pauses={spans.length} />
      {isTable && (
        <ChartTable
          key={drawn.join()}
          testId={`chart-table-${testId}`}
          title={title}
          kind={kind}
          lines={pick(lines, drawn)}
          samples={pick(latest.current, drawn)}
        />
      )}
    </figure>
  )
}

const looksOf = ({ isSmall = false, isFilling = false }: TimeChartProps) => ({
  'data-small': isSmall ? '' : undefined,
  'data-fill': isFilling ? '' : undefined,
})

interface SpokenProps {
  readonly id: string
  /** Empty: nothing was recorded. */
  readonly summary: string
  readonly pauses: number
}

/** The chart for those who can't see it. */
function Spoken({ id, summary, pauses }: SpokenProps) {
  const t = useText()
  const spans = pauses === 0 ? '' : ` ${t('ui.chart.spans', { count: pauses })}`
  return (
    <p id={id} className="visually-hidden">
      {summary === '' ? t('ui.chart.noSamples') : `${summary}${spans}`}
    </p>
  )
}

interface CanvasProps {
  readonly holder: RefObject<HTMLDivElement | null>
  readonly place: CSSProperties
  readonly lines: number
}

function Canvas({ holder, place, lines }: CanvasProps) {
  if (lines === 0) return <Collecting place={place} />
  return (
    <div
      ref={holder}
      className={styles.canvas}
      style={place}
      data-lines={lines > 1 ? '' : undefined}
      aria-hidden="true"
    />
  )
}

/** Reserves the height of the chart and of its legend, which has an entry for the time and one for each line. */
function placeOf(heightPx: number, lines: number): CSSProperties {
  return { '--chart': `${heightPx}px`, '--legend': lines + 1 } as CSSProperties
}

/** In the chart's place until two points make a line. */
function Collecting({ place }: { readonly place: CSSProperties }) {
  const t = useText()
  return (
    <p className={styles.collecting} style={place}>
      {t('ui.chart.collecting')}
    </p>
  )
}

interface CaptionProps extends Pick<TimeChartProps, 'title' | 'testId' | 'figure' | 'aside'> {
  readonly isTable: boolean
  readonly onTable: () => void
  /** Null while the newest values are in view. */
  readonly onLive: (() => void) | null
}

function Caption({ title, testId, figure, aside, isTable, onTable, onLive }: CaptionProps) {
  const t = useText()
  const tableText = t(isTable ? 'ui.chart.hideTable' : 'ui.chart.showTable')
  return (
    <figcaption className={styles.caption}>
      <span className={styles.title}>
        {title}
        {figure !== undefined && <span className={styles.figure}>{figure}</span>}
      </span>
      {onLive !== null && (
        <Button size="small" onClick={onLive} data-testid={`chart-live-${testId}`}>
          {t('ui.freeze.back')}
        </Button>
      )}
      {aside}
      <Button
        size="small"
        variant="quiet"
        isBare
        icon={<Table2 aria-hidden="true" />}
        aria-expanded={isTable}
        aria-label={`${tableText} ${title}`}
        title={tableText}
        onClick={onTable}
      />
    </figcaption>
  )
}

interface SummaryWords {
  readonly t: Text
  readonly format: Formatter
  readonly kind: NumberKind
  readonly thresholds: readonly Threshold[]
  readonly window: HistoryWindow
}

/** Range and newest value of each line, and how it compares with its levels: the chart in words. */
function chartSummary(lines: readonly ChartLine[], samples: readonly Samples[], words: SummaryWords): string {
  const { t, format, kind, thresholds, window } = words
  return lines
    .flatMap((line, index) => {
      const found = summarize(samples[index] ?? { times: [], values: [] })
      if (found === null) return []
      const range = t('ui.chart.summary', {
        label: line.label,
        min: format.text(kind, found.min),
        max: format.text(kind, found.max),
        last: format.text(kind, found.last),
        window,
      })
      const own = thresholds.filter((threshold) => threshold.lines.includes(line.label))
      return [range, thresholdText(line.label, found.last, own, { t, format, kind })]
    })
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** How the newest value compares with the line's levels; empty when it has none. */
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

const ROWS = 60

interface ChartTableProps extends Pick<TimeChartProps, 'testId' | 'title' | 'lines' | 'kind'> {
  /** A copy from when the table was opened. */
  readonly samples: readonly Samples[]
}

function ChartTable({ testId, title, lines, samples, kind }: ChartTableProps) {
  const { t, format } = useLanguage()
  const [kept] = useState(samples)
  const times = (kept[0]?.times ?? []).slice(-ROWS)
  const offset = (kept[0]?.times.length ?? 0) - times.length
  const valueAt = (line: number, row: number): number | null => kept[line]?.values[offset + row] ?? null
  const copy = (): void => {
    const rows = times.map((time, row) =>
      [format.instant(time), ...lines.map((_, line) => valueAt(line, row) ?? '')].join(','),
    )
    const text = [['time', ...lines.map((line) => line.label)].join(','), ...rows].join('\n')
    void copyText(text)
  }
  return (
    <ScrollRegion className={styles.table} label={title}>
      <Button size="small" onClick={copy}>
        {t('ui.chart.copyCsv')}
      </Button>
      <table data-testid={testId}>
        <TableHead headings={[t('ui.chart.time'), ...lines.map(({ label }) => label)]} />
        <tbody>
          {times.map((time, row) => (
            <tr key={time}>
              <th scope="row">{format.timeOfDay(time)}</th>
              {lines.map((line, index) => (
                <td key={line.label}>{format.text(kind, valueAt(index, row))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** A chart that is about to be scrolled into view is drawn before that. */
const SIGHT_MARGIN = '100px'

interface Drawing {
  show(samples: readonly Samples[], window: HistoryWindow): void
  setSpans(spans: readonly ChartSpan[]): void
  scale(): ChartScale | null
  followLive(): void
}

interface DrawingLook extends Pick<TimeChartProps, 'lines' | 'kind' | 'isFilling' | 'range' | 'syncKey'> {
  readonly heightPx: number
  readonly thresholds: readonly Threshold[]
}

interface DrawingState {
  chart: DrawnChart | null
  /** Whether the chart is in view, or nearly: out of view it is drawn once and then costs nothing. */
  isInSight: boolean
  hasDrawn: boolean
  /** Where the cross-hair stood when the chart before this one went. */
  cursorPx: number | null
  drawn: readonly number[]
  /** The latest content, for a chart that is loaded later. */
  samples: readonly Samples[]
  window: HistoryWindow
  spans: readonly ChartSpan[]
}

function pick<T>(all: readonly T[], indexes: readonly number[]): readonly T[] {
  return indexes.flatMap((index) => all[index] ?? [])
}

/** `drawn`: indexes of the lines that have values. `isLive` is false while a dragged range is shown. */
function useDrawing(
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

type Placed = Pick<ChartSpec, 'range' | 'syncKey' | 'heightPx' | 'isFilling' | 'timeLabel' | 'cursorPx' | 'onLive'>

interface SpecInput extends Placed, Pick<DrawingLook, 'lines' | 'kind' | 'thresholds'> {
  readonly format: Formatter
  /** Only so that a change of theme recreates the chart: colors are read from the document. */
  readonly theme: string
}

function chartSpec({ lines, kind, format, thresholds, theme: _theme, ...placed }: SpecInput): ChartSpec {
  const style = getComputedStyle(document.documentElement)
  const color = (token: string): string => style.getPropertyValue(`--${token}`).trim()
  return {
    ...placed,
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
    formatTicks: (values) => format.ticks(kind, values),
    formatValue: (value) => format.text(kind, value),
    formatTime: format.timeOfDay,
    formatMinute: format.clock,
  }
}

export interface ChartLine extends FeedLine {
  readonly label: string
  /** Number of the series colour, 1..8. */
  readonly color: number
  readonly isDashed?: boolean
  readonly isStepped?: boolean
  /** For values that flicker around their own mean. */
  readonly isThin?: boolean
}

export interface Threshold {
  readonly value: number
  /** Shown at its start. */
  readonly label: string
  readonly level: 'warn' | 'danger' | 'muted'
  /** Labels of the lines that it applies to; empty if it is only displayed. */
  readonly lines: readonly string[]
}

/** `Paused: Overheating`; the reason in the miner's own words. */
export function spanText({ kind, reason }: Pick<TimelineSpan, 'kind' | 'reason'>, t: Text): string {
  const word = t(`ui.events.${kind}`)
  return reason === '' ? word : t('ui.events.with', { word, reason })
}
