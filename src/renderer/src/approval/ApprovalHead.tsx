// The head of an approval: what is asked, on which network, by whom, how long it still waits.
import { useEffect, useRef } from 'react'
import type { RequestView } from '../../../contract/signer'
import { Countdown, secondsUntil } from '../components/Countdown'
import { NetworkBadge } from '../components/NetworkBadge'
import { type Finding, severityOf } from '../components/SeverityList'
import { type TextKey, useText } from '../i18n/text'
import { useNow } from '../state/environment'
import styles from './Approval.module.css'
import { CallerText } from './CallerText'

/** Above this the remaining time is not shown. */
const COUNTDOWN_FROM_S = 60

export const kindKeys: Readonly<Record<RequestView['kind'], TextKey>> = {
  newAccount: 'ui.approval.kindNewAccount',
  listing: 'ui.approval.kindListing',
  signTransaction: 'ui.approval.kindTransaction',
  signData: 'ui.approval.kindData',
  signTypedData: 'ui.approval.kindTypedData',
}

export interface ApprovalHeadProps {
  readonly request: RequestView
  readonly findings: readonly Finding[]
  readonly waitingCount: number
  readonly isFinal: boolean
}

export function ApprovalHead({ request, findings, waitingCount, isFinal }: ApprovalHeadProps) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const warnings = findings.filter((finding) => severityOf(finding.severity) === 'WARNING').length
  return (
    <header className={styles.head}>
      <div className={styles.titleLine}>
        <h1 id="approval-title" ref={title} tabIndex={-1} data-testid="approval-kind" data-state={request.kind}>
          {t(kindKeys[request.kind])}{' '}
          {warnings > 0 && <span className={styles.warnings}>{t('ui.approval.warnings', { count: warnings })}</span>}
        </h1>
        {waitingCount > 1 && (
          <span className={styles.queue} data-testid="approval-queue">
            {t('ui.approval.queue', { count: waitingCount })}
          </span>
        )}
        {request.expiresAt !== null && !isFinal && <LateCountdown until={request.expiresAt} />}
      </div>
      <div className={styles.callerLine}>
        <NetworkBadge />
        <CallerText caller={request.caller} />
      </div>
    </header>
  )
}

function LateCountdown({ until }: { readonly until: number }) {
  const now = useNow()
  if (secondsUntil(until, now) > COUNTDOWN_FROM_S) return null
  return <Countdown until={until} testId="approval-countdown" className={styles.countdown} />
}
