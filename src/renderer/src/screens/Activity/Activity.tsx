// What happened: as sentences, as the audit log, and as the program's log.
import { type ReactNode, useState } from 'react'
import { poissonRange } from '../../../../base/poisson'
import type { DayReportView } from '../../../../contract/pools'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { Tabs } from '../../components/layout/Tabs'
import { ForeignText, saveText } from '../../components/values/HexText'
import { useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type ActivityTab, activityTabs } from '../../navigation/routes'
import { useAttempt } from '../../state/answers/use-answer'
import { estimate } from '../../state/earnings/earnings'
import { useApp, useCanControl, useEnvironment, useOperation } from '../../state/environment'
import { usePrices } from '../../state/money/use-money'
import { selectIsHere } from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { AmountText, Value } from '../../widgets/facts/Value'
import { Why } from '../../widgets/why/Why'
import { type Explained, type WhyRow, WhyText } from '../../widgets/why/WhyText'
import { AuditRows, useAudit } from '../Accounts/AuditRows'
import { Screen } from '../Screen'
import styles from './Activity.module.css'
import { Events } from './Events'
import { LogView } from './LogView'

// A support bundle as a file: versions, settings without secrets, the last log lines. It is sent nowhere.

function BundleButton() {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useCanControl()
  const { failure, run } = useAttempt()
  if (!canControl) return null
  const save = async (): Promise<void> => {
    const { name, text } = await backend.call('app.supportBundle', {})
    saveText(text, name, 'text/plain')
  }
  return (
    <>
      <Button
        needsContact
        title={t('ui.bundle.hint')}
        data-testid="support-bundle"
        onClick={() => run(save, 'ui.bundle.failed')}
      >
        {t('ui.bundle.save')}
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** What each log tab shows: modules by the first part of their names. */
const logModules = {
  miner: ['miner', 'pool', 'sensors', 'xhash', 'history', 'control-port'],
  node: ['node', 'chain', 'p2p', 'rpc', 'query', 'solc'],
  all: [],
} as const

export function Activity({ tab }: { readonly tab: ActivityTab }) {
  const t = useText()
  const isHere = useApp(selectIsHere)
  // The audit log reveals what was requested and signed: only for those who may decide requests.
  const shown = activityTabs.filter((name) => name !== 'audit' || isHere)
  return (
    <Screen title={t('ui.nav.activity')} actions={<BundleButton />}>
      <Tabs
        label={t('ui.activity.parts')}
        active={tab}
        tabs={shown.map((name) => ({
          name,
          href: hrefOf(name === 'events' ? '/activity' : `/activity/${name}`),
          title: t(`ui.activity.tab.${name}`),
          testId: `activity-tab-${name}`,
        }))}
      />
      {tab === 'events' && <ReportCard />}
      {tab === 'events' && <Events />}
      {tab === 'audit' && <Audit />}
      {(tab === 'miner' || tab === 'node' || tab === 'all') && (
        <LogView key={tab} title={t(`ui.activity.tab.${tab}`)} modules={logModules[tab]} />
      )}
    </Screen>
  )
}

const SHOWN = 200

/** Only at the machine itself: the audit log reveals what was requested and signed. */
function Audit() {
  const isHere = useApp(selectIsHere)
  return isHere ? <Record /> : null
}

function Record() {
  const t = useText()
  const { backend } = useEnvironment()
  const audit = useAudit(null, SHOWN)
  const [verdict, setVerdict] = useState({ state: '', text: '' })
  const { failure, attempt } = useAttempt()
  const verify = async (): Promise<void> => {
    setVerdict({ state: '', text: '' })
    await attempt(async () => {
      const { isWhole, records, reason } = await backend.call('signer.auditVerify', {})
      setVerdict({
        state: isWhole ? 'whole' : 'broken',
        text: isWhole ? t('ui.audit.whole', { count: records }) : t('ui.audit.broken', { record: records, reason }),
      })
    })
    audit.reload()
  }
  return (
    <Card
      title={t('ui.audit.title')}
      testId="audit"
      aside={
        <Button size="small" needsContact data-testid="audit-verify" onClick={() => void verify()}>
          {t('ui.audit.verify')}
        </Button>
      }
    >
      <p role="status" data-testid="audit-verdict" data-state={verdict.state}>
        {verdict.text}
      </p>
      <Failure text={failure} />
      <AuditRows {...audit} />
    </Card>
  )
}

const MAX_DEVICES = 16
const MAX_REASONS = 5

/** Renders nothing before the first morning. */
function ReportCard() {
  const { t, format } = useLanguage()
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
  const { t, format } = useLanguage()
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
  const { t, format } = useLanguage()
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
  const { t, format } = useLanguage()
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
