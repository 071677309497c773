// Actions with an account's password, for those who may decide requests; the approval window lists them, too.

import { type FormEvent, useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { useAttempt } from '../../state/answers/use-answer'
import { useCanApprove, useEnvironment, useSigner } from '../../state/environment'
import { selectDevice, selectLabel, selectNote } from '../../state/stores/signer-store'
import { Button, Failure } from '../../widgets/controls/Button'
import styles from './Accounts.module.css'
import { Backup, BackupMark } from './Backup'
import { ChangePassword } from './Keys'

export function AccountKeys({ address }: { readonly address: string }) {
  const isInDevice = useSigner(selectDevice(address)) !== undefined
  if (isInDevice) {
    return (
      <div className={styles.columns}>
        <Forget address={address} />
      </div>
    )
  }
  return (
    <div className={styles.columns}>
      <Backup address={address} />
      <ChangePassword address={address} />
      <Forget address={address} />
    </div>
  )
}

/** For all accounts, each one folded. */
export function KeyTools() {
  const t = useText()
  const canApprove = useCanApprove()
  const addresses = useSigner((state) => [...new Set((state.accounts?.accounts ?? []).map(({ address }) => address))])
  if (!canApprove || addresses.length === 0) return null
  return (
    <section aria-label={t('ui.accounts.keystore')} data-testid="keys-tools" className={styles.tools}>
      <h2>{t('ui.accounts.keystore')}</h2>
      {addresses.map((address) => (
        <Folded key={address} address={address} />
      ))}
    </section>
  )
}

function Folded({ address }: { readonly address: string }) {
  const label = useSigner(selectLabel(address))
  const state = useSigner(selectNote(address))?.backup ?? 'unknown'
  return (
    <details>
      <summary data-testid={`keys-${address.toLowerCase()}`}>
        {label !== '' && (
          <strong>
            <ForeignText text={label} />{' '}
          </strong>
        )}
        <AddressText address={address} form="short" /> <BackupMark state={state} />
      </summary>
      <AccountKeys address={address} />
    </details>
  )
}

const DIGITS = 6

function Forget({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const isInDevice = useSigner(selectDevice(address)) !== undefined
  const [typed, setTyped] = useState('')
  const { failure, run } = useAttempt()
  const isRight = typed.trim().toLowerCase() === address.slice(-DIGITS).toLowerCase()
  const forget = (event: FormEvent): void => {
    event.preventDefault()
    if (!isRight) return
    run(async () => {
      await backend.call('signer.forgetAccount', { address, lastDigits: typed.trim() })
      goTo('/accounts')
    })
  }
  return (
    <Card title={t('ui.forget.title')} testId="forget">
      <form className={styles.form} onSubmit={forget}>
        <p className={styles.asOf}>{t(isInDevice ? 'ui.forget.device' : 'ui.forget.text')}</p>
        <TextField
          label={t('ui.forget.digits')}
          data-testid="forget-digits"
          isMono
          maxLength={DIGITS}
          value={typed}
          onChange={setTyped}
        />
        <div className={styles.bar}>
          <Button
            type="submit"
            variant="dangerQuiet"
            needsContact
            data-testid="forget-submit"
            disabledReason={isRight ? undefined : t('ui.forget.digitsMissing')}
          >
            {t('ui.forget.action')}
          </Button>
        </div>
        <Failure text={failure} />
      </form>
    </Card>
  )
}
