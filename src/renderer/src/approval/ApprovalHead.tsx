// The head of an approval: what is requested, on which network, by which caller, and how long it still waits.
import { useEffect, useRef } from 'react'
import type { RequestView } from '../../../contract/signer'
import { type TextKey, useText } from '../i18n/text'
import { Countdown } from '../widgets/facts/Countdown'
import { NetworkBadge } from '../widgets/facts/NetworkBadge'
import { type Finding, severityOf } from '../widgets/facts/SeverityList'
import styles from './Approval.module.css'
import { CallerText } from './request/CallerText'
import { KeptChip } from './request/KeptChip'

/** Above this, the remaining time is hidden. */
const COUNTDOWN_FROM_S = 60

/** Characters of a finding that screen readers get at once. */
const MAX_SAID = 300

export const kindKeys: Readonly<Record<RequestView['kind'], TextKey>> = {
  newAccount: 'ui.approval.kindNewAccount',
  listing: 'ui.approval.kindListing',
  signTransaction: 'ui.approval.kindTransaction',
  signData: 'ui.approval.kindData',
  signTypedData: 'ui.approval.kindTypedData',
}

interface ApprovalHeadProps {
  readonly request: RequestView
  readonly findings: readonly Finding[]
  readonly waitingCount: number
  /** Place of this request among those that wait, from 1. */
  readonly position: number
  readonly isFinal: boolean
}

export function ApprovalHead({ request, findings, waitingCount, position, isFinal }: ApprovalHeadProps) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const warnings = findings.filter((finding) => severityOf(finding.severity) === 'WARNING').length
  const critical = findings.find((finding) => severityOf(finding.severity) === 'CRITICAL')
  return (
    <header className={styles.head}>
      <div className={styles.titleLine}>
        <h1 id="approval-title" ref={title} tabIndex={-1} data-testid="approval-kind" data-state={request.kind}>
          {t(kindKeys[request.kind])}{' '}
          {warnings > 0 && <span className={styles.warnings}>{t('ui.approval.warnings', { count: warnings })}</span>}
        </h1>
        {waitingCount > 1 && (
          <span className={styles.queue} data-testid="approval-queue">
            {t('ui.approval.queue', { position, count: waitingCount })}
          </span>
        )}
        {request.expiresAt !== null && !isFinal && (
          <Countdown
            until={request.expiresAt}
            from={COUNTDOWN_FROM_S}
            testId="approval-countdown"
            className={styles.countdown}
          />
        )}
      </div>
      <div className={styles.callerLine}>
        <NetworkBadge />
        <CallerText caller={request.caller} />
      </div>
      <KeptChip />
      {/* Critical findings interrupt the screen reader. */}
      <p className="visually-hidden" role="alert">
        {critical !== undefined && `${t('ui.severity.critical')} ${critical.message.slice(0, MAX_SAID)}`}
      </p>
    </header>
  )
}
