// Hashrate, and the power it takes.
import { Pickaxe } from 'lucide-react'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { Choice } from '../../components/forms/Choice'
import { Because, Card, Fact, Facts, WhyButton } from '../../components/layout/Card'
import { lazyPart } from '../../components/lazy-part'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { costPerLax } from '../../state/earnings/earnings'
import { useEnergyToday } from '../../state/earnings/use-energy'
import { useExpectedPerDay } from '../../state/earnings/use-expected'
import { useMiner, usePreference } from '../../state/environment'
import { costPerDay } from '../../state/preferences'
import { efficiencyOf, selectEfficiency, selectTotalWatts, selectUnmetered } from '../../state/stores/miner-store'
import type { ChartLine } from '../../widgets/charts/chart-line'
import { TimeChart } from '../../widgets/charts/TimeChart'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { Why } from '../../widgets/why/Why'
import type { DeviceParts } from '../../widgets/why/WhyText'
import { CostFacts } from '../Gpus/facts/CostFacts'
import { Afterwards } from './Afterwards'
import styles from './Overview.module.css'

const LossLine = lazyPart(async () => (await import('./LossLine')).LossLine)
/** The line's height, reserved until it is loaded. */
const LOSS_LINE_PX = 36

/** Low enough that sixteen devices are in view below it at 1440x900. */
const CHART_PX = 100

/** An effective hashrate needs accepted work over at least this long. */
const EFFECTIVE_NEEDS_S = 120

export function HashrateCard() {
  const t = useText()
  const status = useMiner((state) => state.status)
  return (
    <Card
      title={t('ui.overview.hashrate')}
      className={styles.hashrate}
      aside={
        <a className={styles.link} href={hrefOf('/gpus')}>
          {t('ui.overview.devices')}
        </a>
      }
    >
      {status === null && <Skeleton lines={4} heightPx={240} />}
      {status !== null && status.state === 'off' && <EmptyState icon={Pickaxe} title={t('ui.overview.minerOff')} />}
      {status !== null && status.state !== 'off' && <Hashrate />}
    </Card>
  )
}

function Hashrate() {
  const t = useText()
  const status = useMiner((state) => state.status)
  const lines = useHashrateLines()
  const [chosen, setChosen] = useState<OverviewWindow | null>(null)
  const shown = chosen ?? ((status?.uptimeSeconds ?? 0) > SHORT_WINDOW_S ? '1h' : '10m')
  return (
    <>
      <RateFigures />
      <TimeChart
        title={t(`ui.chart.last.${shown}`)}
        testId="all-hashrate"
        lines={lines}
        kind="hashrate"
        window={shown}
        range={FROM_ZERO}
        syncKey="overview"
        heightPx={CHART_PX}
        aside={
          <Choice
            label={t('ui.chart.window')}
            value={shown}
            options={windows.map((value) => ({ value, label: t(`ui.chart.window.${value}`) }))}
            onChange={setChosen}
          />
        }
      />
      <Afterwards fallback={<Skeleton lines={1} heightPx={LOSS_LINE_PX} />}>
        <LossLine window={shown} />
      </Afterwards>
    </>
  )
}

/** The hashrates of all devices; pressed, each shows what the devices add to it. */
function RateFigures() {
  const t = useText()
  const status = useMiner((state) => state.status)
  const hashrate = status?.hashrate
  const takenAt = status?.takenAt ?? null
  const [explained, setExplained] = useState<keyof typeof RATES | null>(null)
  const why = (name: keyof typeof RATES) => ({
    isOpen: explained === name,
    onToggle: () => setExplained(explained === name ? null : name),
  })
  const isYoung = hashrate?.effective == null && (status?.uptimeSeconds ?? 0) < EFFECTIVE_NEEDS_S
  return (
    <>
      <div className={styles.figures}>
        <WhyButton {...why('now')}>
          <Value kind="hashrate" value={hashrate?.now} takenAt={takenAt} size="figure" testId="total-hashrate" />
        </WhyButton>
        <span className={styles.small}>
          <WhyButton {...why('s60')}>{t('ui.gpus.s60')}</WhyButton>
          <Value kind="hashrate" value={hashrate?.s60} />
        </span>
        <span className={styles.small}>
          <WhyButton {...why('m15')}>{t('ui.gpus.m15')}</WhyButton>
          <Value kind="hashrate" value={hashrate?.m15} />
        </span>
        <span className={styles.small}>
          <WhyButton {...why('effective')}>{t('ui.gpus.effective')}</WhyButton>
          <span>
            <Value kind="hashrate" value={hashrate?.effective} testId="effective-hashrate" />{' '}
            {isYoung && <span className={styles.hint}>{t('ui.gpus.needsTwoMinutes')}</span>}
          </span>
        </span>
      </div>
      {explained !== null && (
        <div className={styles.because}>
          <Because>
            <Why of={explained} parts={RATES[explained]} />
          </Because>
        </div>
      )}
    </>
  )
}

/** Watts of all devices; null if none reports them. */
export function PowerCard() {
  const t = useText()
  const hasPower = useMiner((state) => selectTotalWatts(state) !== null)
  const lines = useMemo<readonly ChartLine[]>(
    () => [{ ring: 'all.power', history: { device: null, series: 'power' }, label: t('ui.gpus.power'), color: 2 }],
    [t],
  )
  if (!hasPower) return null
  return (
    <Card title={t('ui.gpus.power')}>
      <TimeChart
        title={t('ui.chart.last.1h')}
        testId="all-power"
        lines={lines}
        kind="watts"
        window="1h"
        range={FROM_ZERO}
        syncKey="overview"
        heightPx={130}
      />
    </Card>
  )
}

/** What each device adds to the hashrates above the chart. */
const RATES = {
  now: { kind: 'hashrate', read: ({ hashrate }) => hashrate.now },
  s60: { kind: 'hashrate', read: ({ hashrate }) => hashrate.s60 },
  m15: { kind: 'hashrate', read: ({ hashrate }) => hashrate.m15 },
  effective: { kind: 'hashrate', read: ({ effectiveHashrate }) => effectiveHashrate ?? null },
} as const satisfies Readonly<Record<string, DeviceParts>>

const FROM_ZERO = [0, null] as const
const windows = ['10m', '1h'] as const
/** With more history than this, the last hour says more than the last ten minutes. */
const SHORT_WINDOW_S = 600

type OverviewWindow = (typeof windows)[number]

function useHashrateLines(): readonly ChartLine[] {
  const t = useText()
  return useMemo(
    () => [
      { ring: 'all.hashrate', history: { device: null, series: 'hashrate' }, label: t('ui.gpus.now'), color: 1 },
      { ring: 'all.effective', history: null, label: t('ui.gpus.effective'), color: 2, isStepped: true },
    ],
    [t],
  )
}

const WATTS: DeviceParts = { kind: 'watts', read: ({ powerWatts }) => powerWatts }
const EFFICIENCY: DeviceParts = { kind: 'efficiency', read: efficiencyOf }
/** Accepted shares of each device. */
export const ACCEPTED: DeviceParts = { kind: 'count', read: ({ shares }) => shares.accepted }

/** Power, efficiency and cost, in one line above the devices. */
export function PowerLine({ children }: { readonly children?: ReactNode }) {
  const t = useText()
  const format = useFormat()
  const watts = useMiner(selectTotalWatts)
  const efficiency = useMiner(selectEfficiency)
  const unmetered = useMiner(selectUnmetered)
  const takenAt = useMiner((state) => state.devices?.takenAt ?? null)
  const shares = useMiner((state) => state.status?.shares ?? null)
  const uptime = useMiner((state) => state.status?.uptimeSeconds ?? null)
  const isKnown = useMiner((state) => state.status !== null)
  return (
    <section className={styles.power} aria-label={t('ui.gpus.power')}>
      {!isKnown && <Skeleton lines={1} />}
      {isKnown && (
        <Facts>
          <Fact label={t('ui.gpus.power')} why={<Why of="powerSum" parts={WATTS} />}>
            <Value kind="watts" value={watts} takenAt={takenAt} size="lead" testId="total-power" />
            {watts === null && <span className={styles.hint}> {t('ui.overview.noPower')}</span>}
          </Fact>
          <Fact label={t('ui.gpus.efficiency')} why={<Why of="efficiency" parts={EFFICIENCY} />}>
            <Value kind="efficiency" value={efficiency} testId="efficiency" />
            {efficiency !== null && unmetered > 0 && (
              <span className={styles.hint}> {t('ui.overview.unmetered', { count: unmetered })}</span>
            )}
          </Fact>
          <CostFacts power={selectTotalWatts} />
          <DayFacts watts={watts} />
          <Fact label={t('ui.overview.shares')} why={<Why of="shares" parts={ACCEPTED} />}>
            {shares === null ? format.text('count', null) : <Shares {...shares} />}
          </Fact>
          <Fact label={t('ui.overview.miningFor')} why={<Why of="uptime" />}>
            <Value kind="duration" value={uptime} />
          </Fact>
        </Facts>
      )}
      {isKnown && children}
    </section>
  )
}

/** Today's energy, and the cost of one LAX; money only once there is a tariff. */
function DayFacts({ watts }: { readonly watts: number | null }) {
  const t = useText()
  const format = useFormat()
  const energy = useEnergyToday()
  const tariff = usePreference((state) => state.tariff)
  const currency = usePreference((state) => state.currency)
  const { wei } = useExpectedPerDay()
  const perLax = costPerLax(costPerDay({ tariff }, watts), wei)
  const money = (amount: number): string => `${format.money(amount)} ${currency}`.trim()
  if (watts === null && energy === null) return null
  return (
    <>
      <Fact label={t('ui.overview.energyToday')} why={<Why of="energyToday" />}>
        <Value kind="kilowattHours" value={energy} testId="energy-today" />
      </Fact>
      {tariff !== '' && energy !== null && (
        <Fact label={t('ui.overview.costToday')} why={<Why of="costToday" />}>
          <span data-testid="cost-today">{money(energy * Number(tariff))}</span>
        </Fact>
      )}
      {perLax !== null && (
        <Fact label={t('ui.overview.costPer')} why={<Why of="costPer" />}>
          <span data-testid="cost-per-lax" data-value={perLax} title={t('ui.overview.atPresent')}>
            {money(perLax)}
          </span>
        </Fact>
      )}
    </>
  )
}

interface SharesProps {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
}

/**
 * Accepted, rejected, failed: with labels for users who can't see the order. Rendered again only when one of them
 * changed.
 */
export const Shares = memo(function Shares({ accepted, rejected, failed }: SharesProps) {
  const t = useText()
  const format = useFormat()
  const text = [accepted, rejected, failed].map((count) => format.text('count', count))
  return (
    <span title={t('ui.gpus.sharesWords', { accepted, rejected, failed })}>
      <span aria-hidden="true" className={styles.mono}>
        {text.join('/')}
      </span>
      <span className="visually-hidden">{t('ui.gpus.sharesWords', { accepted, rejected, failed })}</span>
    </span>
  )
})
