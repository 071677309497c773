// A chart over time with its text alternative and its table. Points go straight to the canvas, bypassing React.
import { Table2 } from 'lucide-react'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import type { ChartSpan } from '../../components/charts/chart-engine'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { copyText } from '../../components/values/copy-text'
import type { Formatter, NumberKind } from '../../format/formatter'
import { type Text, useFormat, useText } from '../../i18n/text'
import { drawnLines, openChartFeed, summarize } from '../../state/chart-feed'
import { useEnvironment } from '../../state/environment'
import type { Samples } from '../../state/sample-rings'
import { Button } from '../controls/Button'
import type { ChartLine, Threshold } from './chart-line'
import styles from './TimeChart.module.css'
import { pick, useDrawing } from './use-drawing'

const SUMMARY_MS = 30_000
const NO_THRESHOLDS: readonly Threshold[] = []
const NO_SPANS: readonly ChartSpan[] = []

interface TimeChartProps {
  readonly title: string
  /** Suffix of the test ids `chart-` and `chart-table-`. */
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
  /** Levels drawn across the chart. */
  readonly thresholds?: readonly Threshold[]
  /** Spans without data, with their reason. */
  readonly spans?: readonly ChartSpan[]
  /** Has no room for labels beside its lines. */
  readonly isSmall?: boolean
  /** After the title: the present value. */
  readonly figure?: ReactNode
  /** Beside the title: a switch for the time range. */
  readonly aside?: ReactNode
}

export function TimeChart(props: TimeChartProps) {
  const { title, testId, lines, kind, window: shown, heightPx = 160 } = props
  const { aside, thresholds = NO_THRESHOLDS, spans = NO_SPANS } = props
  const t = useText()
  const format = useFormat()
  const holder = useRef<HTMLDivElement>(null)
  const latest = useRef<readonly Samples[]>([])
  const [summary, setSummary] = useState('')
  const [drawn, setDrawn] = useState<readonly number[]>([])
  const [isTable, setTable] = useState(false)
  const summaryId = useId()
  const { stores, clock } = useEnvironment()
  const { drawing, isLive } = useDrawing({ ...props, heightPx, thresholds }, drawn, holder)

  useEffect(() => {
    const state = { summarizedAt: Number.NEGATIVE_INFINITY }
    const feed = openChartFeed(lines, shown, { ...stores, clock, scale: drawing.scale }, (samples) => {
      latest.current = samples
      drawing.show(samples, shown)
      const found = drawnLines(samples)
      setDrawn((before) => (before.join() === found.join() ? before : found))
      if (found.length === 0 || clock.monotonic() - state.summarizedAt < SUMMARY_MS) return
      state.summarizedAt = clock.monotonic()
      setSummary(chartSummary(lines, samples, { t, format, kind, thresholds, window: shown }))
    })
    return () => feed.dispose()
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

/** For the styles. */
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
  /** How many lines are drawn. */
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

interface ChartTableProps {
  readonly testId: string
  readonly title: string
  readonly lines: readonly ChartLine[]
  /** A copy from when the table was opened. */
  readonly samples: readonly Samples[]
  readonly kind: NumberKind
}

function ChartTable({ testId, title, lines, samples, kind }: ChartTableProps) {
  const t = useText()
  const format = useFormat()
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
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            {lines.map((line) => (
              <th key={line.label} scope="col">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
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
