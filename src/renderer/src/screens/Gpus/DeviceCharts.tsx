// Charts and figures of one device: what it reports over a common time axis, and in one line what it does not.
import { useMemo } from 'react'
import type { DeviceView, HistoryWindow, SeriesName } from '../../../../contract/miner'
import { Card, Fact, Facts } from '../../components/Card'
import { Choice } from '../../components/Choice'
import type { ChartLine, Threshold } from '../../components/chart-line'
import { TimeChart } from '../../components/TimeChart'
import { Value } from '../../components/Value'
import type { NumberKind } from '../../format/formatter'
import { type TextKey, useFormat, useText } from '../../i18n/text'
import { readSeries } from '../../state/sample-rings'
import { Shares } from '../Overview/MinerCards'
import { CostFacts } from './CostFacts'
import { DeviceState } from './DeviceState'
import { efficiencyOf, subtitle } from './figures'
import styles from './Gpus.module.css'
import { levelsOf } from './levels'

const windows: readonly HistoryWindow[] = ['10m', '1h', '24h']
const FROM_ZERO = [0, null] as const
const PER_CENT = [0, 100] as const
const CELSIUS = [20, 110] as const

interface Panel {
  readonly key: 'hashrate' | 'temperature' | 'power' | 'fan' | 'clock'
  readonly kind: NumberKind
  readonly range: readonly [number | null, number | null]
  readonly series: readonly { readonly name: SeriesName; readonly label: TextKey }[]
}

const panels: readonly Panel[] = [
  { key: 'hashrate', kind: 'hashrate', range: FROM_ZERO, series: [{ name: 'hashrate', label: 'ui.gpus.now' }] },
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

export interface WindowChoiceProps {
  readonly value: HistoryWindow
  readonly onChange: (value: HistoryWindow) => void
}

export function WindowChoice({ value, onChange }: WindowChoiceProps) {
  const t = useText()
  return (
    <Choice
      label={t('ui.chart.window')}
      value={value}
      options={windows.map((each) => ({ value: each, label: t(`ui.chart.window.${each}`) }))}
      onChange={onChange}
    />
  )
}

export interface DeviceChartsProps {
  readonly device: DeviceView
  readonly window: HistoryWindow
  /** True where this is the only place that shows the device, so that its state carries the names of the test contract. */
  readonly isAlone: boolean
}

export function DeviceCharts({ device, window: shown, isAlone }: DeviceChartsProps) {
  const isReported = ({ key, series }: Panel): boolean =>
    key === 'hashrate' || series.some(({ name }) => readSeries(device, name) !== null)
  const missing = panels.filter((panel) => !isReported(panel))
  return (
    <div className={styles.detail}>
      <div className={styles.charts}>
        {panels.filter(isReported).map((panel) => (
          <PanelChart
            key={panel.key}
            panel={panel}
            index={device.index}
            window={shown}
            limitWatts={panel.key === 'power' ? device.powerLimitWatts : null}
          />
        ))}
        <MissingPanels panels={missing} index={device.index} />
      </div>
      <FactsCard device={device} isAlone={isAlone} />
    </div>
  )
}

interface PanelChartProps {
  readonly panel: Panel
  readonly index: number
  readonly window: HistoryWindow
  /** Drawn into the chart of power; null elsewhere. */
  readonly limitWatts: number | null
}

function PanelChart({ panel, index, window: shown, limitWatts }: PanelChartProps) {
  const t = useText()
  const lines = useMemo<readonly ChartLine[]>(
    () =>
      panel.series.map(({ name, label }, position) => ({
        ring: `${index}.${name}`,
        history: { device: index, series: name },
        label: t(label),
        color: position + 1,
      })),
    [panel, index, t],
  )
  const thresholds = useThresholds(panel, limitWatts)
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t(`ui.chart.${panel.key}`)}
        testId={`${index}-${panel.key}`}
        lines={lines}
        kind={panel.kind}
        window={shown}
        range={panel.range}
        syncKey={`gpu-${index}`}
        thresholds={thresholds}
        heightPx={panel.key === 'hashrate' ? 200 : 150}
      />
    </div>
  )
}

/** The levels of a panel: of what is too hot or too fast, and the card's own limit of power. */
function useThresholds(panel: Panel, limitWatts: number | null): readonly Threshold[] {
  const t = useText()
  const format = useFormat()
  return useMemo(() => {
    const levels = levelsOf(panel.key).map(({ value, level, places }) => ({
      value,
      level,
      label: `${places.map((place) => t(`ui.gpus.${place}`)).join(', ')} ${format.text(panel.kind, value)}`,
      lines: places.map((place) => t(`ui.gpus.${place}`)),
    }))
    if (limitWatts === null) return levels
    const label = `${t('ui.chart.powerLimit')} ${format.text('watts', limitWatts)}`
    return [...levels, { value: limitWatts, level: 'muted' as const, label, lines: [] }]
  }, [panel, limitWatts, t, format])
}

/** What would be a wall of empty charts, in one line. */
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

function FactsCard({ device, isAlone }: { readonly device: DeviceView; readonly isAlone: boolean }) {
  const t = useText()
  const { takenAt, temperature } = device
  const sensors: readonly (readonly [TextKey, NumberKind, number | null])[] = [
    ['ui.gpus.efficiency', 'efficiency', efficiencyOf(device)],
    ['ui.gpus.core', 'celsius', temperature.core],
    ['ui.gpus.hotspot', 'celsius', temperature.hotspot],
    ['ui.gpus.memory', 'celsius', temperature.memory],
    ['ui.gpus.fan', 'fan', device.fanPercent],
    ['ui.gpus.power', 'watts', device.powerWatts],
    ['ui.gpus.limit', 'watts', device.powerLimitWatts],
    ['ui.gpus.coreClock', 'megahertz', device.clockMhz.core],
    ['ui.gpus.memoryClock', 'megahertz', device.clockMhz.memory],
    ['ui.gpus.dataset', 'bytes', device.datasetBytes],
  ]
  return (
    <Card title={t('ui.gpus.figures')}>
      <div>
        <DeviceState device={device} isNamed={isAlone} />
      </div>
      <Facts>
        <Fact label={t('ui.gpus.backend')}>{subtitle(device, t)}</Fact>
        <Fact label={t('ui.gpus.now')}>
          <Value kind="hashrate" value={device.hashrate.now} takenAt={takenAt} />
        </Fact>
        <Fact label={t('ui.gpus.s60')}>
          <Value kind="hashrate" value={device.hashrate.s60} />
        </Fact>
        <Fact label={t('ui.gpus.m15')}>
          <Value kind="hashrate" value={device.hashrate.m15} />
        </Fact>
        <Fact label={t('ui.gpus.sharesLong')}>
          <Shares {...device.shares} />
        </Fact>
        {sensors.map(
          ([label, kind, value]) =>
            value !== null && (
              <Fact key={label} label={t(label)}>
                <Value kind={kind} value={value} takenAt={takenAt} />
              </Fact>
            ),
        )}
        <CostFacts watts={device.powerWatts} />
      </Facts>
    </Card>
  )
}
