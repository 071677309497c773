// The outcome of a request.
import { CircleCheck, CircleX, Clock, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import { AddressText, ForeignText } from '../components/values/HexText'
import { type TextKey, useText } from '../i18n/text'
import { hrefOf } from '../navigation/router'
import { useSigner } from '../state/environment'
import styles from './Approval.module.css'
import type { FinalPhase } from './machine'
import { NextButton } from './NextButton'
import { OwnPayment } from './OwnPayment'

const results: Readonly<
  Record<FinalPhase, { readonly key: TextKey; readonly icon: typeof Clock; readonly tone: string }>
> = {
  done: { key: 'ui.approval.signed', icon: CircleCheck, tone: 'resultOk' },
  refused: { key: 'ui.approval.refused', icon: CircleX, tone: 'resultPlain' },
  expired: { key: 'ui.approval.expired', icon: Clock, tone: 'resultPlain' },
  withdrawn: { key: 'ui.approval.withdrawn', icon: Unplug, tone: 'resultPlain' },
  failed: { key: 'ui.approval.failed', icon: CircleX, tone: 'resultBad' },
}

interface ApprovalResultProps {
  readonly phase: FinalPhase
  readonly message: string
  readonly request: RequestView
  readonly waitingCount: number
  /** Accounts that existed when the request came. */
  readonly knownAccounts: readonly string[]
  readonly onNext: () => void
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

/** Where the new key is stored, and the way to its backup. */
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
