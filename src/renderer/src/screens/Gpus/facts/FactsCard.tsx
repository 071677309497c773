// A device's figures beside its charts.
import { type ReactNode, useCallback, useMemo } from 'react'
import type { TimelineSpan } from '../../../../../contract/miner'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import type { NumberKind } from '../../../format/formatter'
import { type TextKey, useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useMiner } from '../../../state/environment'
import type { SensorName, SteadyDevice } from '../../../state/in-sight'
import { costPerDay, energyPerDay, usePrices } from '../../../state/money/use-money'
import { type MinerState, selectDevice, selectShares } from '../../../state/stores/miner-store'
import { DeviceValue } from '../../../widgets/devices/DeviceValue'
import { MinerValue } from '../../../widgets/devices/MinerValue'
import { Shares } from '../../../widgets/facts/Shares'
import { useReadingAge, Value } from '../../../widgets/facts/Value'
import { Why } from '../../../widgets/why/Why'
import type { Explained } from '../../../widgets/why/WhyText'
import { DeviceState } from '../DeviceState'
import { readings, subtitle } from '../figures'
import styles from '../Gpus.module.css'

interface FactsCardProps {
  readonly device: SteadyDevice
  readonly spans: readonly TimelineSpan[]
}

export function FactsCard({ device, spans }: FactsCardProps) {
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

interface RateFactsProps {
  readonly index: number
  readonly spans: readonly TimelineSpan[]
}

/** Only the current rate ages: the others are means over minutes. */
function RateFacts({ index, spans }: RateFactsProps) {
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
  const t = useText()
  const format = useFormat()
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
