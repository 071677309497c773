// What the figures of a morning report are made of: each pool's part, each reason, and the range of luck.
import type { ReactNode } from 'react'
import type { DayReportView } from '../../../../contract/pools'
import { useFormat, useText } from '../../i18n/text'
import { AmountText } from '../../widgets/facts/AmountText'
import { Value } from '../../widgets/facts/Value'
import { type Explained, type WhyRow, WhyText } from '../../widgets/why/WhyText'

interface ReportWhyProps {
  readonly report: DayReportView
}

interface PartsProps extends ReportWhyProps {
  readonly of: Extract<Explained, `report${string}`>
  readonly rows?: readonly WhyRow[]
}

/** Explains with the time that the report covers. */
export function ReportPart({ of, report, rows = [] }: PartsProps) {
  const format = useFormat()
  return <WhyText of={of} values={{ from: format.moment(report.from), to: format.moment(report.to) }} rows={rows} />
}

const count = (value: number): ReactNode => <Value kind="count" value={value} />

/** Blocks of our node, or shares at each pool, beside what the hashes bring on average. */
export function FoundWhy({ report, isSolo }: ReportWhyProps & { readonly isSolo: boolean }) {
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
export function WorthWhy({ report }: ReportWhyProps) {
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
  /** Of one kWh, as typed in the settings. */
  readonly tariff: number
  /** An amount with its currency. */
  readonly money: (amount: number) => string
}

export function CostWhy({ report, energy, tariff, money }: CostWhyProps) {
  const t = useText()
  const rows: readonly WhyRow[] = [
    { label: t('ui.report.energy'), value: <Value kind="kilowattHours" value={energy} /> },
    { label: t('ui.pools.calc.tariff'), value: money(tariff) },
    { label: t('ui.report.cost'), value: money(energy * tariff), isResult: true },
  ]
  return <ReportPart of="reportCost" report={report} rows={rows} />
}

/** All reasons, the rarer ones too. */
export function RefusedWhy({ report }: ReportWhyProps) {
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
