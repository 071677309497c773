// What the user enters and decides: ticks, password, reject, approve; afterwards the outcome.

import { CircleCheck, CircleX, Clock, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import type { SendView } from '../../../contract/signer-tools'
import { AddressText, ForeignText, HashText, saveText } from '../components/values/HexText'
import { QrCode } from '../components/values/QrCode'
import { shortHex } from '../format/bytes-text'
import { type TextKey, useText } from '../i18n/text'
import { hrefOf } from '../navigation/router'
import { useAttempt, useCall } from '../state/answers/use-answer'
import { useEnvironment, useSigner } from '../state/environment'
import { Button, Failure } from '../widgets/controls/Button'
import { PaymentState } from '../widgets/facts/PaymentState'
import styles from './Approval.module.css'
import { sortOf } from './callers'
import { ApproveButton, type IsTrusted } from './decision/ApproveButton'
import { Passwords } from './decision/Passwords'
import { RejectAll } from './decision/RejectAll'
import { canRemember } from './decision/remember'
import { StatusLine } from './decision/StatusLine'
import type { ApprovalForm } from './decision/use-form'
import type { Reading } from './decision/use-reading'
import { type ApprovalMachine, type ApprovalSnapshot, type FinalPhase, isFinalPhase } from './machine'
import { NextButton } from './NextButton'
import type { ApprovalViewProps } from './use-approval'

interface ApprovalFooterProps extends Pick<ApprovalViewProps, 'request' | 'waitingCount' | 'fromCaller' | 'onNext'> {
  readonly form: ApprovalForm
  readonly machine: ApprovalMachine
  readonly snapshot: ApprovalSnapshot
  readonly isHold: boolean
  readonly needsTail: boolean
  readonly reading: Reading
  readonly isTrusted: IsTrusted
  readonly onApprove: () => void
  readonly onReject: () => void
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

/** Only where the caller can be identified and the rules are unlocked; created once the addresses were shared. */
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

const results: Readonly<
  Record<FinalPhase, { readonly key: TextKey; readonly icon: typeof Clock; readonly tone: string }>
> = {
  done: { key: 'ui.approval.signed', icon: CircleCheck, tone: 'resultOk' },
  refused: { key: 'ui.approval.refused', icon: CircleX, tone: 'resultPlain' },
  expired: { key: 'ui.approval.expired', icon: Clock, tone: 'resultPlain' },
  withdrawn: { key: 'ui.approval.withdrawn', icon: Unplug, tone: 'resultPlain' },
  failed: { key: 'ui.approval.failed', icon: CircleX, tone: 'resultBad' },
}

interface ApprovalResultProps extends Pick<ApprovalFooterProps, 'request' | 'waitingCount' | 'onNext'> {
  readonly phase: FinalPhase
  readonly message: string
  /** Accounts that existed when the request came. */
  readonly knownAccounts: readonly string[]
}

export function ApprovalResult({ phase, message, request, waitingCount, knownAccounts, onNext }: ApprovalResultProps) {
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
          <p>{t(resultKey(phase, request))}</p>
          {message !== '' && (
            <p className={styles.note}>
              <ForeignText text={message} />
            </p>
          )}
          {phase === 'failed' && message === '' && <p className={styles.note}>{t('ui.approval.noAnswer')}</p>}
          {phase === 'done' && request.kind === 'newAccount' && <NewKeys known={knownAccounts} />}
          {phase === 'done' && isOwnPayment(request) && <OwnPayment request={request} />}
        </div>
      </div>
      <div className={styles.buttons}>
        <NextButton waitingCount={waitingCount} onNext={onNext} />
      </div>
    </footer>
  )
}

function NewKeys({ known }: { readonly known: readonly string[] }) {
  const t = useText()
  const accounts = useSigner((state) => state.accounts)
  const [isWindow] = useState(() => 'headframe' in window)
  const made = (accounts?.accounts ?? []).filter(({ address }) => !known.includes(address))
  const folder = accounts?.keystore ?? ''
  return made.map(({ address, file }) => (
    <p key={address} className={styles.note} data-testid="approval-key-file">
      <AddressText address={address} form="grouped" />
      <br />
      {t('ui.approval.keyFile')}{' '}
      <code className={styles.path}>{`${folder}${folder.includes('\\') ? '\\' : '/'}${file}`}</code>
      <br />
      {isWindow ? (
        t('ui.approval.backupInWindow')
      ) : (
        <a href={hrefOf(`/accounts/${address}`)}>{t('ui.approval.backupNow')}</a>
      )}
    </p>
  ))
}

function resultKey(phase: FinalPhase, request: RequestView): TextKey {
  const { kind } = request
  if (phase !== 'done') return results[phase].key
  if (isOwnPayment(request)) return 'ui.approval.signedOwn'
  if (kind === 'newAccount') return 'ui.approval.created'
  return kind === 'listing' ? 'ui.approval.shared' : 'ui.approval.signed'
}

/** Requested by this program's own form, which passes the signed transaction to the node itself. */
function isOwnPayment({ kind, caller }: RequestView): boolean {
  return kind === 'signTransaction' && caller.transport === 'app'
}

/** Renders nothing if the payment isn't known here. */
function OwnPayment({ request }: { readonly request: RequestView }) {
  const t = useText()
  const send = useSigner(({ sends }) => sendOf(request, sends))
  const [isWindow] = useState(() => 'headframe' in window)
  if (send === undefined) return null
  const { hash, state, reason } = send
  if (state === 'failed')
    return (
      <p className={styles.note} role="alert" data-testid="approval-payment" data-state="failed">
        <ForeignText text={t('ui.payment.failed', { reason: reason.slice(0, 300) })} />
      </p>
    )
  if (hash === null) return null
  return (
    <p className={styles.note} data-testid="approval-payment" data-state={state}>
      <HashText hex={hash} label={t('ui.send.hash')} {...(isWindow ? {} : { href: hrefOf(`/node/tx/${hash}`) })} />{' '}
      <PaymentState hash={hash} />
    </p>
  )
}

/** The form records a payment before it asks, so among equal ones the match is the last recorded before the request. */
export function sendOf({ transaction, createdAt }: RequestView, sends: readonly SendView[]): SendView | undefined {
  if (transaction === null) return undefined
  const { from, to, value } = transaction
  return sends.find(
    (send) =>
      send.at <= createdAt &&
      send.from.toLowerCase() === from.toLowerCase() &&
      send.to.toLowerCase() === to?.toLowerCase() &&
      send.value === value,
  )
}

/** How long each of several codes is shown. */
const CODE_MS = 400
const CODE_PX = 240
/** A signature has 200 bytes, a file with one a little more. */
const MAX_FILE_BYTES = 20_000

interface Unsigned {
  readonly requestId: string
  readonly ur: readonly string[]
  readonly file: string
}

function CarriedSignature({ request: { id } }: { readonly request: RequestView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const unsigned = useCall('signer.unsigned', { id })
  const [text, setText] = useState('')
  const { failure, run } = useAttempt()
  return (
    <section className={styles.carried} data-testid="carried-signature" aria-label={t('ui.carried.title')}>
      <p>{t('ui.carried.text')}</p>
      {unsigned.value !== null && <HandedOut unsigned={unsigned.value} />}
      <label className={styles.tail}>
        <span>{t('ui.carried.signature')}</span>
        <textarea
          data-testid="carried-text"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <input
        type="file"
        data-testid="carried-file"
        aria-label={t('ui.carried.fromFile')}
        onChange={(event) => void readInto(event.target.files?.[0], setText)}
      />
      <Failure text={failure === '' ? unsigned.reason : failure} testId="carried-error" />
      <Choices text={text} onGive={(given) => run(() => backend.call('signer.giveSignature', { id, text: given }))} />
    </section>
  )
}

interface ChoicesProps {
  readonly text: string
  /** Null: the user gives up on signing it. */
  readonly onGive: (text: string | null) => void
}

function Choices({ text, onGive }: ChoicesProps) {
  const t = useText()
  return (
    <div className={styles.buttons}>
      <Button data-testid="carried-give-up" onClick={() => onGive(null)}>
        {t('ui.carried.giveUp')}
      </Button>
      <Button
        variant="primary"
        data-testid="carried-give"
        disabledReason={text.trim() === '' ? t('ui.carried.missing') : undefined}
        onClick={() => onGive(text)}
      >
        {t('ui.carried.give')}
      </Button>
    </div>
  )
}

/** The codes in turn, and the same content as a file. */
function HandedOut({ unsigned: { requestId, ur, file } }: { readonly unsigned: Unsigned }) {
  const t = useText()
  const { clock } = useEnvironment()
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (ur.length < 2) return
    const turning = clock.setInterval(() => setAt((now) => (now + 1) % ur.length), CODE_MS)
    return () => turning.dispose()
  }, [clock, ur.length])
  const part = ur[at]
  return (
    <>
      {part === undefined ? (
        <p>{t('ui.carried.tooLong')}</p>
      ) : (
        <QrCode text={part} label={t('ui.carried.code', { number: at + 1, count: ur.length })} sizePx={CODE_PX} />
      )}
      <Button data-testid="carried-download" onClick={() => saveText(file, `${requestId}.json`, 'application/json')}>
        {t('ui.carried.save')}
      </Button>
    </>
  )
}

async function readInto(file: File | undefined, take: (text: string) => void): Promise<void> {
  if (file !== undefined) take(await file.slice(0, MAX_FILE_BYTES).text())
}
