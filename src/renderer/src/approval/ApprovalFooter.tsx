// What the user enters and decides: ticks, password, reject, approve; afterwards the outcome.
import type { RequestView } from '../../../contract/signer'
import { Failure } from '../components/faults/Failure'
import { ForeignText } from '../components/values/HexText'
import { shortHex } from '../format/bytes-text'
import { useText } from '../i18n/text'
import { useEnvironment, useSigner } from '../state/environment'
import { Button } from '../widgets/controls/Button'
import styles from './Approval.module.css'
import { ApprovalResult } from './ApprovalResult'
import { sortOf } from './callers'
import { ApproveButton, type IsTrusted } from './decision/ApproveButton'
import { CarriedSignature } from './decision/CarriedSignature'
import { Passwords } from './decision/Passwords'
import { RejectAll } from './decision/RejectAll'
import { canRemember } from './decision/remember'
import { StatusLine } from './decision/StatusLine'
import type { ApprovalForm } from './decision/use-form'
import type { Reading } from './decision/use-reading'
import { type ApprovalMachine, type ApprovalSnapshot, isFinalPhase } from './machine'

interface ApprovalFooterProps {
  readonly request: RequestView
  readonly form: ApprovalForm
  readonly machine: ApprovalMachine
  readonly snapshot: ApprovalSnapshot
  readonly isHold: boolean
  readonly needsTail: boolean
  readonly reading: Reading
  readonly waitingCount: number
  readonly isTrusted: IsTrusted
  readonly onApprove: () => void
  readonly onReject: () => void
  /** Waiting requests of this caller. */
  readonly fromCaller: number
  readonly onNext: () => void
}

export function ApprovalFooter(props: ApprovalFooterProps) {
  const { snapshot, request, form, waitingCount, onNext } = props
  if (isFinalPhase(snapshot.phase))
    return (
      <ApprovalResult
        phase={snapshot.phase}
        message={snapshot.message}
        request={request}
        waitingCount={waitingCount}
        knownAccounts={form.knownAccounts}
        onNext={onNext}
      />
    )
  const isCarried = snapshot.phase === 'submitting' && request.device?.kind === 'airgap'
  return isCarried ? (
    <footer className={styles.footer}>
      <CarriedSignature request={request} />
    </footer>
  ) : (
    <Decision {...props} />
  )
}

function Decision(props: ApprovalFooterProps) {
  const { request, form, machine, snapshot, isHold, reading } = props
  const t = useText()
  const { backend } = useEnvironment()
  return (
    <footer className={styles.footer}>
      <Understanding form={form} needsTail={props.needsTail} />
      {request.kind === 'listing' && <Remember request={request} form={form} />}
      <Passwords request={request} form={form} error={snapshot.message} />
      <StatusLine snapshot={snapshot} missing={form.missing} isHold={isHold} />
      <Failure text={snapshot.rejection} />
      <div className={styles.buttons}>
        <Button
          className={form.firstCritical === null ? undefined : styles.strong}
          data-testid="approval-reject"
          onClick={props.onReject}
        >
          {t('ui.approval.reject')}
        </Button>
        {request.caller.transport !== 'app' && (
          <RejectAll
            scope="caller"
            count={props.fromCaller}
            onRejectAll={() => backend.call('signer.rejectFrom', { id: request.id })}
          />
        )}
        <ApproveButton
          machine={machine}
          snapshot={snapshot}
          label={approveLabel({ request, form, reading, isHold }, t)}
          missing={form.missing}
          isCritical={form.firstCritical !== null}
          isHold={isHold}
          isTrusted={props.isTrusted}
          onApprove={props.onApprove}
          onReadOn={reading.isRead ? undefined : () => readOn(reading, machine)}
        />
      </div>
    </footer>
  )
}

/**
 * Only where the caller can be identified and the rules are unlocked; the rule is created once the addresses were
 * shared.
 */
function Remember({ request, form }: { readonly request: RequestView; readonly form: ApprovalForm }) {
  const t = useText()
  const hasRules = useSigner(({ vault }) => vault?.state === 'open')
  if (!hasRules || !canRemember(request.caller)) return null
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        data-testid="approval-remember"
        checked={form.isRemembered}
        onChange={(event) => form.setRemembered(event.target.checked)}
      />
      <span>
        {t('ui.approval.remember')} <ForeignText text={request.caller.origin} />
      </span>
    </label>
  )
}

/** Characters of the repeated finding, which stands above in full. */
const MAX_REPEATED = 160

/** Addresses by their ends; cut between words. */
function shortened(finding: string): string {
  const text = finding.replace(/0x[0-9a-f]{40}\b/gi, (address) => shortHex(address))
  if (text.length <= MAX_REPEATED) return text
  return `${text.slice(0, text.lastIndexOf(' ', MAX_REPEATED))}…`
}

/** What a critical finding demands: a tick, plus typed digits if the user doesn't want a timed hold. */
function Understanding({ form, needsTail }: { readonly form: ApprovalForm; readonly needsTail: boolean }) {
  const t = useText()
  if (form.firstCritical === null) return null
  return (
    <>
      <label className={styles.tick}>
        <input
          type="checkbox"
          data-testid="approval-understood"
          checked={form.isUnderstood}
          onChange={(event) => form.setUnderstood(event.target.checked)}
        />
        <span>
          {t('ui.approval.understand')} <ForeignText text={shortened(form.firstCritical)} />
        </span>
      </label>
      {needsTail && (
        <label className={styles.tail}>
          <span>{t('ui.approval.tail', { digits: form.wantedTail.length })}</span>
          <input
            data-testid="approval-tail"
            value={form.tail}
            autoComplete="off"
            onChange={(event) => form.setTail(event.target.value)}
          />
        </label>
      )}
    </>
  )
}

/** Settles again, so that the last press of several that only scroll can't be one that signs. */
export function readOn(reading: Reading, machine: ApprovalMachine): void {
  reading.goOn()
  machine.disturb()
}

function approveLabel(
  { request, form, reading, isHold }: Pick<ApprovalFooterProps, 'request' | 'form' | 'reading' | 'isHold'>,
  t: ReturnType<typeof useText>,
): string {
  if (reading.unread > 0) return t('ui.approval.fieldsToRead', { count: reading.unread })
  if (!reading.isRead) return t('ui.approval.readButton')
  if (request.kind === 'newAccount') return t('ui.approval.create')
  if (request.kind === 'listing')
    return t('ui.approval.share', { count: form.ticked.length, total: request.accounts?.length ?? 0 })
  if (isHold) return t('ui.approval.holdToSign')
  return t(sortOf(request) === 'payment' ? 'ui.approval.signPayment' : 'ui.approval.sign')
}
