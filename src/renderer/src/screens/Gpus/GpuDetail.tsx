// The page of one device: its charts first, its settings and levels, and what it is.
import { Cpu } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { DeviceLevels } from '../../../../contract/incidents'
import type { DeviceDetailsView, HistoryWindow, TimelineSpan } from '../../../../contract/miner'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { Tabs } from '../../components/layout/Tabs'
import { copyText, ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { type TextKey, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type DeviceTab, deviceTabs } from '../../navigation/routes'
import { RARELY, useAttempt, useCall } from '../../state/answers/use-answer'
import { useCanControl, useDevice, useEnvironment, useMiner } from '../../state/environment'
import type { SensorName, SteadyDevice } from '../../state/in-sight'
import { deviceKey, levelsOf, readWhole, useIncidentRules } from '../../state/incidents'
import { costPerDay, energyPerDay, usePrices } from '../../state/money/use-money'
import {
  type ChangeRules,
  type MinerState,
  selectDevice,
  selectDeviceIndexes,
  selectShares,
} from '../../state/stores/program-store'
import { EMPTY, useTimeline } from '../../state/timeline/use-timeline'
import { Button, Failure } from '../../widgets/controls/Button'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { PauseFor } from '../../widgets/controls/PauseFor'
import { deviceColor, deviceLabel, shortName } from '../../widgets/devices/device-names'
import { DeviceValue, MinerValue } from '../../widgets/devices/WrittenValue'
import { Shares } from '../../widgets/facts/Shares'
import { AnswerState, EmptyState, Skeleton } from '../../widgets/facts/States'
import { useReadingAge, Value } from '../../widgets/facts/Value'
import { NumberField, RuleField, RulesFault } from '../../widgets/incidents/RuleField'
import { Why } from '../../widgets/why/Why'
import type { Explained } from '../../widgets/why/WhyText'
import { BackLink, Screen } from '../Screen'
import { DeviceCharts, reportedOf, WindowChoice } from './DeviceCharts'
import { DevicePause, type DevicePauseProps } from './DevicePause'
import { DeviceState } from './DeviceState'
import styles from './Gpus.module.css'
import { SimulatedFaults } from './Simulated'
import { TuningCard } from './TuningCard'
import { readings, subtitle } from './use-figures'

export function GpuDetail({ index, tab }: { readonly index: number; readonly tab: DeviceTab }) {
  const t = useText()
  const device = useDevice(index)
  const isKnown = useMiner((state) => state.devices !== null)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const place = useMiner((state) => selectDeviceIndexes(state).indexOf(index))
  const back = <BackLink route="/gpus">{t('ui.gpus.title')}</BackLink>
  if (!isKnown) return <Skeleton lines={6} />
  if (device === undefined) {
    return (
      <Screen title={t('ui.gpus.title')}>
        <EmptyState icon={Cpu} title={t('ui.gpus.noSuch', { index })} action={back} />
      </Screen>
    )
  }
  return (
    <Screen
      back={back}
      title={
        <span className={styles.deviceTitle} style={{ '--c': deviceColor(device, place) } as CSSProperties}>
          {deviceLabel(device, t)}
        </span>
      }
      sub={
        <span className={styles.deviceSub}>
          <ForeignText text={shortName(device.name)} />
          <DeviceState device={device} isNamed />
        </span>
      }
      actions={<DevicePauseFor device={device} testId={`gpu-pause-${index}`} />}
    >
      <ControlMessage target={index} />
      <div className={styles.tabRow}>
        <Tabs
          label={deviceLabel(device, t)}
          active={tab}
          tabs={deviceTabs.map((name) => ({
            name,
            href: hrefOf(name === 'charts' ? `/gpus/${index}` : `/gpus/${index}/${name}`),
            title: t(`ui.gpus.tab.${name}`),
            testId: `gpu-tab-${name}`,
          }))}
        />
        {tab === 'charts' && <WindowChoice value={shown} onChange={setShown} />}
      </div>
      {tab === 'charts' && <DeviceCharts device={device} window={shown} />}
      {tab === 'tuning' && <Tuning device={device} />}
      {tab === 'about' && <About device={device} />}
      <SimulatedFaults index={index} />
    </Screen>
  )
}

function Tuning({ device }: { readonly device: SteadyDevice }) {
  const key = deviceKey(device)
  return (
    <>
      <TuningCard key={`tuning ${key}`} index={device.index} />
      <LevelsCard key={key} index={device.index} device={key} reported={reportedOf(device)} />
    </>
  )
}

function About({ device }: { readonly device: SteadyDevice }) {
  const timeline = useTimeline(device, '10m').value ?? EMPTY
  return (
    <div className={styles.two}>
      <FactsCard device={device} spans={timeline.spans} />
      <DeviceFacts index={device.index} />
    </div>
  )
}

/** A new reading of the device changes nothing in it. */
const DurationMenu = memo(PauseFor)

function DevicePauseFor({ device, testId }: DevicePauseProps) {
  const t = useText()
  const { index, name, paused } = device
  return (
    <span className={styles.pause}>
      <DevicePause device={device} testId={testId} />
      {!paused && (
        <DurationMenu target={index} name={t('ui.gpus.targetName', { index, name })} testId={`${testId}-for`} />
      )}
    </span>
  )
}

const places = ['core', 'hotspot', 'memory'] as const
type Place = (typeof places)[number]

const BOUNDS = { min: 20, max: 150 }
const PERCENT = { min: 1, max: 100 }

interface LevelsCardProps {
  readonly index: number
  /** The device's name in the settings. */
  readonly device: string
  /** The sensors that it reports, separated by spaces: a string, so that a new reading doesn't render this again. */
  readonly reported: string
}

/** Only the sensors that the device reports; renders nothing without any. */
const LevelsCard = memo(function LevelsCard({ index, device, reported }: LevelsCardProps) {
  const t = useText()
  const canControl = useCanControl()
  const kept = useIncidentRules()
  const levels = kept && levelsOf(kept, device)
  const { rules: saved } = useEnvironment().stores
  const { failure, attempt } = useAttempt()
  const [edit, setEdit] = useState(0)
  const known = places.filter((place) => reported.split(' ').includes(place))
  const changed =
    (part: Partial<DeviceLevels>): ChangeRules =>
    (rules) => ({ ...rules, levels: { ...rules.levels, [device]: { ...levelsOf(rules, device), ...part } } })
  const reset = async (): Promise<void> => {
    const isSaved = await attempt(() =>
      saved.save(({ levels: { [device]: _own, ...others }, ...rules }) => ({ ...rules, levels: others })),
    )
    // Fields keep what was typed; new ones show the saved values.
    if (isSaved) setEdit(edit + 1)
  }
  const others = (['fan', 'power'] as const).filter((one) => reported.split(' ').includes(one))
  if (!canControl || known.length + others.length === 0) return null
  if (levels === null) return <RulesFault title={t('ui.alarms.levels')} />
  return (
    <Card title={t('ui.alarms.levels')} testId={`gpu-levels-${index}`}>
      <p className={styles.hint}>{t('ui.alarms.levelsText')}</p>
      <div className={styles.levels}>
        {known.map((place) => (
          <PlaceFields
            key={`${place} ${edit}`}
            index={index}
            place={place}
            levels={levels}
            change={(pair) => changed({ [place]: pair })}
          />
        ))}
        {others.map((name) => (
          <RuleField
            key={`${name} ${edit}`}
            label={t(`ui.gpus.${name}Level`)}
            testId={`level-${name}-${index}`}
            bounds={PERCENT}
            value={levels[name]}
            change={(value) => changed({ [name]: value })}
          />
        ))}
      </div>
      <div>
        <Button size="small" onClick={() => void reset()} data-testid={`gpu-levels-reset-${index}`}>
          {t('ui.alarms.usual')}
        </Button>
        <Failure text={failure} />
      </div>
    </Card>
  )
})

interface PlaceFieldsProps {
  readonly index: number
  readonly place: Place
  readonly levels: DeviceLevels
  readonly change: (pair: DeviceLevels[Place]) => ChangeRules
}

/** Takes effect once both are valid levels and in order. */
function PlaceFields({ index, place, levels, change }: PlaceFieldsProps) {
  const t = useText()
  const { rules } = useEnvironment().stores
  const { failure, run } = useAttempt()
  const kept = levels[place]
  const [typed, setTyped] = useState({ warn: String(kept.warn), critical: String(kept.critical) })
  const type = (part: Partial<typeof typed>): void => {
    const next = { ...typed, ...part }
    setTyped(next)
    const [warn, critical] = [readWhole(next.warn, BOUNDS), readWhole(next.critical, BOUNDS)]
    if (warn !== null && critical !== null && warn < critical) run(() => rules.save(change({ warn, critical })))
  }
  const isInOrder =
    (readWhole(typed.warn, BOUNDS) ?? 0) < (readWhole(typed.critical, BOUNDS) ?? Number.POSITIVE_INFINITY)
  return (['warn', 'critical'] as const).map((which) => (
    <NumberField
      key={which}
      label={t(`ui.alarms.${which}`, { place: t(`ui.gpus.${place}`) })}
      testId={`level-${place}-${which}-${index}`}
      text={typed[which]}
      bounds={BOUNDS}
      value={kept[which]}
      fault={which === 'critical' || isInOrder ? '' : t('ui.alarms.order')}
      failure={failure}
      onType={(text) => type({ [which]: text })}
    />
  ))
}

const DeviceFacts = memo(function DeviceFacts({ index }: { readonly index: number }) {
  const t = useText()
  const inventory = useCall('miner.inventory', {}, RARELY)
  const details = inventory.value?.devices[index]
  if (details === undefined)
    return (
      <Card title={t('ui.gpus.device')}>
        <AnswerState answer={inventory} lines={4} />
      </Card>
    )
  return (
    <Card
      title={t('ui.gpus.device')}
      testId={`gpu-facts-${index}`}
      aside={<CopyDiagnosis index={index} details={details} />}
    >
      <Facts>
        {details.driver !== '' && (
          <Fact label={t('ui.gpus.driver')}>
            <ForeignText text={details.driver} />
          </Fact>
        )}
        <NumberFacts details={details} />
        <PlanFacts details={details} />
        <LimitFacts details={details} />
        <LocateFact index={index} />
      </Facts>
      {details.lastEpoch === null && details.memoryBytes !== null && (
        <p className={styles.hint}>{t('ui.gpus.tooSmall')}</p>
      )}
    </Card>
  )
})

function NumberFacts({ details }: { readonly details: DeviceDetailsView }) {
  const { t, format } = useLanguage()
  const epoch = details.epoch ?? 0
  const figures: readonly (readonly [string, NumberKind, number | null])[] = [
    [t('ui.gpus.deviceMemory'), 'bytes', details.memoryBytes],
    [t('ui.gpus.epochNow', { epoch }), 'bytes', details.neededBytes],
    [t('ui.gpus.epochNext', { epoch: epoch + 1 }), 'bytes', details.nextNeededBytes],
    [t('ui.gpus.lastEpoch'), 'count', details.lastEpoch],
    [t('ui.gpus.buildTime'), 'duration', details.buildSeconds],
  ]
  return figures.map(
    ([label, kind, value]) =>
      value !== null && (
        <Fact key={label} label={label}>
          {format.text(kind, kind === 'duration' ? Math.max(1, Math.round(value)) : value)}
        </Fact>
      ),
  )
}

/** When epochs change, at the chain's pace: the next one with its cost, and the one that no longer fits into memory. */
function PlanFacts({
  details: { nextChangeAt, changeSeconds, memoryFullAt },
}: {
  readonly details: DeviceDetailsView
}) {
  const { t, format } = useLanguage()
  const costs = (seconds: number): string =>
    seconds === 0 ? t('ui.gpus.changeFree') : format.text('duration', Math.max(1, Math.round(seconds)))
  return (
    <>
      {nextChangeAt !== null && (
        <Fact label={t('ui.gpus.nextChange')}>{t('ui.gpus.about', { time: format.moment(nextChangeAt) })}</Fact>
      )}
      {changeSeconds !== null && <Fact label={t('ui.gpus.changeCosts')}>{costs(changeSeconds)}</Fact>}
      {memoryFullAt !== null && (
        <Fact label={t('ui.gpus.memoryFull')}>{t('ui.gpus.about', { time: format.date(memoryFullAt) })}</Fact>
      )}
    </>
  )
}

function LimitFacts({ details: { temperatureLimits: limits, launch } }: { readonly details: DeviceDetailsView }) {
  const { t, format } = useLanguage()
  const bounds = limits && { stop: format.text('celsius', limits.stop), start: format.text('celsius', limits.start) }
  return (
    <>
      <Fact label={t('ui.gpus.heatPause')}>
        {bounds === null ? t('ui.gpus.noHeatPause') : t('ui.gpus.heatPauseAt', bounds)}
      </Fact>
      {launch !== null && (
        <Fact label={t('ui.gpus.launch')}>
          {t('ui.gpus.launchOf', { batch: launch.batchHashes, group: launch.groupSize })}
        </Fact>
      )}
    </>
  )
}

/** All that is known about the device, as text for support. Contains nothing about pools or accounts. */
function CopyDiagnosis({ index, details }: { readonly index: number; readonly details: DeviceDetailsView }) {
  const t = useText()
  const { stores, backend } = useEnvironment()
  const [end, setEnd] = useState<'copied' | 'failed' | null>(null)
  const copy = async (): Promise<boolean> => {
    const { failed } = await backend.call('miner.solutions', { device: index }).catch(() => ({ failed: null }))
    const info = stores.app.getState().info
    const program = info && { version: info.version, engine: info.engine }
    const device = selectDevice(index)(stores.miner.getState())
    return copyText(JSON.stringify({ program, device, details, failed }, null, 2))
  }
  const press = (): void => void copy().then((isCopied) => setEnd(isCopied ? 'copied' : 'failed'))
  return (
    <>
      <Button size="small" variant="quiet" onClick={press} data-testid={`gpu-diagnosis-${index}`}>
        {t('ui.gpus.copyDiagnosis')}
      </Button>
      <span className="visually-hidden" role="status">
        {end === null ? '' : t(end === 'copied' ? 'ui.settings.copied' : 'ui.gpus.notCopied')}
      </span>
      {end !== null && (
        <span className={styles.hint} aria-hidden="true">
          {t(end === 'copied' ? 'ui.settings.copied' : 'ui.gpus.notCopied')}
        </span>
      )}
    </>
  )
}

/** Renders nothing for a CPU, and for read-only users. */
function LocateFact({ index }: { readonly index: number }) {
  const { t, format } = useLanguage()
  const { backend, clock } = useEnvironment()
  const canControl = useCanControl()
  const kind = useMiner((state) => selectDevice(index)(state)?.backend ?? 'cpu')
  const tuning = useCall('miner.tuning', { device: index }, RARELY)
  const { isBusy, failure, run: attempt } = useAttempt()
  /** For how long the fans run, a new object for each press; null while they don't. */
  const [run, setRun] = useState<{ readonly runsMs: number } | null>(null)
  useEffect(() => {
    if (run === null) return
    const timer = clock.setTimeout(() => setRun(null), run.runsMs)
    return () => timer.dispose()
  }, [run, clock])
  if (kind === 'cpu' || !canControl) return null
  if (tuning.value === null)
    return (
      <Fact label={t('ui.gpus.locate')}>
        <AnswerState answer={tuning} lines={1} />
      </Fact>
    )
  const fan = tuning.value.card?.knobs.find(({ knob }) => knob === 'fan')
  const locate = (): void => attempt(async () => setRun(await backend.call('miner.locate', { device: index })))
  return (
    <Fact label={t('ui.gpus.locate')}>
      {fan === undefined || fan.allowed === false ? (
        t(fan === undefined ? 'ui.gpus.locateNoFan' : 'ui.gpus.locateNoRights')
      ) : (
        <>
          <Button size="small" needsContact isBusy={isBusy} data-testid={`gpu-locate-${index}`} onClick={locate}>
            {t('ui.gpus.locateAction')}
          </Button>
          <span role="status" className={styles.hint}>
            {run === null ? '' : ` ${t('ui.gpus.locateRuns', { time: format.text('duration', run.runsMs / 1000) })}`}
          </span>
          <Failure text={failure} />
        </>
      )}
    </Fact>
  )
}

interface FactsCardProps {
  readonly device: SteadyDevice
  readonly spans: readonly TimelineSpan[]
}

/** A device's figures beside its charts. */
function FactsCard({ device, spans }: FactsCardProps) {
  const t = useText()
  const { index, powerLimitWatts, datasetBytes } = device
  return (
    <Card title={t('ui.gpus.figures')}>
      <div>
        <DeviceState device={device} isNamed={false} />
      </div>
      <Facts>
        <Fact label={t('ui.gpus.backend')}>{subtitle(device, t)}</Fact>
        <RateFacts index={index} spans={spans} />
        <Fact label={t('ui.overview.shares')} why={<Why of="shares" />}>
          <DeviceShares index={index} />
        </Fact>
        <SensorFacts device={device} sensors={SENSORS} spans={spans} />
        {powerLimitWatts !== null && (
          <Fact label={t('ui.gpus.limit')} why={<Why of="limit" spans={spans} />}>
            <Value kind="watts" value={powerLimitWatts} />
          </Fact>
        )}
        <SensorFacts device={device} sensors={CLOCKS} spans={spans} />
        {datasetBytes !== null && (
          <Fact label={t('ui.gpus.dataset')} why={<Why of="dataset" spans={spans} />}>
            <Value kind="bytes" value={datasetBytes} />
          </Fact>
        )}
        <DeviceCost index={index} />
      </Facts>
    </Card>
  )
}

/** A figure that changes every second lays out nothing but itself. */
function Reading({ children }: { readonly children: ReactNode }) {
  return <span className={styles.reading}>{children}</span>
}

const RATES = ['now', 's60', 'm15'] as const

/** Only the current rate ages: the others are means over minutes. */
function RateFacts({ index, spans }: { readonly index: number; readonly spans: readonly TimelineSpan[] }) {
  const t = useText()
  const age = useReadingAge(index)
  return RATES.map((name) => (
    <Fact key={name} label={t(`ui.gpus.${name}`)} why={<Why of={name} spans={spans} />}>
      <Reading>
        <DeviceValue device={index} kind="hashrate" read={readings[name]} age={name === 'now' ? age : null} />
      </Reading>
    </Fact>
  ))
}

interface Sensor {
  /** Shown while this sensor reports something. */
  readonly sensor: SensorName
  readonly read: keyof typeof readings
  readonly label: TextKey
  readonly kind: NumberKind
  readonly of: Explained
}

const SENSORS: readonly Sensor[] = [
  { sensor: 'power', read: 'efficiency', label: 'ui.gpus.efficiency', kind: 'efficiency', of: 'efficiency' },
  { sensor: 'core', read: 'core', label: 'ui.gpus.core', kind: 'celsius', of: 'sensor' },
  { sensor: 'hotspot', read: 'hotspot', label: 'ui.gpus.hotspot', kind: 'celsius', of: 'sensor' },
  { sensor: 'memory', read: 'memory', label: 'ui.gpus.memory', kind: 'celsius', of: 'sensor' },
  { sensor: 'fan', read: 'fan', label: 'ui.gpus.fan', kind: 'fan', of: 'sensor' },
  { sensor: 'power', read: 'power', label: 'ui.gpus.power', kind: 'watts', of: 'sensor' },
]
const CLOCKS: readonly Sensor[] = [
  { sensor: 'coreClock', read: 'coreClock', label: 'ui.gpus.coreClock', kind: 'megahertz', of: 'sensor' },
  { sensor: 'memoryClock', read: 'memoryClock', label: 'ui.gpus.memoryClock', kind: 'megahertz', of: 'sensor' },
]

interface SensorFactsProps extends FactsCardProps {
  readonly sensors: readonly Sensor[]
}

function SensorFacts({ device: { index, reported }, sensors, spans }: SensorFactsProps) {
  const t = useText()
  const age = useReadingAge(index)
  return sensors
    .filter(({ sensor }) => reported[sensor])
    .map(({ read, label, kind, of }) => (
      <Fact key={read} label={t(label)} why={<Why of={of} spans={spans} />}>
        <Reading>
          <DeviceValue device={index} kind={kind} read={readings[read]} age={age} />
        </Reading>
      </Fact>
    ))
}

function DeviceCost({ index }: { readonly index: number }) {
  const power = useCallback((state: MinerState) => selectDevice(index)(state)?.powerWatts ?? null, [index])
  return <CostFacts power={power} />
}

interface CostFactsProps {
  /** Watts; null = unknown. Has to be the same function each time. */
  readonly power: (state: MinerState) => number | null
}

/** Renders nothing if no power is reported. */
function CostFacts({ power }: CostFactsProps) {
  const t = useText()
  const isKnown = useMiner((state) => power(state) !== null)
  const { power: price, currency } = usePrices()
  const energy = useCallback(
    (state: MinerState) => {
      const watts = power(state)
      return watts === null ? null : energyPerDay(watts)
    },
    [power],
  )
  if (!isKnown) return null
  return (
    <>
      <Fact label={t('ui.gpus.energyDay')} why={<Why of="energyDay" />}>
        <MinerValue kind="kilowattHours" read={energy} />
      </Fact>
      <Fact label={t('ui.gpus.costDay')} why={price === null ? undefined : <Why of="costDay" />}>
        {price === null ? (
          <a href={hrefOf('/settings/money')}>{t('ui.gpus.needsTariff')}</a>
        ) : (
          <Cost power={power} price={price} currency={currency} />
        )}
      </Fact>
    </>
  )
}

interface CostProps extends CostFactsProps {
  /** Of a kWh. */
  readonly price: number
  readonly currency: string
}

function Cost({ power, price, currency }: CostProps) {
  const { t, format } = useLanguage()
  const cost = costPerDay(price, useMiner(power))
  if (cost === null) return null
  const amount = format.money(cost)
  return (
    <span data-testid="cost-day" data-value={cost} title={t('ui.gpus.costNow', { amount })}>
      {`${amount} ${currency}`.trim()}
    </span>
  )
}

/** Rendered again only when a share is counted. */
function DeviceShares({ index }: { readonly index: number }) {
  const shares = useMiner(useMemo(() => selectShares(index), [index]))
  return shares === undefined ? null : <Shares {...shares} />
}
