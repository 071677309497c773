// The life of a payment table on the screen: which payments are chosen, what is known about each, and the two ways to
// answer.
import { type RefObject, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { FactsView, RequestView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectBalance } from '../../state/stores/node-store'
import { useKept } from '../../state/use-latest'
import { type Finding, sortFindings } from '../../widgets/incidents/SeverityList'
import { useApprovalForm } from '../decision/use-form'
import { type Reading, useReading } from '../decision/use-reading'
import { ApprovalMachine, isFinalPhase } from '../machine'
import {
  type ApprovalSenses,
  useForgetWhenAway,
  useMachineInputs,
  useOnEscape,
  useOnLeave,
  useRejection,
  useScrollReset,
} from '../machine-hooks'
import { ownFindings } from '../request/own-checks'
import { useIsCurrent } from '../use-is-current'
import type { AlikeGroup, Payment } from './alike'
import { approveTable, type RowOutcomes, rejectTable } from './decide-table'
import { balanceFor, paymentTable, sharesNonce, type TableTotals, totalsOf } from './table-rows'

export interface PaymentTableProps {
  /** As it was when it appeared on the screen. */
  readonly group: AlikeGroup
  /** Ids of those that still wait. */
  readonly waiting: ReadonlySet<string>
  /** Returns to one request at a time. */
  readonly onLeave: () => void
  /** Shows one payment alone. */
  readonly onPick: (id: string) => void
  readonly senses?: ApprovalSenses
}

/** What is critical is left out of a table. */
const PLAIN = { isCritical: false, holdMs: 0 }

/** `body` scrolls; `end` marks the point where everything that matters was seen. */
export function usePaymentTable(
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
  const t = useText()
  const format = useFormat()
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
  const t = useText()
  const format = useFormat()
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

/**
 * Represents the group wherever account and caller are needed.
 * @throws RangeError for an empty group
 */
export function leadOf({ payments }: AlikeGroup): RequestView {
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
  /** Null when unknown. */
  readonly facts: FactsView | null
  /** Whether asking for them failed. */
  readonly isUnanswered: boolean
  /** Null if it wasn't simulated. */
  readonly outcome: SimulationView['outcome'] | null
}

const UNCHECKED: RowCheck = { facts: null, isUnanswered: false, outcome: null }

/**
 * By request id; missing while unknown.
 * @param ids same array while the ids are the same
 */
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
