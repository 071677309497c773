// One request, shown in full.
import { type RefObject, useRef, useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import { ScrollRegion } from '../components/layout/ScrollRegion'
import { CopyButton } from '../components/values/HexText'
import { useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { selectRecordEnd } from '../state/stores/signer-store'
import { Skeleton } from '../widgets/facts/States'
import { SeverityList, severityOf } from '../widgets/incidents/SeverityList'
import styles from './Approval.module.css'
import { ApprovalFooter } from './ApprovalFooter'
import { ApprovalHead } from './ApprovalHead'
import { isTrustedEvent } from './decision/ApproveButton'
import { EditFields } from './decision/EditFields'
import { isFinalPhase } from './machine'
import { Changes } from './request/Changes'
import { DataDetails } from './request/DataDetails'
import { ListingDetails, TransactionDetails } from './request/Details'
import { LongText } from './request/LongText'
import { type ApprovalViewProps, useApproval } from './use-approval'

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

/** Digits of the hash that are shown; the copy button copies all. */
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
        onRejectCaller={props.onRejectCaller}
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
  const pressing = findings.filter((finding) => severityOf(finding.severity) !== 'Info')
  if (!isDrawn) return <Skeleton lines={6} />
  return (
    <>
      <SeverityList findings={pressing} />
      {request.kind === 'newAccount' && <p>{t('ui.approval.newAccountText')}</p>}
      {request.kind === 'listing' && <ListingDetails request={request} ticked={form.ticked} onTick={form.tick} />}
      {editing.transaction !== null && request.transaction !== null && (
        <TransactionDetails
          transaction={editing.transaction}
          facts={approval.facts}
          balance={approval.balance}
          isCritical={form.firstCritical !== null}
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
