// Many payments of one caller on one screen: one row each, unusual ones first, totals below; one password, one press.

import { CircleCheck, CircleX } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { FactsView, RequestView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import { Fact, Facts } from '../../components/layout/Card'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { hiddenHeading, TableHead } from '../../components/tables/Table'
import { AddressText, ForeignText } from '../../components/values/HexText'
import type { Backend } from '../../data/backend'
import { isAddress } from '../../format/bytes-text'
import { type useFormat, useLanguage, useText } from '../../i18n/text'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectBalance } from '../../state/stores/program-store'
import { selectLabel } from '../../state/stores/signer-store'
import { useKept, useLatest } from '../../state/use-latest'
import { Button, Failure } from '../../widgets/controls/Button'
import { NetworkBadge } from '../../widgets/facts/NetworkBadge'
import { AmountText } from '../../widgets/facts/Value'
import { type Finding, SeverityList, severityOf, sortFindings } from '../../widgets/incidents/SeverityList'
import styles from '../Approval.module.css'
import { readOn } from '../ApprovalFooter'
import { ApproveButton, isTrustedEvent } from '../decision/ApproveButton'
import { Passwords } from '../decision/Passwords'
import { RejectAll } from '../decision/RejectAll'
import { StatusLine } from '../decision/StatusLine'
import { useApprovalForm } from '../decision/use-form'
import { type Reading, useReading } from '../decision/use-reading'
import { ApprovalMachine, type ApprovalPhase, isFinalPhase } from '../machine'
import {
  type ApprovalSenses,
  useForgetWhenAway,
  useMachineInputs,
  useOnEscape,
  useOnLeave,
  useRejection,
  useScrollReset,
} from '../machine-hooks'
import { NextButton } from '../NextButton'
import { CallerText } from '../request/CallerText'
import { KeptChip } from '../request/KeptChip'
import { ownFindings } from '../request/own-checks'
import { Party } from '../request/Party'
import { useIsCurrent } from '../use-simulation'
import type { AlikeGroup, Payment } from './alike'
import { approveTable, type RowOutcomes, rejectTable } from './decide-table'
import tableStyles from './Table.module.css'
import { balanceFor, paymentTable, sharesNonce, type TableRow, type TableTotals, totalsOf } from './table-rows'

/** How long the outcome of a table stays readable before the next request replaces it. */
const RESULT_MS = 10_000

interface TableViewProps extends PaymentTableProps {
  readonly waitingCount: number
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

function Totals({ group, totals }: { readonly group: AlikeGroup; readonly totals: TableTotals }) {
  const { t, format } = useLanguage()
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
            <code data-testid="together-sum">{format.everyDigit(amount.toString())}</code>
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

interface PaymentRowsProps {
  readonly group: AlikeGroup
  readonly state: ReturnType<typeof usePaymentTable>
  readonly onPick: (id: string) => void
}

function PaymentRows({ group, state, onPick }: PaymentRowsProps) {
  const t = useText()
  return (
    <table className={tableStyles.table}>
      <TableHead
        headings={[
          hiddenHeading(t('ui.together.chosen')),
          t('ui.approval.to'),
          {
            text: t(group.token === null ? 'ui.approval.amount' : 'ui.together.units'),
            className: tableStyles.number,
          },
        ]}
      />
      <tbody>
        {state.table.rows.map((row) => (
          <Row key={row.payment.request.id} row={row} isToken={group.token !== null} state={state} onPick={onPick} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps extends Omit<PaymentRowsProps, 'group'> {
  readonly row: TableRow
  readonly isToken: boolean
}

function Row({ row, isToken, state, onPick }: RowProps) {
  const { t, format } = useLanguage()
  const { payment, findings, worst } = row
  const { request, receiver, amount, fee } = payment
  const mayChoose = state.mayChoose(row)
  return (
    <tr data-testid={`together-row-${request.id}`} data-state={worst} className={mayChoose ? '' : tableStyles.off}>
      <td>
        <input
          type="checkbox"
          aria-label={t('ui.together.choose', { address: receiver, amount: amountText(amount, isToken, format) })}
          checked={state.isChosen(row)}
          disabled={!mayChoose || state.isFinal}
          onChange={(event) => state.choose(request.id, event.target.checked)}
        />
      </td>
      <td>
        <Receiver address={receiver} />
        <SeverityList findings={findings} />
        <div className={tableStyles.rowEnd}>
          <span className={tableStyles.note}>
            {t('ui.together.details', { nonce: request.transaction?.nonce ?? '', fee: format.laxExact(fee) })}
          </span>
          <RowEnd id={request.id} state={state} onPick={onPick} />
        </div>
      </td>
      <td className={tableStyles.number}>
        {isToken ? (
          <code>{format.everyDigit(amount.toString())}</code>
        ) : (
          <AmountText wei={amount.toString()} form="exact" />
        )}
      </td>
    </tr>
  )
}

/** A link to view the payment alone while it waits; afterwards its outcome. */
function RowEnd({ id, state, onPick }: Omit<PaymentRowsProps, 'group'> & { readonly id: string }) {
  const t = useText()
  const outcome = state.outcomes.find((each) => each.id === id)
  if (state.isFinal) {
    if (outcome === undefined) return null
    const isSigned = outcome.state === 'signed'
    return (
      <span className={tableStyles.note}>
        {isSigned ? t('ui.together.signed') : <ForeignText text={outcome.error} />}
      </span>
    )
  }
  if (state.isSettled) return null
  if (!state.open.some((request) => request.id === id)) {
    return <span className={tableStyles.note}>{t('ui.together.gone')}</span>
  }
  return (
    <Button size="small" onClick={() => onPick(id)}>
      {t('ui.together.alone')}
    </Button>
  )
}

/** By name if it has one, and in full, so that every digit can be compared. */
function Receiver({ address }: { readonly address: string }) {
  const label = useSigner(selectLabel(address))
  return (
    <>
      {label !== '' && (
        <strong>
          <ForeignText text={label} />{' '}
        </strong>
      )}
      {isAddress(address) ? <AddressText address={address} form="grouped" /> : <ForeignText text={address} />}
    </>
  )
}

function amountText(amount: bigint, isToken: boolean, format: ReturnType<typeof useFormat>): string {
  return isToken ? format.everyDigit(amount.toString()) : format.laxExact(amount)
}

interface PaymentTableProps {
  readonly group: AlikeGroup
  /** Ids of those that still wait. */
  readonly waiting: ReadonlySet<string>
  /** Returns to one request at a time. */
  readonly onLeave: () => void
  readonly onPick: (id: string) => void
  readonly senses?: ApprovalSenses
}

/** What is critical is left out of a table. */
const PLAIN = { isCritical: false, holdMs: 0 }

function usePaymentTable(
  { group, waiting, onLeave, senses = {} }: PaymentTableProps,
  body: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
) {
  const t = useText()
  const { backend, clock, approvalKeys = null } = useEnvironment()
  const [machine] = useState(() => new ApprovalMachine(PLAIN, clock))
  const snapshot = useSyncExternalStore(machine.subscribe, machine.snapshot)
  const isFinal = isFinalPhase(snapshot.phase)
  const isSettled = isFinal || snapshot.phase === 'submitting'
  const { table, checked } = useKept(useRows(group), isSettled)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<RowOutcomes>([])
  const mayChoose = ({ payment, worst }: (typeof table.rows)[number]): boolean =>
    worst !== 'CRITICAL' && (isSettled || waiting.has(payment.request.id))
  const isChosen = (row: (typeof table.rows)[number]): boolean => mayChoose(row) && !left.has(row.payment.request.id)
  const chosen = table.rows.filter(isChosen).map(({ payment }) => payment)
  const totals = totalsOf(chosen)

  const content = contentOf(table, chosen)
  const reading = useReading({ box: body, end, content, clock })
  const form = useTableForm(group, totals, { reading, checked })
  useMachineInputs({ machine, ...PLAIN, content, isReady: form.missing === '', watch: senses.watchAttention })

  const endRejected = useRejection(machine, true)
  const open = group.payments.map(({ request }) => request).filter(({ id }) => waiting.has(id))
  const refuse = (): void => {
    if (isSettled) return
    form.clear()
    endRejected(async () => {
      const { outcome, rows } = await rejectTable(backend, open)
      setOutcomes(rows)
      return outcome
    })
  }
  const submit = async (): Promise<void> => {
    const { needsPassword, password, isKept, keepMinutes } = form
    const bytes = needsPassword ? (password.current?.bytes() ?? null) : null
    form.clear()
    const requests = chosen.map(({ request }) => request)
    const page = { keys: approvalKeys, otherKeyProcess: t('ui.approval.otherKeyProcess') }
    const { outcome, rows } = await approveTable(backend, requests, { password: bytes, isKept, keepMinutes }, page)
    setOutcomes(rows)
    machine.settleOutcome(outcome)
    password.current?.focus()
  }
  useOnLeave(refuse)
  useOnEscape(() => {
    if (snapshot.phase !== 'submitting') onLeave()
  })
  useScrollReset(body, () => machine.disturb())
  useForgetWhenAway(senses.watchPresence, () => {
    form.forget()
    machine.disturb()
  })
  const choose = (id: string, isOn: boolean): void =>
    setLeft((old) => new Set(isOn ? [...old].filter((other) => other !== id) : [...old, id]))
  return {
    machine,
    snapshot,
    isFinal,
    isSettled,
    table,
    totals,
    form,
    reading,
    open,
    outcomes,
    mayChoose,
    isChosen,
    choose,
    refuse,
    submit,
  }
}

/** The rows with all their findings, and how many the node has checked. */
function useRows(group: AlikeGroup) {
  const { t, format } = useLanguage()
  const chainId = useApp((state) => state.info?.chainId ?? null)
  const accounts = useSigner((state) => state.accounts)
  const balance = useNode(selectBalance(group.payments[0]?.request.transaction?.from ?? ''))
  const isSynced = useIsCurrent()
  const ids = useMemo(() => group.payments.map(({ request }) => request.id), [group])
  const checks = useRowChecks(ids)
  const table = useMemo(() => {
    const ownAddresses = (accounts?.accounts ?? []).map(({ address }) => address)
    const findingsOf = (payment: Payment): readonly Finding[] => {
      const { transaction, caller, findings } = payment.request
      if (transaction === null) return findings
      const { facts, isUnanswered, outcome } = checks.get(payment.request.id) ?? UNCHECKED
      const own = ownFindings(
        {
          transaction,
          caller,
          chainId,
          balance: balance === undefined ? undefined : balanceFor(payment, group, balance),
          ownAddresses,
          outcome,
          facts,
          isUnanswered,
          isSynced,
        },
        { t, format },
      )
      const twice = sharesNonce(payment, group)
        ? [{ severity: 'WARNING', message: t('ui.together.sameNonce', { nonce: transaction.nonce }), isOwn: true }]
        : []
      return sortFindings([...findings, ...own, ...twice])
    }
    return paymentTable(group.payments, group.payments.map(findingsOf))
  }, [group, checks, chainId, accounts, balance, isSynced, t, format])
  return { table, checked: ids.filter((id) => checks.has(id)).length }
}

/** The same fields as for one request; what is missing for the whole table comes first. */
function useTableForm(
  group: AlikeGroup,
  { count, cost }: TableTotals,
  { reading, checked }: { readonly reading: Reading; readonly checked: number },
) {
  const { t, format } = useLanguage()
  const lead = leadOf(group)
  const available = useNode(selectBalance(lead.transaction?.from ?? ''))?.available ?? null
  const fault = (): string => {
    const all = group.payments.length
    if (checked < all) return t('ui.together.checking', { checked, count: all })
    if (count === 0) return t('ui.together.none')
    if (available === null || cost <= BigInt(available)) return ''
    return t('ui.check.overdraft', { cost: format.laxExact(cost), available: format.laxExact(BigInt(available)) })
  }
  return useApprovalForm({ request: lead, findings: [], reading, needsTail: false, fault: fault() })
}

/** Represents the group wherever account and caller are needed. @throws RangeError for an empty group */
function leadOf({ payments }: AlikeGroup): RequestView {
  const [first] = payments
  if (first === undefined) throw new RangeError('a group of payments has at least one')
  return first.request
}

/** Identifies the content: another choice or another finding has to be reviewed again. */
function contentOf({ shared, rows }: ReturnType<typeof paymentTable>, chosen: readonly Payment[]): string {
  const texts = [...shared, ...rows.flatMap(({ findings }) => findings)].map(({ message }) => message)
  return [...chosen.map(({ request }) => `${request.nonce} ${request.contentHash}`), ...texts].join('\n')
}

interface RowCheck {
  readonly facts: FactsView | null
  /** Whether asking for them failed. */
  readonly isUnanswered: boolean
  readonly outcome: SimulationView['outcome'] | null
}

const UNCHECKED: RowCheck = { facts: null, isUnanswered: false, outcome: null }

/** By request id; missing while unknown. @param ids same array while the ids are the same */
function useRowChecks(ids: readonly string[]): ReadonlyMap<string, RowCheck> {
  const { backend } = useEnvironment()
  const [checks, setChecks] = useState<ReadonlyMap<string, RowCheck>>(new Map())
  useEffect(() => {
    let isOver = false
    const work = async (): Promise<void> => {
      for (const id of ids) {
        if (isOver) return
        const check = await checkOf(backend, id)
        if (!isOver) setChecks((old) => new Map([...old, [id, check]]))
      }
    }
    void work()
    return () => {
      isOver = true
    }
  }, [backend, ids])
  return checks
}

async function checkOf(backend: Pick<Backend, 'call'>, id: string): Promise<RowCheck> {
  const [known, outcome] = await Promise.all([
    backend.call('signer.facts', { id, edits: null }).then(
      ({ facts }) => ({ facts, isUnanswered: false }),
      () => ({ facts: null, isUnanswered: true }),
    ),
    backend.call('signer.simulate', { id, edits: null }).then(
      ({ simulation }) => simulation?.outcome ?? null,
      () => null,
    ),
  ])
  return { ...known, outcome }
}
