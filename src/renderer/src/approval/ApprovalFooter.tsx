// What the user gives and decides: ticks, password, reject, approve; afterwards what became of it.
import { CircleCheck, CircleX, Clock, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import { Button } from '../components/Button'
import { ForeignText } from '../components/HexText'
import { PasswordField } from '../components/PasswordField'
import { type TextKey, useText } from '../i18n/text'
import styles from './Approval.module.css'
import { ApproveButton, type IsTrusted } from './ApproveButton'
import { type ApprovalMachine, type ApprovalSnapshot, type FinalPhase, isFinalPhase } from './machine'
import { type ApprovalForm, MIN_PASSWORD } from './use-form'

export interface ApprovalFooterProps {
  readonly request: RequestView
  readonly form: ApprovalForm
  readonly machine: ApprovalMachine
  readonly snapshot: ApprovalSnapshot
  readonly isHold: boolean
  readonly needsTail: boolean
  readonly waitingCount: number
  readonly isTrusted: IsTrusted
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly onRejectAll: () => void
  /** How many wait from this caller. */
  readonly fromCaller: number
  readonly onRejectCaller: () => void
  readonly onNext: () => void
}

export function ApprovalFooter(props: ApprovalFooterProps) {
  const { snapshot, request, waitingCount, onNext } = props
  if (isFinalPhase(snapshot.phase))
    return (
      <Result
        phase={snapshot.phase}
        message={snapshot.message}
        kind={request.kind}
        waitingCount={waitingCount}
        onNext={onNext}
      />
    )
  return <Decision {...props} />
}

function Decision(props: ApprovalFooterProps) {
  const { request, form, machine, snapshot, isHold, waitingCount } = props
  const t = useText()
  return (
    <footer className={styles.footer}>
      <Understanding form={form} needsTail={props.needsTail} />
      <Passwords request={request} form={form} error={snapshot.message} />
      <p id="approval-missing" className={styles.missing} role="status">
        {form.missing !== '' ? form.missing : t(statusKey(snapshot, isHold))}
      </p>
      <div className={styles.buttons}>
        <Button data-testid="approval-reject" onClick={props.onReject}>
          {t('ui.approval.reject')}
        </Button>
        {props.fromCaller > 1 && props.fromCaller < waitingCount && (
          <RejectAll scope="caller" count={props.fromCaller} onRejectAll={props.onRejectCaller} />
        )}
        {waitingCount > 1 && <RejectAll scope="all" count={waitingCount} onRejectAll={props.onRejectAll} />}
        <ApproveButton
          machine={machine}
          snapshot={snapshot}
          label={approveLabel(request, form, isHold, t)}
          missing={form.missing}
          isCritical={form.firstCritical !== null}
          isHold={isHold}
          isTrusted={props.isTrusted}
          onApprove={props.onApprove}
        />
      </div>
    </footer>
  )
}

/** What a critical finding asks for: a tick, and typed digits where no hold is wanted. */
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
          {t('ui.approval.understand')} <ForeignText text={form.firstCritical.slice(0, 200)} />
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

interface PasswordsProps {
  readonly request: RequestView
  readonly form: ApprovalForm
  /** Why the last try failed. */
  readonly error: string
}

function Passwords({ request, form, error }: PasswordsProps) {
  const t = useText()
  if (form.isStored)
    return (
      <>
        <p className={styles.missing} data-testid="approval-stored">
          {t('ui.password.stored')}
        </p>
        {error !== '' && <p role="alert">{error}</p>}
      </>
    )
  if (!form.needsPassword) return null
  return (
    <>
      <PasswordField
        label={t(form.isNew ? 'ui.password.new' : 'ui.password.account')}
        testId="approval-password"
        handle={form.password}
        onChange={form.onPassword}
        error={error}
        hint={form.isNew ? t('ui.password.rules', { count: MIN_PASSWORD }) : triesText(request, t)}
      />
      {form.isNew && (
        <PasswordField
          label={t('ui.password.repeat')}
          testId="approval-password-repeat"
          handle={form.repeat}
          onChange={form.onRepeat}
        />
      )}
    </>
  )
}

const rejectKeys = {
  all: { testId: 'approval-reject-all', ask: 'ui.approval.rejectAll', confirm: 'ui.approval.rejectAllConfirm' },
  caller: {
    testId: 'approval-reject-caller',
    ask: 'ui.approval.rejectCaller',
    confirm: 'ui.approval.rejectAllConfirm',
  },
} as const

interface RejectAllProps {
  readonly scope: keyof typeof rejectKeys
  readonly count: number
  readonly onRejectAll: () => void
}

/** Asks once more before several are refused. */
function RejectAll({ scope, count, onRejectAll }: RejectAllProps) {
  const t = useText()
  const [isAsked, setAsked] = useState(false)
  const { testId, ask, confirm } = rejectKeys[scope]
  return (
    <Button
      variant={isAsked ? 'danger' : 'normal'}
      data-testid={testId}
      onClick={isAsked ? onRejectAll : () => setAsked(true)}
    >
      {t(isAsked ? confirm : ask, { count })}
    </Button>
  )
}

const results: Readonly<
  Record<FinalPhase, { readonly key: TextKey; readonly icon: typeof Clock; readonly tone: string }>
> = {
  done: { key: 'ui.approval.signed', icon: CircleCheck, tone: 'resultOk' },
  refused: { key: 'ui.approval.refused', icon: CircleX, tone: 'resultPlain' },
  expired: { key: 'ui.approval.expired', icon: Clock, tone: 'resultPlain' },
  withdrawn: { key: 'ui.approval.withdrawn', icon: Unplug, tone: 'resultPlain' },
  failed: { key: 'ui.approval.failed', icon: CircleX, tone: 'resultBad' },
}

interface ResultProps {
  readonly phase: FinalPhase
  readonly message: string
  readonly kind: RequestView['kind']
  readonly waitingCount: number
  readonly onNext: () => void
}

function Result({ phase, message, kind, waitingCount, onNext }: ResultProps) {
  const t = useText()
  const { icon: Icon, tone } = results[phase]
  return (
    <footer className={styles.footer}>
      <div
        className={`${styles.result} ${styles[tone]}`}
        role={phase === 'expired' ? 'alert' : 'status'}
        data-testid="approval-result"
      >
        <Icon aria-hidden="true" />
        <div>
          <p>{t(resultKey(phase, kind))}</p>
          {message !== '' && (
            <p className={styles.note}>
              <ForeignText text={message} />
            </p>
          )}
          {phase === 'failed' && message === '' && <p className={styles.note}>{t('ui.approval.noAnswer')}</p>}
        </div>
      </div>
      <div className={styles.buttons}>
        <Button data-testid="approval-next" onClick={onNext}>
          {waitingCount > 0 ? t('ui.approval.next', { count: waitingCount }) : t('ui.common.close')}
        </Button>
      </div>
    </footer>
  )
}

function resultKey(phase: FinalPhase, kind: RequestView['kind']): TextKey {
  if (phase !== 'done') return results[phase].key
  if (kind === 'newAccount') return 'ui.approval.created'
  return kind === 'listing' ? 'ui.approval.shared' : 'ui.approval.signed'
}

function statusKey({ phase, isHeld }: ApprovalSnapshot, isHold: boolean): TextKey {
  if (phase === 'arriving') return 'ui.approval.statusArriving'
  if (phase === 'settling') return 'ui.approval.statusSettling'
  if (phase === 'submitting') return 'ui.approval.submitting'
  if (!isHold) return 'ui.approval.statusArmed'
  return isHeld ? 'ui.approval.statusHeld' : 'ui.approval.statusHold'
}

function approveLabel(
  request: RequestView,
  form: ApprovalForm,
  isHold: boolean,
  t: ReturnType<typeof useText>,
): string {
  if (!form.isRead) return t('ui.approval.readButton')
  if (request.kind === 'newAccount') return t('ui.approval.create')
  if (request.kind === 'listing')
    return t('ui.approval.share', { count: form.ticked.length, total: request.accounts?.length ?? 0 })
  return t(isHold ? 'ui.approval.holdToSign' : 'ui.approval.sign')
}

function triesText(request: RequestView, t: ReturnType<typeof useText>): string {
  return request.lastError === '' ? '' : t('ui.password.triesLeft', { count: request.triesLeft })
}
