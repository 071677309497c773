// The head of an approval: which caller asks, on which network, how long it still waits, and what it asks for.
import { ListTree } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { RequestView } from '../../../contract/signer'
import { type TextKey, useText } from '../i18n/text'
import { Countdown } from '../widgets/facts/Countdown'
import { NetworkBadge } from '../widgets/facts/NetworkBadge'
import { type Finding, severityOf } from '../widgets/incidents/SeverityList'
import styles from './Approval.module.css'
import { type RequestSort, sortOf } from './callers'
import { CallerText } from './request/CallerText'
import { KeptChip } from './request/KeptChip'

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

interface ApprovalHeadProps {
  readonly request: RequestView
  readonly findings: readonly Finding[]
  readonly waitingCount: number
  /** Place of this request among those that wait, from 1. */
  readonly position: number
  readonly isFinal: boolean
  /** Shows all waiting requests. */
  readonly onQueue: () => void
}

export function ApprovalHead({ request, findings, waitingCount, position, isFinal, onQueue }: ApprovalHeadProps) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const warnings = findings.filter((finding) => severityOf(finding.severity) === 'WARNING').length
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
          {t(titles[sortOf(request)])}{' '}
          {warnings > 0 && <span className={styles.warnings}>{t('ui.approval.warnings', { count: warnings })}</span>}
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
        {critical !== undefined && `${t('ui.severity.critical')} ${critical.message.slice(0, MAX_SAID)}`}
      </p>
    </>
  )
}
