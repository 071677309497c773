// Removes an account from the keystore, after explaining what happens to its key.
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { useEnvironment, useSigner } from '../../state/environment'
import { selectDevice } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import styles from './Accounts.module.css'

const DIGITS = 6

export function Forget({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const isInDevice = useSigner(selectDevice(address)) !== undefined
  const [typed, setTyped] = useState('')
  const [error, setError] = useState('')
  const isRight = typed.trim().toLowerCase() === address.slice(-DIGITS).toLowerCase()
  const forget = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isRight) return
    setError('')
    try {
      await backend.call('signer.forgetAccount', { address, lastDigits: typed.trim() })
      goTo('/accounts')
    } catch (reason: unknown) {
      setError(messageOf(reason))
    }
  }
  return (
    <Card title={t('ui.forget.title')} testId="forget">
      <form className={styles.form} onSubmit={(event) => void forget(event)}>
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
        {error !== '' && (
          <p className={styles.failed} role="alert">
            {error}
          </p>
        )}
      </form>
    </Card>
  )
}
