// One request, shown in full.

import { CircleCheck, CircleHelp, ListTree, OctagonAlert } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { RequestView, TokenNameView, TransactionRequestView } from '../../../contract/signer'
import type { HoldingView, SimulationView } from '../../../contract/signer-tools'
import { TextField } from '../components/forms/TextField'
import { ScrollRegion } from '../components/layout/ScrollRegion'
import { TableHead } from '../components/tables/Table'
import { AddressText, CopyButton, ForeignText } from '../components/values/HexText'
import { readAmount } from '../format/parse-amount'
import { type Text, type TextKey, useFormat, useLanguage, useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { selectRecordEnd } from '../state/stores/signer-store'
import { Button } from '../widgets/controls/Button'
import { amountFaultText } from '../widgets/facts/amount-fault'
import { Countdown } from '../widgets/facts/Countdown'
import { NetworkBadge } from '../widgets/facts/NetworkBadge'
import { Skeleton } from '../widgets/facts/States'
import { type Finding, findingText, type Severity, SeverityList, severityOf } from '../widgets/incidents/SeverityList'
import styles from './Approval.module.css'
import { ApprovalFooter } from './ApprovalFooter'
import { HALF_OF_ALL, type RequestSort, sortOf } from './callers'
import { isTrustedEvent } from './decision/ApproveButton'
import { decimalsOf, type EditField, type Editing, fieldText } from './decision/use-edits'
import { isFinalPhase } from './machine'
import { CallerText } from './request/CallerText'
import { DataDetails } from './request/DataDetails'
import { ListingDetails, TransactionDetails } from './request/Details'
import { KeptChip } from './request/KeptChip'
import { LongText } from './request/LongText'
import { TokenAmount } from './request/TokenAmounts'
import { type ApprovalViewProps, useApproval } from './use-approval'
import type { SimulationState } from './use-simulation'

// The request as received. A caller may make it 5 MiB long and slow to render, so it is rendered on demand, beginning
// first: nothing a caller sends may keep the user from rejecting.

function RawText({ text }: { readonly text: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ui.approval.raw')}</summary>
      {isOpen && <LongText text={text} testId="approval-raw" />}
    </details>
  )
}

// Where the audit log ends at this moment, for the user to write down: a log that is truncated or replaced later won't
// match it.

const SHOWN_DIGITS = 16

function RecordEnd() {
  const t = useText()
  const end = useSigner(selectRecordEnd)
  if (end === '') return null
  return (
    <p className={styles.note} data-testid="approval-record" data-value={end}>
      {t('ui.approval.record')} <bdi title={end}>{`${end.slice(0, end.indexOf(':') + 1 + SHOWN_DIGITS)}…`}</bdi>
      <CopyButton text={end} label={t('ui.approval.record')} />
    </p>
  )
}

export function ApprovalView(props: ApprovalViewProps) {
  const { request, waitingCount, senses = {} } = props
  const t = useText()
  const body = useRef<HTMLElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const approval = useApproval(props, body, end)
  const { machine, snapshot, findings, form, holdMs, noTimedHolds, refuse, submit } = approval
  return (
    <div
      className={styles.frame}
      role="alertdialog"
      aria-labelledby="approval-title"
      aria-describedby="approval-body"
      data-testid="approval"
      data-state={snapshot.phase}
    >
      <ApprovalHead
        request={request}
        findings={findings}
        waitingCount={waitingCount}
        position={props.position}
        isFinal={isFinalPhase(snapshot.phase)}
        onQueue={props.onQueue}
      />
      <ScrollRegion ref={body} id="approval-body" className={styles.body} label={t('ui.approval.details')}>
        <Content request={request} approval={approval} body={body} end={end} />
      </ScrollRegion>
      <ApprovalFooter
        request={request}
        form={form}
        machine={machine}
        snapshot={snapshot}
        isHold={holdMs > 0}
        needsTail={noTimedHolds}
        reading={approval.reading}
        waitingCount={waitingCount}
        isTrusted={senses.isTrusted ?? isTrustedEvent}
        onApprove={() => void submit()}
        onReject={refuse}
        fromCaller={props.fromCaller}
        onNext={props.onNext}
      />
    </div>
  )
}

interface ContentProps {
  readonly request: RequestView
  readonly approval: ReturnType<typeof useApproval>
  /** The element that scrolls. */
  readonly body: RefObject<HTMLElement | null>
  /** Comes after everything that has to be read. */
  readonly end: RefObject<HTMLDivElement | null>
}

/** What has to be read, followed by what is optional. */
function Content({ request, approval, body, end }: ContentProps) {
  const t = useText()
  const { isDrawn, findings, form, editing, simulation } = approval
  const isTransaction = editing.transaction !== null && request.transaction !== null
  const pressing = findings.filter((finding) => severityOf(finding.severity) !== 'Info')
  // Of a transaction, amount and recipient come before what is merely a warning.
  const first = pressing.filter((finding) => !isTransaction || severityOf(finding.severity) === 'CRITICAL')
  if (!isDrawn) return <Skeleton lines={6} />
  return (
    <>
      <SeverityList findings={first} />
      {request.kind === 'newAccount' && <p>{t('ui.approval.newAccountText')}</p>}
      {request.kind === 'listing' && <ListingDetails request={request} ticked={form.ticked} onTick={form.tick} />}
      {editing.transaction !== null && request.transaction !== null && (
        <TransactionDetails
          transaction={editing.transaction}
          facts={approval.facts}
          balance={approval.balance}
          isCritical={form.firstCritical !== null}
          warnings={<SeverityList findings={pressing.slice(first.length)} from={first.length} />}
          prediction={<Changes state={simulation} />}
        />
      )}
      {editing.transaction === null && <Changes state={simulation} />}
      {request.data !== null && <DataDetails data={request.data} box={body} />}
      <div ref={end} className={styles.end} />
      {request.transaction !== null && <EditFields transaction={request.transaction} editing={editing} />}
      {request.transaction !== null && <RawText text={request.transaction.raw} />}
      {request.data !== null && <RawText text={request.data.raw} />}
      <SeverityList findings={findings.slice(pressing.length)} from={pressing.length} />
      <RecordEnd />
    </>
  )
}

/** Above this, the remaining time is hidden. */
const COUNTDOWN_FROM_S = 60

/** Characters of a finding that screen readers get at once. */
const MAX_SAID = 300

const titles: Readonly<Record<RequestSort, TextKey>> = {
  payment: 'ui.approval.kindPayment',
  tokens: 'ui.approval.kindTokens',
  allowance: 'ui.approval.kindAllowance',
  contractCall: 'ui.approval.kindTransaction',
  creation: 'ui.approval.kindCreation',
  message: 'ui.approval.kindData',
  document: 'ui.approval.kindTypedData',
  listing: 'ui.approval.kindListing',
  newAccount: 'ui.approval.kindNewAccount',
}

interface ApprovalHeadProps extends Pick<ApprovalViewProps, 'request' | 'waitingCount' | 'position' | 'onQueue'> {
  readonly findings: readonly Finding[]
  readonly isFinal: boolean
}

function ApprovalHead({ request, findings, waitingCount, position, isFinal, onQueue }: ApprovalHeadProps) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const critical = findings.find((finding) => severityOf(finding.severity) === 'CRITICAL')
  return (
    <>
      <header className={styles.head}>
        <CallerText caller={request.caller} />
        <div className={styles.headEnd}>
          <NetworkBadge />
          {waitingCount > 1 && (
            <button type="button" className={styles.queue} data-testid="approval-queue" onClick={onQueue}>
              <ListTree aria-hidden="true" />
              {t('ui.approval.queue', { position, count: waitingCount })}
            </button>
          )}
        </div>
      </header>
      <div className={styles.titleLine}>
        <h1 id="approval-title" ref={title} tabIndex={-1} data-testid="approval-kind" data-state={request.kind}>
          {t(titles[sortOf(request)])} <FindingCounts findings={findings} />
        </h1>
        <KeptChip />
        {request.expiresAt !== null && !isFinal && (
          <Countdown
            until={request.expiresAt}
            from={COUNTDOWN_FROM_S}
            testId="approval-countdown"
            className={styles.countdown}
          />
        )}
      </div>
      {/* Critical findings interrupt the screen reader. */}
      <p className="visually-hidden" role="alert">
        {critical !== undefined && `${t('ui.severity.critical')} ${findingText(critical, t).slice(0, MAX_SAID)}`}
      </p>
    </>
  )
}

/** How many there are of each severity in the list; those that only inform aren't counted. */
function FindingCounts({ findings }: { readonly findings: readonly Finding[] }) {
  const t = useText()
  const of = (severity: Severity): number =>
    findings.filter((finding) => severityOf(finding.severity) === severity).length
  const [criticals, warnings] = [of('CRITICAL'), of('WARNING')]
  return (
    <>
      {criticals > 0 && <span className={styles.criticals}>{t('ui.approval.criticals', { count: criticals })}</span>}{' '}
      {warnings > 0 && <span className={styles.warnings}>{t('ui.approval.warnings', { count: warnings })}</span>}
    </>
  )
}

const labels: Readonly<Record<EditField, TextKey>> = {
  gas: 'ui.edit.gas',
  nonce: 'ui.edit.nonce',
  gasPrice: 'ui.edit.gasPrice',
  maxFeePerGas: 'ui.edit.maxFee',
  maxPriorityFeePerGas: 'ui.edit.tip',
}

interface EditFieldsProps {
  readonly transaction: TransactionRequestView
  readonly editing: Editing
}

function EditFields({ transaction, editing }: EditFieldsProps) {
  const t = useText()
  return (
    <section className={styles.edits} aria-label={t('ui.edit.title')}>
      <div className={styles.editBar}>
        <Button size="small" data-testid="approval-edit" aria-expanded={editing.isOpen} onClick={editing.toggle}>
          {t('ui.edit.open')}
        </Button>
        {editing.edits !== null && (
          <>
            <span className={styles.note} data-testid="approval-edited">
              {t('ui.edit.changed')}
            </span>
            <Button size="small" variant="quiet" onClick={editing.undo}>
              {t('ui.edit.undo')}
            </Button>
          </>
        )}
      </div>
      <Changed transaction={transaction} editing={editing} />
      {editing.isOpen && (
        <div className={styles.editFields}>
          {editing.fields.map((field) => {
            const asked = fieldText(transaction, field)
            const text = editing.texts[field] ?? asked
            return (
              <TextField
                key={field}
                label={t(labels[field])}
                data-testid={`approval-edit-${field}`}
                inputMode="decimal"
                value={text}
                hint={text === asked ? undefined : t('ui.edit.asked', { value: asked })}
                error={editing.faults.includes(field) ? faultText(text, field, t) : ''}
                onChange={(value) => editing.change(field, value)}
              />
            )
          })}
        </div>
      )}
      {editing.objection !== '' && (
        <p className={styles.objection} role="alert" data-testid="approval-objection">
          {t('ui.edit.refused', { reason: editing.objection })}
        </p>
      )}
    </section>
  )
}

function faultText(text: string, field: EditField, t: Text): string {
  const decimals = decimalsOf(field)
  const { fault } = readAmount(text, decimals)
  return fault?.kind === 'ambiguous' ? amountFaultText(fault, t) : t('ui.edit.number', { decimals })
}

/** Lists every change as old → new, even while the fields are closed. */
function Changed({ transaction, editing }: EditFieldsProps) {
  const t = useText()
  const changed = editing.fields.filter((field) => {
    const text = editing.texts[field]
    return text !== undefined && text !== fieldText(transaction, field) && !editing.faults.includes(field)
  })
  if (changed.length === 0) return null
  return (
    <ul className={styles.changed} data-testid="approval-changed">
      {changed.map((field) => (
        <li key={field}>
          {t(labels[field])}: <s>{fieldText(transaction, field)}</s> → <strong>{editing.texts[field]}</strong>
        </li>
      ))}
    </ul>
  )
}

const icons = { succeeded: CircleCheck, reverted: OctagonAlert, refused: OctagonAlert } as const

/** What our node predicts would change. An aid, never a proof; a missing prediction must not look harmless. */
function Changes({ state }: { readonly state: SimulationState }) {
  const t = useText()
  if (state.kind === 'none') return null
  const Icon = state.kind === 'ready' ? icons[state.simulation.outcome] : CircleHelp
  const title = t(titleOf(state))
  return (
    <section
      className={styles.changes}
      aria-labelledby="approval-changes"
      data-testid="approval-changes"
      data-state={state.kind === 'ready' ? state.simulation.outcome : state.kind}
    >
      <Icon aria-hidden="true" />
      <div>
        <h2 id="approval-changes">{title}</h2>
        {state.kind === 'ready' && <Result simulation={state.simulation} names={state.names} />}
        {state.kind === 'unavailable' && (
          <p>
            {t(state.lack === 'use' ? 'ui.simulation.unknownUse' : 'ui.approval.notSimulated')}{' '}
            <ForeignText text={state.reason.slice(0, 300)} />
          </p>
        )}
      </div>
    </section>
  )
}

function titleOf(state: Exclude<SimulationState, { readonly kind: 'none' }>): TextKey {
  if (state.kind === 'running') return 'ui.simulation.running'
  if (state.kind === 'unavailable') return 'ui.approval.changes'
  const { use = null, outcome } = state.simulation
  // A signature that can't be used now isn't a fault of the signature.
  return use !== null && outcome !== 'succeeded' ? 'ui.simulation.unusable' : `ui.simulation.${outcome}`
}

interface ResultProps {
  readonly simulation: SimulationView
  readonly names: readonly TokenNameView[]
}

function Result({ simulation, names }: ResultProps) {
  const t = useText()
  const { everyDigit } = useFormat()
  const { reason, balances, tokens, moreTokens, grants, moreGrants, otherLogs, block, gasUsed } = simulation
  const { holdings, holdingsLeftOut = 0, use = null } = simulation
  const changed = balances.filter(({ change }) => change !== '0')
  return (
    <>
      {use !== null && <p>{t(`ui.simulation.use.${use}`)}</p>}
      {reason !== '' && (
        <p>
          <ForeignText text={reason.slice(0, 1_000)} />
        </p>
      )}
      {holdings !== undefined && <Holdings holdings={holdings} leftOut={holdingsLeftOut} names={names} />}
      <ul className={styles.deltas}>
        {changed.map(({ address, change }) => (
          <li key={address} data-testid={`approval-change-${address.toLowerCase()}`} data-value={change}>
            <Named address={address} /> <Change wei={change} />
          </li>
        ))}
        {tokens.map(({ contract, from, to, amount, isNumbered }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moves of one constant answer have no other identity
          <li key={index} data-testid="approval-token-move">
            {!isNumbered && <TokenAmount names={names} contract={contract} amount={amount} />}{' '}
            {isNumbered
              ? t('ui.simulation.numbered', { amount })
              : t('ui.simulation.token', { amount: everyDigit(amount) })}{' '}
            <AddressText address={contract} form="short" />: <Named address={from} /> → <Named address={to} />
          </li>
        ))}
        {grants.map((grant, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grants of one constant answer have no other identity
          <li key={index} data-testid="approval-token-grant">
            <Named address={grant.spender} />{' '}
            {t(`ui.simulation.grant.${reachOf(grant)}`, {
              amount: grant.kind === 'units' ? everyDigit(grant.amount) : grant.amount,
            })}{' '}
            {reachOf(grant) === 'units' && (
              <TokenAmount names={names} contract={grant.contract} amount={grant.amount} />
            )}{' '}
            <AddressText address={grant.contract} form="short" />, <Named address={grant.owner} />
          </li>
        ))}
      </ul>
      {moreTokens > 0 && <p>{t('ui.simulation.more', { count: moreTokens })}</p>}
      {moreGrants > 0 && <p>{t('ui.simulation.moreGrants', { count: moreGrants })}</p>}
      {otherLogs > 0 && <p>{t('ui.simulation.otherLogs', { count: otherLogs })}</p>}
      <p className={styles.note}>{t('ui.simulation.basis', { block, gas: gasUsed })}</p>
    </>
  )
}

/** An amount greater than anyone can own counts as unlimited. */
function reachOf({ kind, amount }: SimulationView['grants'][number]) {
  if (amount === '0' && kind !== 'number') return 'none'
  if (kind !== 'units') return kind
  return BigInt(amount) >= HALF_OF_ALL ? 'any' : 'units'
}

/** Exact, with its sign. */
function Change({ wei }: { readonly wei: string }) {
  const format = useFormat()
  const isLess = wei.startsWith('-')
  return <code>{`${isLess ? '−' : '+'}${format.laxExact(BigInt(isLess ? wei.slice(1) : wei))}`}</code>
}

interface HoldingsProps {
  readonly holdings: readonly HoldingView[]
  readonly leftOut: number
  readonly names: readonly TokenNameView[]
}

function Holdings({ holdings, leftOut, names }: HoldingsProps) {
  const t = useText()
  return (
    <>
      {holdings.length === 0 && <p data-testid="approval-holdings-none">{t('ui.holding.none')}</p>}
      {holdings.length > 0 && (
        <table className={styles.changeTable} data-testid="approval-holdings">
          <caption>{t('ui.holding.title')}</caption>
          <TableHead headings={[t('ui.holding.what'), t('ui.holding.before'), t('ui.holding.after')]} />
          <tbody>
            {holdings.map((holding) => (
              <tr key={keyOf(holding)} data-testid={`approval-holding-${holding.kind}`}>
                <th scope="row">
                  <What holding={holding} />
                </th>
                <td data-value={String(holding.before)}>
                  <Value holding={holding} value={holding.before} names={names} />
                </td>
                <td data-value={String(holding.after)}>
                  <Value holding={holding} value={holding.after} names={names} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut > 0 && <p>{t('ui.holding.leftOut', { count: leftOut })}</p>}
    </>
  )
}

/** Everything that names the holding. */
function keyOf({ before: _before, after: _after, ...holding }: HoldingView): string {
  return JSON.stringify(holding)
}

function What({ holding }: { readonly holding: HoldingView }) {
  const t = useText()
  switch (holding.kind) {
    case 'lax':
      return (
        <>
          {t('ui.holding.lax')} <Named address={holding.account} />
        </>
      )
    case 'token': {
      const { account, contract, number = '', standard } = holding
      return (
        <>
          {t(`ui.holding.${standard}`, { number })} <AddressText address={contract} form="short" />:{' '}
          <Named address={account} />
        </>
      )
    }
    case 'owner':
    case 'approved':
      return (
        <>
          {t(`ui.holding.${holding.kind}`, { number: holding.number })}{' '}
          <AddressText address={holding.contract} form="short" />
        </>
      )
    default:
      return (
        <>
          <Named address={holding.spender} /> {t(`ui.holding.${holding.kind}`)}{' '}
          <AddressText address={holding.contract} form="short" />: <Named address={holding.account} />
        </>
      )
  }
}

interface ValueProps {
  readonly holding: HoldingView
  readonly value: HoldingView['before']
  readonly names: readonly TokenNameView[]
}

/** What can't be read is said, and never shown as nothing. */
function Value({ holding, value, names }: ValueProps) {
  const { t, format } = useLanguage()
  const { kind } = holding
  if (value === null) return t(kind === 'owner' || kind === 'approved' ? 'ui.holding.nobody' : 'ui.holding.unknown')
  if (typeof value === 'boolean') return t(value ? 'ui.holding.yes' : 'ui.holding.no')
  if (kind === 'lax') return <code>{format.laxExact(BigInt(value))}</code>
  if (kind === 'owner' || kind === 'approved') return <Named address={value} />
  if (kind === 'allowance' && BigInt(value) >= HALF_OF_ALL) return t('ui.holding.unlimited')
  const isCounted = kind === 'allowance' || (kind === 'token' && holding.standard === 'erc20')
  return (
    <>
      {isCounted && <TokenAmount names={names} contract={holding.contract} amount={value} />}{' '}
      <code>{isCounted ? format.everyDigit(value) : value}</code>
    </>
  )
}

function Named({ address }: { readonly address: string }) {
  const t = useText()
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address.toLowerCase()),
  )
  return (
    <>
      <AddressText address={address} form="short" />
      {isOwn && ` (${t('ui.approval.ownAccount')})`}
    </>
  )
}
