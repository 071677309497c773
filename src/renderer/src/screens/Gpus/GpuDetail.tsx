// One device: its charts over a common time axis, and its figures.
import { ArrowLeft, Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { DeviceView, HistoryWindow, SeriesName } from '../../../../contract/miner'
import { hrefOf } from '../../app/router'
import { Card, Fact, Facts } from '../../components/Card'
import { Choice } from '../../components/Choice'
import type { ChartLine } from '../../components/chart-line'
import { ControlMessage } from '../../components/PauseButton'
import { EmptyState, Skeleton } from '../../components/States'
import { TimeChart } from '../../components/TimeChart'
import { Value } from '../../components/Value'
import type { NumberKind } from '../../format/formatter'
import { type TextKey, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectDevice } from '../../state/miner-store'
import { readSeries } from '../../state/sample-rings'
import { Shares } from '../Overview/MinerCards'
import { Screen } from '../Screen'
import { DevicePause, efficiencyOf, subtitle } from './DeviceRow'
import { DeviceState } from './DeviceState'
import styles from './Gpus.module.css'

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

export function GpuDetail({ index }: { readonly index: number }) {
  const t = useText()
  const device = useMiner(selectDevice(index))
  const isKnown = useMiner((state) => state.devices !== null)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const back = (
    <a className={styles.back} href={hrefOf('/gpus')}>
      <ArrowLeft aria-hidden="true" />
      {t('ui.gpus.title')}
    </a>
  )
  if (!isKnown) return <Skeleton lines={6} />
  if (device === undefined) return <EmptyState icon={Cpu} title={t('ui.gpus.noSuch', { index })} action={back} />
  return (
    <>
      {back}
      <Screen
        title={device.name}
        actions={
          <>
            <Choice
              label={t('ui.chart.window')}
              value={shown}
              options={windows.map((value) => ({ value, label: t(`ui.chart.window.${value}`) }))}
              onChange={setShown}
            />
            <DevicePause device={device} />
          </>
        }
      >
        <ControlMessage target={index} />
        <div className={styles.detail}>
          <div className={styles.charts}>
            {panels.map((panel) => (
              <PanelCard key={panel.key} panel={panel} device={device} window={shown} />
            ))}
          </div>
          <FactsCard device={device} />
        </div>
      </Screen>
    </>
  )
}

/** A chart of what the device reports; one line of text where it reports none of it. */
function PanelCard({
  panel,
  device,
  window: shown,
}: {
  readonly panel: Panel
  readonly device: DeviceView
  readonly window: HistoryWindow
}) {
  const t = useText()
  const isMissing = panel.key !== 'hashrate' && panel.series.every(({ name }) => readSeries(device, name) === null)
  const { index } = device
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
  const title = t(`ui.chart.${panel.key}`)
  if (isMissing)
    return (
      <div className={styles.missing} data-testid={`chart-${index}-${panel.key}`} data-state="missing">
        <span>{title}</span>
        <span>{t('ui.gpus.notReported')}</span>
      </div>
    )
  return (
    <div className={styles.chart}>
      <TimeChart
        title={title}
        testId={`${index}-${panel.key}`}
        lines={lines}
        kind={panel.kind}
        window={shown}
        range={panel.range}
        syncKey={`gpu-${index}`}
      />
    </div>
  )
}

function FactsCard({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const { takenAt } = device
  return (
    <Card title={t('ui.gpus.figures')}>
      <div>
        <DeviceState device={device} />
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
        <Fact label={t('ui.gpus.efficiency')}>
          <Value kind="efficiency" value={efficiencyOf(device)} />
        </Fact>
        <Fact label={t('ui.gpus.shares')}>
          <Shares {...device.shares} />
        </Fact>
        <Fact label={t('ui.gpus.core')}>
          <Value kind="celsius" value={device.temperature.core} takenAt={takenAt} />
        </Fact>
        <Fact label={t('ui.gpus.hotspot')}>
          <Value kind="celsius" value={device.temperature.hotspot} takenAt={takenAt} />
        </Fact>
        <Fact label={t('ui.gpus.memory')}>
          <Value kind="celsius" value={device.temperature.memory} takenAt={takenAt} />
        </Fact>
        <Fact label={t('ui.gpus.power')}>
          <Value kind="watts" value={device.powerWatts} takenAt={takenAt} />
        </Fact>
        <Fact label={t('ui.gpus.limit')}>
          <Value kind="watts" value={device.powerLimitWatts} />
        </Fact>
        <Fact label={t('ui.gpus.dataset')}>
          <Value kind="bytes" value={device.datasetBytes} />
        </Fact>
      </Facts>
    </Card>
  )
}
