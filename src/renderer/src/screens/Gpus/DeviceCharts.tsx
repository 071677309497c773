// Charts and figures of one device: what it reports on a common time axis, and in one line what it doesn't report.
import { memo, type ReactNode, useId, useMemo, useState } from 'react'
import type { DeviceLevels } from '../../../../contract/incidents'
import type {
  DeviceView,
  HistoryWindow,
  SeriesName,
  SolutionsView,
  TimelineMark,
  TimelineView,
} from '../../../../contract/miner'
import type { ChartSpan } from '../../components/charts/chart-engine'
import { Choice } from '../../components/forms/Choice'
import { Card } from '../../components/layout/Card'
import { Table } from '../../components/tables/Table'
import { ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { type Text, type TextKey, useLanguage, useText } from '../../i18n/text'
import { RARELY, useCall } from '../../state/answers/use-answer'
import { windowSeconds } from '../../state/chart-feed'
import { useMiner } from '../../state/environment'
import type { SteadyDevice } from '../../state/in-sight'
import { deviceKey, levelsOf as deviceLevels, useIncidentRules } from '../../state/incidents'
import { selectDevice } from '../../state/stores/program-store'
import { EMPTY, type TimelineReading, useTimeline } from '../../state/timeline/use-timeline'
import eventStripStyles from '../../widgets/charts/EventStrip.module.css'
import { type ChartLine, spanText, type Threshold, TimeChart } from '../../widgets/charts/TimeChart'
import { Button } from '../../widgets/controls/Button'
import { DeviceValue } from '../../widgets/devices/WrittenValue'
import { AnswerState } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import styles from './Gpus.module.css'
import { readings, useHottestPlace } from './use-figures'

const places = ['core', 'hotspot', 'memory'] as const

// From which value a reading is a warning, and from which a danger: the alarm levels that charts draw.

interface Level {
  readonly value: number
  readonly level: 'warn' | 'danger'
  /** The panel's series that it applies to. */
  readonly places: readonly ('core' | 'hotspot' | 'memory' | 'fan')[]
}

/** The levels of one chart of a device; most have none. Sensors with the same level share a line. */
function levelsOf(panel: string, heat: DeviceLevels | null): readonly Level[] {
  if (heat === null) return []
  if (panel === 'fan') return [{ value: heat.fan, level: 'warn', places: ['fan'] }]
  if (panel !== 'temperature') return []
  return (['warn', 'critical'] as const).flatMap((kind) => {
    const values = [...new Set(places.map((place) => heat[place][kind]))]
    const level = kind === 'critical' ? ('danger' as const) : ('warn' as const)
    return values.map((value) => ({ value, level, places: places.filter((place) => heat[place][kind] === value) }))
  })
}

const windows: readonly HistoryWindow[] = ['10m', '1h', '24h', '7d']
const FROM_ZERO = [0, null] as const
const PER_CENT = [0, 100] as const
/** Leaves space for the label above the highest usual level, 105 °C. */
const CELSIUS = [20, 115] as const

interface PanelSeries {
  readonly name: SeriesName
  readonly label: TextKey
  readonly isThin?: boolean
  readonly isStepped?: boolean
  /** Where the present values are, if they aren't the series itself. */
  readonly ring?: 's60' | 'efficiency'
  readonly meanSeconds?: number
  readonly per?: SeriesName
}

interface Panel {
  readonly key: 'hashrate' | 'efficiency' | 'temperature' | 'power' | 'fan' | 'clock'
  readonly kind: NumberKind
  readonly range: readonly [number | null, number | null]
  readonly series: readonly PanelSeries[]
}

const panels: readonly Panel[] = [
  {
    key: 'hashrate',
    kind: 'hashrate',
    range: FROM_ZERO,
    series: [
      { name: 'hashrate', label: 'ui.gpus.now', isThin: true },
      { name: 'hashrate', label: 'ui.gpus.s60', ring: 's60', meanSeconds: 60 },
      { name: 'effective', label: 'ui.gpus.effective', isStepped: true },
    ],
  },
  {
    key: 'temperature',
    kind: 'celsius',
    range: CELSIUS,
    series: [
      { name: 'core', label: 'ui.gpus.core' },
      { name: 'hotspot', label: 'ui.gpus.hotspot' },
      { name: 'memory', label: 'ui.gpus.memory' },
    ],
  },
  { key: 'power', kind: 'watts', range: FROM_ZERO, series: [{ name: 'power', label: 'ui.gpus.power' }] },
  {
    key: 'efficiency',
    kind: 'efficiency',
    range: FROM_ZERO,
    series: [{ name: 'hashrate', label: 'ui.gpus.efficiency', ring: 'efficiency', meanSeconds: 60, per: 'power' }],
  },
  { key: 'fan', kind: 'fan', range: PER_CENT, series: [{ name: 'fan', label: 'ui.gpus.fan' }] },
  {
    key: 'clock',
    kind: 'megahertz',
    range: FROM_ZERO,
    series: [
      { name: 'coreClock', label: 'ui.gpus.coreClock' },
      { name: 'memoryClock', label: 'ui.gpus.memoryClock' },
    ],
  },
]

interface WindowChoiceProps {
  readonly value: HistoryWindow
  readonly onChange: (value: HistoryWindow) => void
}

export const WindowChoice = memo(function WindowChoice({ value, onChange }: WindowChoiceProps) {
  const t = useText()
  return (
    <Choice
      label={t('ui.chart.window')}
      value={value}
      options={windows.map((each) => ({ value: each, label: t(`ui.chart.window.${each}`) }))}
      onChange={onChange}
    />
  )
})

interface DeviceChartsProps {
  readonly device: SteadyDevice
  readonly window: HistoryWindow
}

export function DeviceCharts({ device, window: shown }: DeviceChartsProps) {
  const isReported = ({ key, series }: Panel): boolean =>
    key === 'hashrate' || series.some(({ name, per }) => isReportedSeries(device, per ?? name))
  // Efficiency is computed from power, which is listed itself.
  const missing = panels.filter((panel) => panel.key !== 'efficiency' && !isReported(panel))
  const answer = useTimeline(device, shown)
  const timeline = answer.value ?? EMPTY
  const spans = useSpans(timeline)
  return (
    <div className={styles.charts}>
      {panels.filter(isReported).map((panel) => (
        <PanelChart
          key={panel.key}
          panel={panel}
          index={device.index}
          device={deviceKey(device)}
          limitWatts={panel.key === 'power' ? device.powerLimitWatts : null}
          window={shown}
          spans={spans}
        />
      ))}
      <div className={`${styles.chart} ${styles.whole}`}>
        {answer.reason !== '' && <AnswerState answer={answer} />}
        <EventStrip device={device.index} window={shown} timeline={timeline} />
      </div>
      <div className={styles.rest}>
        <MissingPanels panels={missing} index={device.index} />
        <Solutions index={device.index} />
      </div>
    </div>
  )
}

function isReportedSeries({ reported }: SteadyDevice, name: SeriesName): boolean {
  return name === 'hashrate' || name === 'effective' || reported[name]
}

/** Which of the device's sensors have levels, separated by spaces. */
export function reportedOf({ reported, powerLimitWatts }: SteadyDevice): string {
  const heat = places.filter((place) => reported[place])
  const fan = reported.fan ? ['fan'] : []
  const power = reported.power && powerLimitWatts !== null ? ['power'] : []
  return [...heat, ...fan, ...power].join(' ')
}

/** The bands of all charts, in seconds and words. Returns the same array while the bands are the same. */
function useSpans({ spans }: TimelineView): readonly ChartSpan[] {
  const t = useText()
  const made = spans.map((span) => ({
    kind: span.kind,
    from: span.from / 1000,
    to: span.to === null ? null : span.to / 1000,
    label: spanText(span, t),
  }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal bands are the same bands
  return useMemo(() => made, [JSON.stringify(made)])
}

interface PanelChartProps {
  readonly panel: Panel
  readonly index: number
  /** The device's name in the alarm settings. */
  readonly device: string
  /** Drawn into the power chart; null elsewhere. */
  readonly limitWatts: number | null
  readonly window: HistoryWindow
  readonly spans: readonly ChartSpan[]
}

/** Its samples bypass React, so a new reading doesn't render it again. */
const PanelChart = memo(function PanelChart(props: PanelChartProps) {
  const { panel, index, device, limitWatts, window: shown, spans } = props
  const t = useText()
  const lines = useMemo<readonly ChartLine[]>(
    () =>
      panel.series.map(({ name, label, isThin = false, isStepped = false, ring, meanSeconds, per }, position) => ({
        ...sourceOf(index, name),
        ...(ring === undefined ? {} : { ring: `${index}.${ring}` as const }),
        label: t(label),
        color: position + 1,
        isThin,
        isStepped,
        ...(meanSeconds === undefined ? {} : { meanSeconds }),
        ...(per === undefined ? {} : { per: sourceOf(index, per) }),
      })),
    [panel, index, t],
  )
  const thresholds = useThresholds(panel, device, limitWatts)
  const isLarge = large.includes(panel.key)
  return (
    <div className={styles.chart} data-panel={panel.key}>
      <TimeChart
        title={t(`ui.chart.${panel.key}`)}
        figure={<PanelFigure panel={panel.key} index={index} device={device} limitWatts={limitWatts} />}
        testId={`${index}-${panel.key}`}
        lines={lines}
        kind={panel.kind}
        window={shown}
        range={panel.range}
        syncKey={`gpu-${index}`}
        thresholds={thresholds}
        spans={spans}
        isSmall={!isLarge}
        isFilling
        heightPx={isLarge ? LARGE_PX : SMALL_PX}
      />
    </div>
  )
})

/** Several lines, and in one of them four levels with their labels. */
const large: readonly Panel['key'][] = ['hashrate', 'temperature']
const LARGE_PX = 230
const SMALL_PX = 130

interface PanelFigureProps extends Pick<PanelChartProps, 'index' | 'device' | 'limitWatts'> {
  readonly panel: Panel['key']
}

/** What the chart has now: of temperatures the hottest, in the color of its level. */
function PanelFigure({ panel, index, device, limitWatts }: PanelFigureProps) {
  const t = useText()
  const hottest = useHottestPlace(index)
  const rules = useIncidentRules()
  const heat = rules && deviceLevels(rules, device)
  const level = useMiner((state) => heatLevel(selectDevice(index)(state), heat))
  const { read, kind } = figures[panel]
  const value = <DeviceValue device={index} read={read} kind={kind} size="lead" testId={`panel-${panel}-${index}`} />
  if (panel === 'power' && limitWatts !== null)
    return (
      <>
        {value}
        <span className={styles.limit}>
          {' / '}
          <Value kind="watts" value={limitWatts} />
        </span>
      </>
    )
  if (panel === 'clock') return withPlace(value, t('ui.gpus.coreClock'))
  if (panel !== 'temperature' || hottest === null) return value
  return withPlace(<span data-level={level}>{value}</span>, t(`ui.gpus.${hottest}`))
}

const withPlace = (value: ReactNode, place: string): ReactNode => (
  <>
    {value} <span className={styles.limit}>{place}</span>
  </>
)

/** The worst level that one of the device's sensors has reached. */
function heatLevel(device: DeviceView | undefined, heat: DeviceLevels | null): 'warn' | 'danger' | undefined {
  if (device === undefined || heat === null) return undefined
  const reaches = (kind: 'warn' | 'critical'): boolean =>
    places.some((place) => (device.temperature[place] ?? Number.NEGATIVE_INFINITY) >= heat[place][kind])
  if (reaches('critical')) return 'danger'
  return reaches('warn') ? 'warn' : undefined
}

const figures = {
  hashrate: { read: readings.s60, kind: 'hashrate' },
  temperature: { read: readings.hottest, kind: 'celsius' },
  efficiency: { read: readings.efficiency, kind: 'efficiency' },
  power: { read: readings.power, kind: 'watts' },
  fan: { read: readings.fan, kind: 'fan' },
  clock: { read: readings.coreClock, kind: 'megahertz' },
} as const

const sourceOf = (device: number, series: SeriesName) =>
  ({ ring: `${device}.${series}`, history: { device, series } }) as const

function useThresholds(panel: Panel, device: string, limitWatts: number | null): readonly Threshold[] {
  const { t, format } = useLanguage()
  const rules = useIncidentRules()
  const heat = rules && deviceLevels(rules, device)
  return useMemo(() => {
    const levels = levelsOf(panel.key, heat).map(({ value, level, places }) => ({
      value,
      level,
      label: `${format.list(places.map((place) => t(`ui.gpus.${place}`)))} ${format.text(panel.kind, value)}`,
      lines: places.map((place) => t(`ui.gpus.${place}`)),
    }))
    if (limitWatts === null) return levels
    const label = `${t('ui.chart.powerLimit')} ${format.text('watts', limitWatts)}`
    return [...levels, { value: limitWatts, level: 'muted' as const, label, lines: [] }]
  }, [panel, heat, limitWatts, t, format])
}

/** One line in place of a wall of empty charts. */
function MissingPanels({ panels: missing, index }: { readonly panels: readonly Panel[]; readonly index: number }) {
  const t = useText()
  if (missing.length === 0) return null
  return (
    <p className={styles.missing}>
      {t('ui.gpus.notReported')}
      {missing.map(({ key }) => (
        <span key={key} data-testid={`chart-${index}-${key}`} data-state="missing">
          {t(`ui.chart.${key}`)}
        </span>
      ))}
    </p>
  )
}

type Outcome = SolutionsView['shares'][number]['outcome']

const outcomes: Readonly<Record<Outcome, TextKey>> = {
  accepted: 'ui.events.accepted',
  rejected: 'ui.events.rejected',
  failed: 'ui.events.failed',
  stale: 'ui.gpus.stale',
  lost: 'ui.gpus.lost',
}

const Solutions = memo(function Solutions({ index }: { readonly index: number }) {
  const t = useText()
  const answer = useCall('miner.solutions', { device: index }, RARELY)
  const view = answer.value
  const [hasShares, setShares] = useState(false)
  if (view === null)
    return (
      <Card title={t('ui.gpus.solutions')}>
        <AnswerState answer={answer} lines={1} />
      </Card>
    )
  return (
    <Card
      title={t('ui.gpus.solutions')}
      testId={`gpu-solutions-${index}`}
      aside={
        view.shares.length > 0 && (
          <Button size="small" variant="quiet" aria-expanded={hasShares} onClick={() => setShares(!hasShares)}>
            {t(hasShares ? 'ui.gpus.hideShares' : 'ui.gpus.showShares', { count: view.shares.length })}
          </Button>
        )
      }
    >
      {view.failed.length === 0 ? (
        <p className={styles.hint}>{t('ui.gpus.noneFailed')}</p>
      ) : (
        <>
          <p>{t('ui.gpus.failedText', { count: view.failed.length })}</p>
          <FailedTable index={index} failed={view.failed} />
        </>
      )}
      {hasShares && <ShareTable index={index} shares={view.shares} />}
    </Card>
  )
})

function FailedTable({ index, failed }: { readonly index: number; readonly failed: SolutionsView['failed'] }) {
  const { t, format } = useLanguage()
  return (
    <Table
      region={styles.log}
      label={t('ui.gpus.failedLog')}
      testId={`gpu-failed-${index}`}
      headings={[t('ui.chart.time'), t('ui.gpus.epoch'), t('ui.gpus.nonce')]}
    >
      {failed.map(({ at, epoch, nonce }) => (
        <tr key={`${at} ${nonce}`}>
          <th scope="row" title={format.instant(at)}>
            {format.timeOfDay(at)}
          </th>
          <td>{format.text('count', epoch)}</td>
          <td>
            <bdi>0x{nonce}</bdi>
          </td>
        </tr>
      ))}
    </Table>
  )
}

const shareFacts = ['outcome', 'jobDifficulty', 'ownDifficulty', 'answer'] as const

function ShareTable({ index, shares }: { readonly index: number; readonly shares: SolutionsView['shares'] }) {
  const { t, format } = useLanguage()
  return (
    <Table
      region={styles.log}
      label={t('ui.gpus.shareHistory')}
      testId={`gpu-shares-${index}`}
      headings={[t('ui.chart.time'), ...shareFacts.map((name) => t(`ui.gpus.${name}`))]}
    >
      {shares.map(({ at, outcome, jobDifficulty, ownDifficulty, latencyMs, reason }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two shares of one millisecond have no other identity
        <tr key={`${at} ${position}`} data-state={outcome}>
          <th scope="row" title={format.instant(at)}>
            {format.timeOfDay(at)}
          </th>
          <td>
            {t(outcomes[outcome])}
            {reason !== '' && (
              <span className={styles.sub}>
                <ForeignText text={reason} />
              </span>
            )}
          </td>
          <td>{format.text('difficulty', jobDifficulty)}</td>
          <td>{format.text('difficulty', ownDifficulty)}</td>
          <td>{latencyMs === null ? '' : t('ui.gpus.milliseconds', { count: Math.round(latencyMs) })}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Nobody reads a longer list. */
const MAX_ROWS = 60

interface EventStripProps {
  readonly device: number
  readonly window: HistoryWindow
  readonly timeline: TimelineReading
}

/** Rendered again at each reading, not at each sample of the charts. */
const EventStrip = memo(function EventStrip({ device, window: shown, timeline }: EventStripProps) {
  const t = useText()
  const [isList, setList] = useState(false)
  const summaryId = useId()
  const end = timeline.readAt
  const start = end - windowSeconds[shown] * 1000
  const place = (at: number): number => (100 * (Math.min(Math.max(at, start), end) - start)) / (end - start)
  const accepted = timeline.marks.filter(({ kind }) => kind === 'accepted')
  const others = timeline.marks.filter(({ kind }) => kind !== 'accepted')
  return (
    <figure className={eventStripStyles.strip} data-testid={`events-${device}`} aria-describedby={summaryId}>
      <figcaption className={eventStripStyles.caption}>
        <span className={eventStripStyles.title}>{t('ui.events.title')}</span>
        <Button size="small" variant="quiet" aria-expanded={isList} onClick={() => setList(!isList)}>
          {t(isList ? 'ui.events.hideList' : 'ui.events.showList')}
        </Button>
      </figcaption>
      <div className={eventStripStyles.track} aria-hidden="true">
        {timeline.spans.map((span) => (
          <span
            key={`${span.kind} ${span.from}`}
            className={`${eventStripStyles.span} ${eventStripStyles[span.kind]}`}
            style={{ insetInlineStart: `${place(span.from)}%`, insetInlineEnd: `${100 - place(span.to ?? end)}%` }}
            title={spanText(span, t)}
          />
        ))}
        <svg className={eventStripStyles.ticks} viewBox="0 0 100 10" preserveAspectRatio="none" role="presentation">
          <path
            d={accepted.map(({ at }) => `M${place(at).toFixed(2)} 2V8`).join('')}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {others.map((mark) => (
          <span
            key={`${mark.kind} ${mark.at} ${mark.text}`}
            className={`${eventStripStyles.mark} ${eventStripStyles[mark.kind]}`}
            style={{ insetInlineStart: `${place(mark.at)}%` }}
            title={markText(mark, t)}
          >
            {glyphs[mark.kind]}
          </span>
        ))}
      </div>
      <Legend timeline={timeline} />
      <p id={summaryId} className="visually-hidden">
        {t('ui.events.summary', {
          accepted: countOf(timeline.marks, 'accepted'),
          rejected: countOf(timeline.marks, 'rejected'),
          failed: countOf(timeline.marks, 'failed'),
          pauses: timeline.spans.length,
        })}
      </p>
      {isList && <EventList device={device} timeline={timeline} />}
    </figure>
  )
})

/** Distinct shapes, so that color isn't the only difference. */
const glyphs: Readonly<Record<TimelineMark['kind'], string>> = {
  accepted: '|',
  rejected: '×',
  failed: '⬣',
  epoch: '◆',
  restart: '↻',
}

const kinds = ['accepted', 'rejected', 'failed', 'restart', 'epoch'] as const
const spanKinds = ['paused', 'error', 'silent', 'building', 'waiting'] as const

function Legend({ timeline: { marks, spans } }: { readonly timeline: TimelineView }) {
  const t = useText()
  const present = kinds.filter((kind) => marks.some((mark) => mark.kind === kind))
  const bands = spanKinds.filter((kind) => spans.some((span) => span.kind === kind))
  if (present.length + bands.length === 0) return <p className={eventStripStyles.legend}>{t('ui.events.none')}</p>
  return (
    <p className={eventStripStyles.legend} aria-hidden="true">
      {present.map((kind) => (
        <span key={kind}>
          <span className={`${eventStripStyles.glyph} ${eventStripStyles[kind]}`}>{glyphs[kind]}</span>{' '}
          {t(`ui.events.${kind}`)} {countOf(marks, kind)}
        </span>
      ))}
      {bands.map((kind) => (
        <span key={kind}>
          <span className={`${eventStripStyles.swatch} ${eventStripStyles[kind]}`} /> {t(`ui.events.${kind}`)}
        </span>
      ))}
    </p>
  )
}

function EventList({ device, timeline }: { readonly device: number; readonly timeline: TimelineView }) {
  const { t, format } = useLanguage()
  const rows = [
    ...timeline.spans.map((span) => ({
      at: span.from,
      to: span.to,
      key: `${span.kind} ${span.from}`,
      text: spanText(span, t),
    })),
    ...timeline.marks.map((mark) => ({
      at: mark.at,
      to: mark.at,
      key: `${mark.kind} ${mark.at} ${mark.text}`,
      text: markText(mark, t),
    })),
  ]
  const newest = rows.sort((a, b) => b.at - a.at).slice(0, MAX_ROWS)
  return (
    <Table
      region={eventStripStyles.list}
      label={t('ui.events.title')}
      testId={`events-table-${device}`}
      headings={[t('ui.chart.time'), t('ui.events.until'), t('ui.events.what')]}
    >
      {newest.map(({ at, to, key, text }) => (
        <tr key={key}>
          <th scope="row">{format.timeOfDay(at)}</th>
          <td>{to === null ? t('ui.events.still') : to === at ? '' : format.timeOfDay(to)}</td>
          <td>
            <ForeignText text={text} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function countOf(marks: readonly TimelineMark[], kind: TimelineMark['kind']): number {
  return marks.reduce((sum, mark) => (mark.kind === kind ? sum + mark.count : sum), 0)
}

function markText({ kind, count, text }: TimelineMark, t: Text): string {
  const word = t(`ui.events.${kind}`)
  const named = text === '' || text === kind ? word : t('ui.events.with', { word, reason: text })
  return count > 1 ? t('ui.events.times', { what: named, count }) : named
}
