// Hashrate and what it costs in power.
import { Pickaxe } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { hrefOf } from '../../app/router'
import { Card, Fact, Facts } from '../../components/Card'
import { Choice } from '../../components/Choice'
import type { ChartLine } from '../../components/chart-line'
import { EmptyState, Skeleton } from '../../components/States'
import { TimeChart } from '../../components/TimeChart'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { costPerLax } from '../../state/earnings'
import { useMiner, usePreference } from '../../state/environment'
import { selectTotalWatts } from '../../state/miner-store'
import { costPerDay } from '../../state/preferences'
import { useEnergyToday } from '../../state/use-energy'
import { useExpectedPerDay } from '../../state/use-expected'
import { CostFacts } from '../Gpus/CostFacts'
import styles from './Overview.module.css'

/** Accepted work is counted over this long before an effective hashrate says anything. */
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
  const hashrate = status?.hashrate
  const takenAt = status?.takenAt ?? null
  const [chosen, setChosen] = useState<OverviewWindow | null>(null)
  const shown = chosen ?? ((status?.uptimeSeconds ?? 0) > SHORT_WINDOW_S ? '1h' : '10m')
  const isYoung = hashrate?.effective == null && (status?.uptimeSeconds ?? 0) < EFFECTIVE_NEEDS_S
  return (
    <>
      <div className={styles.figures}>
        <Value kind="hashrate" value={hashrate?.now} takenAt={takenAt} size="figure" testId="total-hashrate" />
        <span className={styles.small}>
          <span>{t('ui.gpus.s60')}</span>
          <Value kind="hashrate" value={hashrate?.s60} />
        </span>
        <span className={styles.small}>
          <span>{t('ui.gpus.m15')}</span>
          <Value kind="hashrate" value={hashrate?.m15} />
        </span>
        <span className={styles.small}>
          <span>{t('ui.gpus.effective')}</span>
          <span>
            <Value kind="hashrate" value={hashrate?.effective} testId="effective-hashrate" />{' '}
            {isYoung && <span className={styles.hint}>{t('ui.gpus.needsTwoMinutes')}</span>}
          </span>
        </span>
      </div>
      <TimeChart
        title={t(`ui.chart.last.${shown}`)}
        testId="all-hashrate"
        lines={lines}
        kind="hashrate"
        window={shown}
        range={FROM_ZERO}
        syncKey="overview"
        heightPx={270}
        aside={
          <Choice
            label={t('ui.chart.window')}
            value={shown}
            options={windows.map((value) => ({ value, label: t(`ui.chart.window.${value}`) }))}
            onChange={setChosen}
          />
        }
      />
      <PowerChart window={shown} />
    </>
  )
}

/** Watts of all devices under their hashrate, where any reports them. */
function PowerChart({ window: shown }: { readonly window: OverviewWindow }) {
  const t = useText()
  const hasPower = useMiner((state) => selectTotalWatts(state) !== null)
  const lines = useMemo<readonly ChartLine[]>(
    () => [{ ring: 'all.power', history: { device: null, series: 'power' }, label: t('ui.gpus.power'), color: 2 }],
    [t],
  )
  if (!hasPower) return null
  return (
    <TimeChart
      title={t('ui.chart.power')}
      testId="all-power"
      lines={lines}
      kind="watts"
      window={shown}
      range={FROM_ZERO}
      syncKey="overview"
      heightPx={130}
    />
  )
}

const FROM_ZERO = [0, null] as const
const windows = ['10m', '1h'] as const
/** With more history than this the last hour says more than the last ten minutes. */
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

export function EfficiencyCard() {
  const t = useText()
  const format = useFormat()
  const watts = useMiner(selectTotalWatts)
  const hashrate = useMiner((state) => state.status?.hashrate.s60 ?? null)
  const takenAt = useMiner((state) => state.devices?.takenAt ?? null)
  const shares = useMiner((state) => state.status?.shares ?? null)
  const uptime = useMiner((state) => state.status?.uptimeSeconds ?? null)
  const isKnown = useMiner((state) => state.status !== null)
  return (
    <Card title={t('ui.overview.efficiency')}>
      {!isKnown && <Skeleton lines={4} />}
      {isKnown && (
        <>
          <div className={styles.figures}>
            <Value kind="watts" value={watts} takenAt={takenAt} size="figure" testId="total-power" />
          </div>
          {watts === null && <p className={styles.hint}>{t('ui.overview.noPower')}</p>}
          <Facts>
            <Fact label={t('ui.gpus.efficiency')}>
              <Value kind="efficiency" value={watts === null || hashrate === null ? null : hashrate / watts} />
            </Fact>
            <Fact label={t('ui.overview.shares')}>
              {shares === null ? format.text('count', null) : <Shares {...shares} />}
            </Fact>
            <Fact label={t('ui.overview.miningFor')}>
              <Value kind="duration" value={uptime} />
            </Fact>
            <CostFacts watts={watts} />
            <DayFacts watts={watts} />
          </Facts>
        </>
      )}
    </Card>
  )
}

/** What today has used, and what a LAX costs; money only once there is a tariff. */
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
      <Fact label={t('ui.overview.energyToday')}>
        <Value kind="kilowattHours" value={energy} testId="energy-today" />
      </Fact>
      {tariff !== '' && energy !== null && (
        <Fact label={t('ui.overview.costToday')}>
          <span data-testid="cost-today">{money(energy * Number(tariff))}</span>
        </Fact>
      )}
      {perLax !== null && (
        <Fact label={t('ui.overview.costPer')}>
          <span data-testid="cost-per-lax" data-value={perLax} title={t('ui.overview.atPresent')}>
            {money(perLax)}
          </span>
        </Fact>
      )}
    </>
  )
}

export interface SharesProps {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
}

/** Accepted, rejected, failed: with words for those who do not see the order. Drawn again only when one of them changed. */
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
