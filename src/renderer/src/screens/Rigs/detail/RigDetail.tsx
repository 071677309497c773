// The page of one rig: its state, its GPUs, and its history. Sends commands if the rig accepts them from here.
import { Pencil, RotateCw, Server, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { HistoryView, SeriesName } from '../../../../../contract/miner'
import type { RigFiguresView, RigGpuView, RigView } from '../../../../../contract/rigs'
import { Choice } from '../../../components/forms/Choice'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { CopyButton, ForeignText } from '../../../components/values/HexText'
import type { Backend } from '../../../data/backend'
import { type NumberKind, UNKNOWN } from '../../../format/formatter'
import { type TextKey, useLanguage, useText } from '../../../i18n/text'
import { goTo, hrefOf } from '../../../navigation/router'
import { useAttempt } from '../../../state/answers/use-answer'
import { EnvironmentProvider, useApp, useCanControl, useEnvironment, useOperation } from '../../../state/environment'
import { efficiencyOfRig, hasNumbers, hottestOfRig, known, selectRig } from '../../../state/stores/program-store'
import { type ChartLine, TimeChart } from '../../../widgets/charts/TimeChart'
import { Button, Failure } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { Shares } from '../../../widgets/facts/Shares'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import { Age, Value } from '../../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../../widgets/why/WhyText'
import { BackLink, Screen } from '../../Screen'
import { NotKept } from '../NotKept'
import { RigForm } from '../RigForm'
import { poolName, RigState } from '../RigState'
import styles from '../Rigs.module.css'
import { RigGpus } from './RigGpus'
import { RigPause, RigPauseMessage } from './RigPause'
import { accessOf, refusalText, takesCommands } from './rig-commands'
import { createRigControls, type RigControls } from './rig-controls'

export function RigDetail({ name }: { readonly name: string }) {
  const t = useText()
  const rig = useOperation(selectRig(name))
  const isKnown = useOperation((state) => state.rigs !== null)
  return (
    <>
      <BackLink route="/rigs">{t('ui.nav.rigs')}</BackLink>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && rig === undefined && <EmptyState icon={Server} title={t('ui.rigs.noSuch', { name })} />}
      {rig !== undefined && <Known rig={rig} />}
    </>
  )
}

function Known({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const all = useRigControls(rig.name)
  const canControl = useCanControl()
  const access = accessOf(rig)
  const controls = canControl && (access === 'open' || access === 'offline') ? all : null
  return (
    <Screen title={<ForeignText text={rig.name} />} actions={<RigTools rig={rig} />}>
      {controls !== null && <RigOrders rig={rig} controls={controls} />}
      {controls === null && canControl && <WhyReadOnly rig={rig} />}
      <NotKept />
      <RigCard rig={rig} />
      {rig.figures === null ? (
        <EmptyState icon={Server} title={t('ui.rigs.noFigures')} />
      ) : (
        <RigGpus rig={rig} controls={controls} />
      )}
      {rig.figures !== null && takesCommands(rig) && <RigCharts rig={rig} />}
    </Screen>
  )
}

/** Tells users with control here why this rig can't be controlled. */
function WhyReadOnly({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const access = accessOf(rig)
  if (rig.worker !== null) return <p className={styles.note}>{t('ui.rigs.servedNote')}</p>
  if (rig.local || (access !== 'noControl' && access !== 'noToken')) return null
  return (
    <p className={styles.note} role="note" data-testid="rig-read-only" data-state={access}>
      {t(`ui.rigs.readOnly.${access}`)}
    </p>
  )
}

/** Lives while the page is open, and receives the rig's readings. */
function useRigControls(name: string): RigControls {
  const { backend, clock, stores } = useEnvironment()
  const [controls] = useState(() => createRigControls(name, { backend, clock }))
  useEffect(() => {
    const look = (): void => {
      const rig = selectRig(name)(stores.operation.getState())
      if (rig !== undefined) controls.observe(rig)
    }
    const stop = stores.operation.subscribe(look)
    return () => {
      stop()
      controls.dispose()
    }
  }, [controls, stores, name])
  return controls
}

function RigOrders({ rig, controls }: { readonly rig: RigView; readonly controls: RigControls }) {
  const t = useText()
  const gpus = rig.figures?.gpus ?? []
  const isPaused = gpus.length > 0 && gpus.every((gpu) => gpu.paused)
  const reason = isPaused ? [...new Set(gpus.map((gpu) => gpu.pauseReason))].join('; ') : ''
  return (
    <div className={styles.commands}>
      {gpus.length > 0 && (
        <RigPause
          controls={controls}
          target="all"
          isPaused={isPaused}
          reason={reason}
          name={t('ui.rigs.allOf', { rig: rig.name })}
          testId="rig-pause"
        />
      )}
      <Restart name={rig.name} />
      <RigPauseMessage controls={controls} target="all" />
    </div>
  )
}

function Restart({ name }: { readonly name: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, failure, run } = useAttempt()
  /** Why it was refused, empty if it wasn't; null before an answer. */
  const [refusal, setRefusal] = useState<string | null>(null)
  const restart = async (): Promise<void> => {
    setRefusal(null)
    const { results } = await backend.call('miner.rigCommand', { rigs: [name], action: 'restart', gpu: null })
    const failed = results.find(({ error }) => error !== '')
    setRefusal(failed === undefined ? '' : refusalText(failed, t))
  }
  return (
    <>
      <Button
        size="small"
        needsContact
        isBusy={isBusy}
        data-testid="rig-restart"
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('ui.rigs.command.restart')}
      </Button>
      {refusal === '' && (
        <p className={styles.done} role="status">
          {t('ui.rigs.restarting')}
        </p>
      )}
      <Failure text={failure === '' ? (refusal ?? '') : failure} />
      {isAsking && (
        <ConfirmDialog
          testId="rig-restart-confirm"
          title={t('ui.rigs.confirm.restart', { count: 1 })}
          action={t('ui.rigs.command.restart')}
          onConfirm={() => run(restart)}
          onClose={() => setAsking(false)}
        >
          <p>{t('ui.rigs.confirmText.restart')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

// An address at which someone else can open the page of a rig.

/** In a browser, this page's own address; in a window, the one that serves it, else the rig's own dashboard. */
function useLinkTo({ name, host }: Pick<RigView, 'name' | 'host'>): string {
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const page = hrefOf(`/rigs/${encodeURIComponent(name)}`)
  const { protocol, origin, pathname } = window.location
  if (protocol === 'http:' || protocol === 'https:') return `${origin}${pathname}${page}`
  return api === null ? `http://${host}/` : `http://${api}/${page}`
}

function RigTools({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const { failure, run } = useAttempt()
  const link = useLinkTo(rig)
  const remove = async (): Promise<void> => {
    await backend.call('miner.rigRemove', { name: rig.name })
    goTo('/rigs')
  }
  return (
    <>
      <span className={styles.copyLink}>
        {t('ui.rigs.link')}
        <CopyButton text={link} label={t('ui.rigs.link')} />
      </span>
      <EntryButtons rig={rig} onOpen={setOpen} />
      <Failure text={failure} />
      {open === 'form' && (
        <RigForm
          rig={rig}
          onClose={() => setOpen(null)}
          onSaved={(name) => {
            setOpen(null)
            if (name !== rig.name) goTo(`/rigs/${encodeURIComponent(name)}`)
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          testId="rig-remove-confirm"
          title={t('ui.rigs.removeTitle', { name: rig.name })}
          action={t('ui.rigs.remove')}
          isDanger
          onConfirm={() => run(remove)}
          onClose={() => setOpen(null)}
        >
          <p>{t('ui.rigs.removeText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Absent if nothing may be changed; entries from a rigs file are changed in that file. */
function EntryButtons({ rig, onOpen }: { readonly rig: RigView; readonly onOpen: (what: 'form' | 'remove') => void }) {
  const t = useText()
  const canControl = useCanControl()
  const isEditable = useOperation((state) => state.rigs?.isEditable ?? false)
  if (!canControl || !isEditable || !takesCommands(rig)) return null
  if (rig.isFixed) return <span className={styles.soft}>{t('ui.rigs.fixed')}</span>
  return (
    <>
      <Button
        size="small"
        needsContact
        data-testid="rig-change"
        icon={<Pencil aria-hidden="true" />}
        onClick={() => onOpen('form')}
      >
        {t('ui.rigs.change')}
      </Button>
      <Button
        size="small"
        needsContact
        data-testid="rig-remove"
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => onOpen('remove')}
      >
        {t('ui.rigs.remove')}
      </Button>
    </>
  )
}

// What the figures of one rig are made of: what each of its devices adds.

const PARTS = {
  rigRate: (gpu) => <Value kind="hashrate" value={hasNumbers(gpu) ? gpu.hashrate.s60 : null} />,
  powerSum: ({ powerWatts }) => <Value kind="watts" value={known(powerWatts)} />,
  efficiency: ({ hashrate, powerWatts }) => (
    <Value kind="efficiency" value={powerWatts > 0 ? hashrate.s60 / powerWatts : null} />
  ),
  rigShares: ({ shares }) => <Shares {...shares} />,
  hottest: ({ temperature }) => <Value kind="celsius" value={known(Math.max(...Object.values(temperature)))} />,
} as const satisfies Readonly<Record<string, (gpu: RigGpuView) => ReactNode>>

function RigWhy({ of, gpus }: { readonly of: keyof typeof PARTS; readonly gpus: readonly RigGpuView[] }) {
  const rows: readonly WhyRow[] = gpus.map((gpu, index) => ({
    label: `${index} ${gpu.name}`,
    isForeign: true,
    value: PARTS[of](gpu),
  }))
  return <WhyText of={of} rows={rows} />
}

function RigCard({ rig }: { readonly rig: RigView }) {
  const { t, format } = useLanguage()
  const { figures } = rig
  const isKnown = hasNumbers(figures)
  return (
    <Card title={t('ui.rigs.name')} testId="rig-facts">
      <div>
        <RigState rig={rig} />
      </div>
      <div className={rig.online ? styles.facts : `${styles.facts} ${styles.old}`}>
        <Facts>
          <Fact label={t('ui.node.listenAddress')}>
            <code>
              <ForeignText text={rig.host === '' ? t('ui.rigs.thisRig') : rig.host} />
            </code>
          </Fact>
          {figures !== null && (
            <>
              <Fact label={t('ui.chart.hashrate')} why={<RigWhy of="rigRate" gpus={figures.gpus} />}>
                <Value kind="hashrate" value={isKnown ? figures.hashrate.s60 : null} />
              </Fact>
              <Fact label={t('ui.gpus.effective')} why={<WhyText of="effective" />}>
                <Value kind="hashrate" value={known(figures.hashrate.effective)} />
              </Fact>
              <Fact label={t('ui.gpus.power')} why={<RigWhy of="powerSum" gpus={figures.gpus} />}>
                <Value kind="watts" value={known(figures.powerWatts)} />
              </Fact>
              <Fact label={t('ui.gpus.efficiency')} why={<RigWhy of="efficiency" gpus={figures.gpus} />}>
                <Value kind="efficiency" value={efficiencyOfRig(rig)} />
              </Fact>
              <Fact label={t('ui.overview.shares')} why={<RigWhy of="rigShares" gpus={figures.gpus} />}>
                {isKnown ? <Shares {...figures.shares} /> : UNKNOWN}
              </Fact>
              <Fact label={t('ui.rigs.hottest')} why={<RigWhy of="hottest" gpus={figures.gpus} />}>
                <Value kind="celsius" value={hottestOfRig(rig)} />
              </Fact>
              <Fact label={t('ui.rigs.pool')}>
                <RigPool pool={figures.pool} />
              </Fact>
              <Fact label={t('ui.rigs.uptime')} why={<WhyText of="rigUptime" />}>
                {format.text('duration', isKnown ? figures.uptimeSeconds : null)}
              </Fact>
              <Fact label={t('ui.rigs.version')}>
                <ForeignText text={figures.version} />
              </Fact>
              <Fact label={t('ui.rigs.takesControl')}>{t(figures.control ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>
            </>
          )}
          {takesCommands(rig) && (
            <Fact label={t('ui.rigs.tokenStored')}>{t(rig.hasToken ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>
          )}
          {rig.worker !== null && <WorkerFacts worker={rig.worker} />}
        </Facts>
      </div>
    </Card>
  )
}

/** What the stratum port knows about a rig. */
function WorkerFacts({ worker }: { readonly worker: NonNullable<RigView['worker']> }) {
  const t = useText()
  return (
    <>
      <Fact label={t('ui.rigs.servedDialect')}>{worker.dialect}</Fact>
      <Fact label={t('ui.rigs.servedDifficulty')}>
        <Value kind="count" value={worker.difficulty} />
      </Fact>
      <Fact label={t('ui.rigs.servedReported')}>
        <Value kind="hashrate" value={worker.reportedHashrate} />
      </Fact>
      <Fact label={t('ui.rigs.servedBlocks')}>
        <Value kind="count" value={worker.blocks} />
      </Fact>
      <Fact label={t('ui.rigs.servedLastShare')}>
        <Age time={worker.lastShareAt} />
      </Fact>
    </>
  )
}

function RigPool({ pool }: { readonly pool: RigFiguresView['pool'] | null }) {
  const { t, format } = useLanguage()
  if (pool === null || pool.host === '') return format.text('count', null)
  const name = poolName(pool.host, t)
  const warning = pool.warning === '' && !pool.connected ? t('ui.rigs.noContact', { pool: name }) : pool.warning
  return (
    <>
      <ForeignText text={name} />
      {warning !== '' && (
        <span className={styles.warning}>
          <ForeignText text={warning} />
        </span>
      )}
    </>
  )
}

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

function RigCharts({ rig }: { readonly rig: RigView }) {
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
