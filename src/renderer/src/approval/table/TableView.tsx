// Many payments of one caller on one screen: one row each, unusual ones first, totals below; one password, one press.
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Failure } from '../../components/faults/Failure'
import { Fact, Facts } from '../../components/layout/Card'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { useEnvironment, useNode } from '../../state/environment'
import { selectBalance } from '../../state/stores/node-store'
import { useLatest } from '../../state/use-latest'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/AmountText'
import { NetworkBadge } from '../../widgets/facts/NetworkBadge'
import { SeverityList, severityOf } from '../../widgets/incidents/SeverityList'
import styles from '../Approval.module.css'
import { readOn } from '../ApprovalFooter'
import { ApproveButton, isTrustedEvent } from '../decision/ApproveButton'
import { Passwords } from '../decision/Passwords'
import { RejectAll } from '../decision/RejectAll'
import { StatusLine } from '../decision/StatusLine'
import type { ApprovalPhase } from '../machine'
import { NextButton } from '../NextButton'
import { CallerText } from '../request/CallerText'
import { KeptChip } from '../request/KeptChip'
import { Party } from '../request/Party'
import type { AlikeGroup } from './alike'
import type { RowOutcomes } from './decide-table'
import { PaymentRows } from './PaymentRows'
import type { TableTotals } from './table-rows'
import { leadOf, type PaymentTableProps, usePaymentTable } from './use-table'

/** How long the outcome of a table stays readable before the next request replaces it. */
const RESULT_MS = 10_000

interface TableViewProps extends PaymentTableProps {
  /** All waiting requests. */
  readonly waitingCount: number
  /** Shows the next request, or leaves. */
  readonly onNext: () => void
}

export function TableView(props: TableViewProps) {
  const { group } = props
  const t = useText()
  const body = useRef<HTMLElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const state = usePaymentTable(props, body, end)
  const { snapshot, table, totals, outcomes } = state
  useNextAfterResult(state.isFinal && state.open.length === 0 && props.waitingCount > 0, props.onNext)
  const pressing = table.shared.filter((finding) => severityOf(finding.severity) !== 'Info')
  return (
    <div
      className={styles.frame}
      role="alertdialog"
      aria-labelledby="approval-title"
      aria-describedby="approval-body"
      data-testid="approval-table"
      data-state={snapshot.phase}
    >
      <Head {...props} />
      <ScrollRegion ref={body} id="approval-body" className={styles.body} label={t('ui.approval.details')}>
        <SeverityList findings={pressing} />
        <PaymentRows group={group} state={state} onPick={props.onPick} />
        <Totals group={group} totals={totals} />
        <div ref={end} className={styles.end} />
        <SeverityList findings={table.shared.slice(pressing.length)} from={pressing.length} />
      </ScrollRegion>
      {state.isFinal ? (
        <TableResult
          phase={snapshot.phase}
          message={snapshot.message}
          outcomes={outcomes}
          waitingCount={props.waitingCount}
          onNext={props.onNext}
        />
      ) : (
        <Decision {...props} state={state} />
      )}
    </div>
  )
}

function useNextAfterResult(isDue: boolean, onNext: () => void): void {
  const { clock } = useEnvironment()
  const current = useLatest(onNext)
  useEffect(() => {
    if (!isDue) return
    const timer = clock.setTimeout(() => current.current(), RESULT_MS)
    return () => timer.dispose()
  }, [clock, isDue])
}

function Head({ group }: TableViewProps) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <>
      <header className={styles.head}>
        <CallerText caller={leadOf(group).caller} />
        <div className={styles.headEnd}>
          <NetworkBadge />
        </div>
      </header>
      <div className={styles.titleLine}>
        <h1 id="approval-title" ref={title} tabIndex={-1}>
          {t(group.token === null ? 'ui.together.title' : 'ui.together.titleTokens', { count: group.payments.length })}
        </h1>
        <KeptChip />
      </div>
    </>
  )
}

interface DecisionProps extends TableViewProps {
  readonly state: ReturnType<typeof usePaymentTable>
}

function Decision({ group, state, onLeave, senses = {} }: DecisionProps) {
  const t = useText()
  const { form, machine, snapshot, totals, open, reading } = state
  return (
    <footer className={styles.footer}>
      <Passwords request={leadOf(group)} form={form} error={snapshot.message} />
      <StatusLine snapshot={snapshot} missing={form.missing} isHold={false} />
      <Failure text={snapshot.rejection} />
      <div className={styles.buttons}>
        <RejectAll scope="table" count={open.length} onRejectAll={async () => state.refuse()} />
        <Button data-testid="approval-one-by-one" onClick={onLeave}>
          {t('ui.together.oneByOne')}
        </Button>
        <ApproveButton
          machine={machine}
          snapshot={snapshot}
          label={form.isRead ? t('ui.together.sign', { count: totals.count }) : t('ui.approval.readButton')}
          missing={form.missing}
          isCritical={false}
          isHold={false}
          isTrusted={senses.isTrusted ?? isTrustedEvent}
          onApprove={() => void state.submit()}
          onReadOn={reading.isRead ? undefined : () => readOn(reading, machine)}
        />
      </div>
    </footer>
  )
}

/** Different reasons that are shown. */
const REASONS_SHOWN = 5

interface TableResultProps {
  readonly phase: ApprovalPhase
  readonly message: string
  readonly outcomes: RowOutcomes
  readonly waitingCount: number
  readonly onNext: () => void
}

function TableResult({ phase, message, outcomes, waitingCount, onNext }: TableResultProps) {
  const t = useText()
  const signed = outcomes.filter(({ state }) => state === 'signed').length
  const others = outcomes.filter(({ state }) => state !== 'signed')
  const reasons = [...new Set(others.map(({ error }) => error).filter((error) => error !== ''))].slice(0, REASONS_SHOWN)
  const Icon = phase === 'done' ? CircleCheck : CircleX
  const tone = phase === 'done' ? styles.resultOk : phase === 'refused' ? styles.resultPlain : styles.resultBad
  return (
    <footer className={styles.footer}>
      <div className={`${styles.result} ${tone}`} role="status" data-testid="approval-result">
        <Icon aria-hidden="true" />
        <div>
          {phase === 'refused' && <p>{t('ui.approval.refused')}</p>}
          {phase !== 'refused' && outcomes.length > 0 && (
            <p>{t('ui.together.result', { signed, others: others.length })}</p>
          )}
          {phase === 'failed' && outcomes.length === 0 && <p>{t('ui.approval.failed')}</p>}
          {phase === 'failed' && outcomes.length === 0 && message === '' && (
            <p className={styles.note}>{t('ui.approval.noAnswer')}</p>
          )}
          {[message, ...reasons].map(
            (text) =>
              text !== '' && (
                <p key={text} className={styles.note}>
                  <ForeignText text={text} />
                </p>
              ),
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        <NextButton waitingCount={waitingCount} onNext={onNext} />
      </div>
    </footer>
  )
}

interface TotalsProps {
  readonly group: AlikeGroup
  readonly totals: TableTotals
}

function Totals({ group, totals }: TotalsProps) {
  const t = useText()
  const format = useFormat()
  const from = leadOf(group).transaction?.from ?? ''
  const available = useNode(selectBalance(from))?.available ?? null
  const { count, receivers, amount, fee, cost } = totals
  return (
    <Facts>
      <Fact label={t('ui.together.chosen')}>
        <span data-testid="together-count" data-value={count}>
          {t('ui.together.chosenOf', { count, all: group.payments.length, receivers })}
        </span>
      </Fact>
      {group.token !== null && (
        <>
          <Fact label={t('ui.together.token')}>
            <AddressText address={group.token} form="grouped" />
          </Fact>
          <Fact label={t('ui.together.sumUnits')}>
            <code data-testid="together-sum">{format.tokenUnits(amount.toString())}</code>
          </Fact>
        </>
      )}
      {group.token === null && (
        <Fact label={t('ui.together.sum')}>
          <AmountText wei={amount.toString()} form="exact" size="lead" testId="together-sum" />
        </Fact>
      )}
      <Fact label={t('ui.approval.fee')}>
        <AmountText wei={fee.toString()} form="exact" testId="together-fee" />
      </Fact>
      <Fact label={t('ui.approval.total')}>
        <AmountText wei={cost.toString()} form="exact" testId="together-total" />
      </Fact>
      <Fact label={t('ui.approval.from')}>
        <Party
          address={from}
          testId="together-from"
          more={t('ui.approval.available', { amount: format.laxExact(available === null ? null : BigInt(available)) })}
        />
      </Fact>
    </Facts>
  )
}
