// The morning report: the result of a day compared with the expected one, and what reduced it.
import { type ReactNode, useState } from 'react'
import { poissonRange } from '../../../../base/poisson'
import type { DayReportView } from '../../../../contract/pools'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { saveText } from '../../components/values/copy-text'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { estimate } from '../../state/earnings/earnings'
import { useOperation } from '../../state/environment'
import { usePrices } from '../../state/money/use-money'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/AmountText'
import { Value } from '../../widgets/facts/Value'
import { Why } from '../../widgets/why/Why'
import { type Explained, type WhyRow, WhyText } from '../../widgets/why/WhyText'
import styles from './Activity.module.css'

const MAX_DEVICES = 16
const MAX_REASONS = 5

/** Renders nothing before the first morning. */
export function ReportCard() {
  const t = useText()
  const format = useFormat()
  const reports = useOperation((state) => state.reports)
  const [chosen, setChosen] = useState<number | null>(null)
  const found = reports.findIndex(({ to }) => to === chosen)
  const place = Math.max(0, found)
  const report = reports[place]
  if (report === undefined) return null
  const go = (step: number): void => setChosen(reports[place + step]?.to ?? null)
  return (
    <Card
      title={t('ui.report.title')}
      testId="day-report"
      aside={
        <span className={styles.reportTools}>
          <Button
            size="small"
            data-testid="report-older"
            disabledReason={place + 1 < reports.length ? undefined : t('ui.report.noOlder')}
            onClick={() => go(1)}
          >
            {t('ui.report.older')}
          </Button>
          <Button
            size="small"
            data-testid="report-newer"
            disabledReason={place > 0 ? undefined : t('ui.report.noNewer')}
            onClick={() => go(-1)}
          >
            {t('ui.report.newer')}
          </Button>
          <Button
            size="small"
            data-testid="report-save"
            onClick={() =>
              saveText(`${JSON.stringify(reports, null, 2)}\n`, 'headframe-reports.json', 'application/json')
            }
          >
            {t('ui.report.save')}
          </Button>
        </span>
      }
    >
      <p className={styles.soft}>
        {t('ui.common.range', { from: format.moment(report.from), to: format.moment(report.to) })}
      </p>
      <Report report={report} />
    </Card>
  )
}

function Report({ report }: { readonly report: DayReportView }) {
  const t = useText()
  const computed = report.rows.reduce((sum, row) => sum + BigInt(row.computed), 0n)
  return (
    <Facts>
      <FoundFact report={report} isSolo />
      <FoundFact report={report} isSolo={false} />
      {computed > 0n && (
        <Fact label={t('ui.report.worth')} why={<WorthWhy report={report} />}>
          <AmountText wei={String(estimate(computed))} form="list" />
        </Fact>
      )}
      <EnergyFacts report={report} />
      <DeviceFacts report={report} />
      {report.refused.slice(0, MAX_REASONS).map(({ reason, count }) => (
        <Fact key={reason} label={t('ui.report.refused')} why={<RefusedWhy report={report} />}>
          <ForeignText
            text={t('ui.losses.refused', { count, reason: reason === '' ? t('ui.losses.noReason') : reason })}
          />
        </Fact>
      ))}
      {report.pools.map(({ host, medianMs }) => (
        <Fact key={host} label={t('ui.report.latency', { host })} why={<Why of="poolLatency" />}>
          {t('ui.report.milliseconds', { ms: Math.round(medianMs) })}
        </Fact>
      ))}
    </Facts>
  )
}

/** Our node's blocks, or shares at pools, with the range that holds 95% of such days. */
function FoundFact({ report, isSolo }: { readonly report: DayReportView; readonly isSolo: boolean }) {
  const t = useText()
  const format = useFormat()
  const rows = report.rows.filter(({ pool, hashes, shares }) => (pool === '') === isSolo && hashes + shares > 0)
  if (rows.length === 0) return null
  const count = rows.reduce((sum, { shares }) => sum + shares, 0)
  const mean = rows.reduce((sum, { expectedShares }) => sum + expectedShares, 0)
  const { low, high } = poissonRange(mean)
  const number = (value: number): string => format.text('count', value)
  return (
    <Fact
      label={t(isSolo ? 'ui.report.blocks' : 'ui.report.shares')}
      why={<FoundWhy report={report} isSolo={isSolo} />}
    >
      <span data-testid={isSolo ? 'report-blocks' : 'report-shares'} data-value={count}>
        {t('ui.report.ofExpected', { count: number(count), low: number(low), high: number(high) })}
      </span>
    </Fact>
  )
}

/** Computes the cost with today's tariff. */
function EnergyFacts({ report }: { readonly report: DayReportView }) {
  const t = useText()
  const format = useFormat()
  const { power: tariff, currency } = usePrices()
  const { energy } = report
  const money = (amount: number): string => `${format.money(amount)} ${currency}`.trim()
  if (energy === null) return null
  return (
    <>
      <Fact label={t('ui.report.energy')} why={<ReportPart of="reportEnergy" report={report} />}>
        <Value kind="kilowattHours" value={energy} testId="report-energy" />
      </Fact>
      {tariff !== null && (
        <Fact
          label={t('ui.report.cost')}
          why={<CostWhy report={report} energy={energy} tariff={tariff} money={money} />}
        >
          {money(energy * tariff)}
        </Fact>
      )}
    </>
  )
}

/** Devices with something to report; one line for all others. */
function DeviceFacts({ report }: { readonly report: DayReportView }) {
  const { devices, from, watchedFrom } = report
  const t = useText()
  const format = useFormat()
  const told = devices.filter(({ lostMs, hangs, restarts, failed }) => lostMs + hangs + restarts + failed > 0)
  return (
    <>
      {told.slice(0, MAX_DEVICES).map(({ index, name, lostMs, hangs, restarts, failed }) => (
        <Fact
          key={index}
          label={<ForeignText text={`${index} ${name}`} />}
          why={<ReportPart of="reportDevice" report={report} />}
        >
          <span data-testid={`report-device-${index}`}>
            {t('ui.report.device', {
              lost: lostMs === 0 ? '0' : format.text('duration', Math.max(1, lostMs / 1000)),
              hangs,
              restarts,
              failed,
            })}
          </span>
        </Fact>
      ))}
      {told.length === 0 && <Fact label={t('ui.report.devices')}>{t('ui.report.allWell')}</Fact>}
      {watchedFrom > from && (
        <Fact label={t('ui.report.watched')}>{t('ui.report.since', { time: format.moment(watchedFrom) })}</Fact>
      )}
    </>
  )
}

interface ReportWhyProps {
  readonly report: DayReportView
}

interface PartsProps extends ReportWhyProps {
  readonly of: Extract<Explained, `report${string}`>
  readonly rows?: readonly WhyRow[]
}

/** Explains with the time that the report covers. */
function ReportPart({ of, report, rows = [] }: PartsProps) {
  const format = useFormat()
  return <WhyText of={of} values={{ from: format.moment(report.from), to: format.moment(report.to) }} rows={rows} />
}

const count = (value: number): ReactNode => <Value kind="count" value={value} />

/** Blocks of our node, or shares at each pool, beside what the hashes bring on average. */
function FoundWhy({ report, isSolo }: ReportWhyProps & { readonly isSolo: boolean }) {
  const t = useText()
  const rows = report.rows.filter(({ pool }) => (pool === '') === isSolo)
  const parts = rows.map(({ pool, shares }) => ({
    label: pool === '' ? t('ui.overview.ownNode') : pool,
    isForeign: pool !== '',
    value: count(shares),
  }))
  const result: readonly WhyRow[] = [
    { label: t('ui.why.row.sum'), value: count(rows.reduce((sum, { shares }) => sum + shares, 0)), isResult: true },
    {
      label: t('ui.why.row.foundOnAverage'),
      value: <Value kind="average" value={rows.reduce((sum, { expectedShares }) => sum + expectedShares, 0)} />,
    },
  ]
  return <ReportPart of="reportFound" report={report} rows={[...parts, ...result]} />
}

/** The value of the hashes at each pool and for our node. */
function WorthWhy({ report }: ReportWhyProps) {
  const t = useText()
  const amount = (wei: string): ReactNode => <AmountText wei={wei} form="list" />
  const rows: readonly WhyRow[] = [
    ...report.rows.map(({ pool, computed }) => ({
      label: pool === '' ? t('ui.overview.ownNode') : pool,
      isForeign: pool !== '',
      value: amount(computed),
    })),
    {
      label: t('ui.why.row.sum'),
      value: amount(String(report.rows.reduce((sum, { computed }) => sum + BigInt(computed), 0n))),
      isResult: true,
    },
  ]
  return <ReportPart of="reportWorth" report={report} rows={rows} />
}

interface CostWhyProps extends ReportWhyProps {
  readonly energy: number
  /** Of one kWh. */
  readonly tariff: number
  /** An amount with its currency. */
  readonly money: (amount: number) => string
}

function CostWhy({ report, energy, tariff, money }: CostWhyProps) {
  const t = useText()
  const rows: readonly WhyRow[] = [
    { label: t('ui.report.energy'), value: <Value kind="kilowattHours" value={energy} /> },
    { label: t('ui.pools.calc.tariff'), value: money(tariff) },
    { label: t('ui.report.cost'), value: money(energy * tariff), isResult: true },
  ]
  return <ReportPart of="reportCost" report={report} rows={rows} />
}

/** All reasons, the rarer ones too. */
function RefusedWhy({ report }: ReportWhyProps) {
  const t = useText()
  const rows: readonly WhyRow[] = [
    ...report.refused.map(({ reason, count: times }) => ({
      label: reason === '' ? t('ui.losses.noReason') : reason,
      isForeign: reason !== '',
      value: count(times),
    })),
    {
      label: t('ui.why.row.sum'),
      value: count(report.refused.reduce((sum, { count: times }) => sum + times, 0)),
      isResult: true,
    },
  ]
  return <ReportPart of="reportRefused" report={report} rows={rows} />
}
