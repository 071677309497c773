// One request, shown whole.
import { type KeyboardEvent, useRef } from 'react'
import { ScrollRegion } from '../components/ScrollRegion'
import { SeverityList, severityOf } from '../components/SeverityList'
import { useText } from '../i18n/text'
import styles from './Approval.module.css'
import { ApprovalFooter } from './ApprovalFooter'
import { ApprovalHead } from './ApprovalHead'
import { isTrustedEvent } from './ApproveButton'
import { ListingDetails, TransactionDetails, TransactionNotes } from './Details'
import { isFinalPhase } from './machine'
import { type ApprovalViewProps, useApproval } from './use-approval'

export function ApprovalView(props: ApprovalViewProps) {
  const { request, waitingCount, senses = {} } = props
  const t = useText()
  const body = useRef<HTMLElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const { machine, snapshot, findings, form, holdMs, noTimedHolds, refuse, submit } = useApproval(props, body, end)
  const pressing = findings.filter((finding) => severityOf(finding.severity) !== 'Info')
  return (
    <div
      className={styles.frame}
      role="alertdialog"
      aria-labelledby="approval-title"
      aria-describedby="approval-body"
      data-testid="approval"
      data-state={snapshot.phase}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') refuse()
      }}
    >
      <ApprovalHead
        request={request}
        findings={findings}
        waitingCount={waitingCount}
        isFinal={isFinalPhase(snapshot.phase)}
      />
      <ScrollRegion ref={body} id="approval-body" className={styles.body} label={t('ui.approval.details')}>
        <SeverityList findings={pressing} />
        {request.kind === 'newAccount' && <p>{t('ui.approval.newAccountText')}</p>}
        {request.kind === 'listing' && <ListingDetails request={request} ticked={form.ticked} onTick={form.tick} />}
        {request.transaction !== null && <TransactionDetails transaction={request.transaction} />}
        <div ref={end} className={styles.end} />
        {request.transaction !== null && <TransactionNotes transaction={request.transaction} />}
        <SeverityList findings={findings.slice(pressing.length)} from={pressing.length} />
      </ScrollRegion>
      <ApprovalFooter
        request={request}
        form={form}
        machine={machine}
        snapshot={snapshot}
        isHold={holdMs > 0}
        needsTail={noTimedHolds}
        waitingCount={waitingCount}
        isTrusted={senses.isTrusted ?? isTrustedEvent}
        onApprove={() => void submit()}
        onReject={refuse}
        onRejectAll={props.onRejectAll}
        onNext={props.onNext}
      />
    </div>
  )
}
