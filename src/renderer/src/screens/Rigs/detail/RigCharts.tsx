// What this program has recorded of a rig since it started: the whole rig over an hour or a day, a GPU over an hour.
import { type ReactNode, useMemo, useState } from 'react'
import type { HistoryView, SeriesName } from '../../../../../contract/miner'
import type { RigView } from '../../../../../contract/rigs'
import { Choice } from '../../../components/forms/Choice'
import { Card } from '../../../components/layout/Card'
import type { Backend } from '../../../data/backend'
import type { NumberKind } from '../../../format/formatter'
import { type TextKey, useText } from '../../../i18n/text'
import { EnvironmentProvider, useEnvironment } from '../../../state/environment'
import type { ChartLine } from '../../../widgets/charts/chart-line'
import { TimeChart } from '../../../widgets/charts/TimeChart'
import styles from '../Rigs.module.css'

type Window = '1h' | '24h'
const windows: readonly Window[] = ['1h', '24h']

interface Panel {
  readonly key: 'hashrate' | 'temperature' | 'power' | 'fan'
  readonly kind: NumberKind
  readonly range: readonly [number | null, number | null]
  readonly series: readonly (readonly [SeriesName, TextKey])[]
}

const FROM_ZERO = [0, null] as const
const CELSIUS = [20, 110] as const

const rigPanels: readonly Panel[] = [
  {
    key: 'hashrate',
    kind: 'hashrate',
    range: FROM_ZERO,
    series: [['hashrate', 'ui.gpus.now']],
  },
  { key: 'power', kind: 'watts', range: FROM_ZERO, series: [['power', 'ui.gpus.power']] },
  { key: 'temperature', kind: 'celsius', range: CELSIUS, series: [['core', 'ui.rigs.hottest']] },
]

const gpuPanels: readonly Panel[] = [
  { key: 'hashrate', kind: 'hashrate', range: FROM_ZERO, series: [['hashrate', 'ui.gpus.now']] },
  {
    key: 'temperature',
    kind: 'celsius',
    range: CELSIUS,
    series: [
      ['core', 'ui.gpus.core'],
      ['hotspot', 'ui.gpus.hotspot'],
      ['memory', 'ui.gpus.memory'],
    ],
  },
  { key: 'power', kind: 'watts', range: FROM_ZERO, series: [['power', 'ui.gpus.power']] },
  { key: 'fan', kind: 'fan', range: [0, 100], series: [['fan', 'ui.gpus.fan']] },
]

export function RigCharts({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const [shown, setShown] = useState<Window>('1h')
  const [gpu, setGpu] = useState<number | null>(null)
  const gpus = rig.figures?.gpus ?? []
  const aside = (
    <div className={styles.chartTools}>
      <select
        className={styles.select}
        aria-label={t('ui.rigs.chartsOf')}
        value={gpu ?? ''}
        data-testid="rig-charts-of"
        onChange={(event) => setGpu(event.target.value === '' ? null : Number(event.target.value))}
      >
        <option value="">{t('ui.rigs.wholeRig')}</option>
        {gpus.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a device's place in the list is its name
          <option key={index} value={index}>
            {t('ui.gpus.targetName', { index, name })}
          </option>
        ))}
      </select>
      {gpu === null && (
        <Choice
          label={t('ui.chart.window')}
          value={shown}
          options={windows.map((value) => ({ value, label: t(`ui.chart.window.${value}`) }))}
          onChange={setShown}
        />
      )}
    </div>
  )
  return (
    <Card title={t('ui.rigs.record')} aside={aside} testId="rig-charts">
      <p className={styles.soft}>{t('ui.rigs.recordText')}</p>
      <RecordOf rig={rig.name}>
        <div className={styles.charts}>
          {(gpu === null ? rigPanels : gpuPanels).map((panel) => (
            <PanelChart key={`${gpu} ${panel.key}`} panel={panel} gpu={gpu} window={gpu === null ? shown : '1h'} />
          ))}
        </div>
      </RecordOf>
    </Card>
  )
}

/** Charts inside read a rig's history instead of our own miner's. */
function RecordOf({ rig, children }: { readonly rig: string; readonly children: ReactNode }) {
  const environment = useEnvironment()
  const value = useMemo(() => {
    const { backend, stores } = environment
    const history: typeof stores.queries.history = (device, series, window) =>
      recordOf(backend, { rig, gpu: device, series, window: window === '24h' ? '24h' : '1h' })
    return { ...environment, stores: { ...stores, queries: { ...stores.queries, history } } }
  }, [environment, rig])
  return <EnvironmentProvider value={value}>{children}</EnvironmentProvider>
}

interface RecordQuery {
  readonly rig: string
  /** Null = the whole rig. */
  readonly gpu: number | null
  readonly series: SeriesName
  readonly window: Window
}

const NOTHING: HistoryView = { stepMs: 15_000, firstAt: 0, values: [] }
const gpuSeries = ['hashrate', 'core', 'hotspot', 'memory', 'fan', 'power'] as const

/** For a whole rig, `core` is its hottest sensor, whichever that is. */
async function recordOf(backend: Backend, { rig, gpu, series, window }: RecordQuery): Promise<HistoryView> {
  if (gpu === null) {
    const name = wholeSeries[series]
    return (
      (name === undefined ? null : await backend.call('miner.rigHistory', { rig, series: name, window })) ?? NOTHING
    )
  }
  const name = gpuSeries.find((each) => each === series)
  return (name === undefined ? null : await backend.call('miner.rigGpuHistory', { rig, gpu, series: name })) ?? NOTHING
}

const wholeSeries: Readonly<Partial<Record<SeriesName, 'hashrate' | 'power' | 'hottest'>>> = {
  hashrate: 'hashrate',
  power: 'power',
  core: 'hottest',
}

interface PanelChartProps {
  readonly panel: Panel
  readonly gpu: number | null
  readonly window: Window
}

function PanelChart({ panel, gpu, window }: PanelChartProps) {
  const t = useText()
  const lines = useMemo<readonly ChartLine[]>(
    () =>
      panel.series.map(([series, label], position) => ({
        // Windows longer than ten minutes come from the history alone; the ring's name only tells lines apart.
        ring: `${gpu ?? 0}.${series}`,
        history: { device: gpu, series },
        label: t(label),
        color: position + 1,
      })),
    [panel, gpu, t],
  )
  return (
    <TimeChart
      title={t(`ui.chart.${panel.key}`)}
      testId={`rig-${gpu ?? 'all'}-${panel.key}`}
      lines={lines}
      kind={panel.kind}
      window={window}
      range={panel.range}
      syncKey="rig"
    />
  )
}
