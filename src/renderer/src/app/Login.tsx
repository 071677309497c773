// Asks for the token that a headless start printed. Nothing else is fetched before the user enters it.
import { KeyRound } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useText } from '../i18n/text'
import { useApp, useEnvironment } from '../state/environment'
import { Button } from '../widgets/controls/Button'
import styles from './Login.module.css'
import { BrandMark } from './shell/BrandMark'

interface LoginProps {
  /** Called once the token was passed on. */
  readonly onDone: () => void
}

export function Login({ onDone }: LoginProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const isRefused = useApp((state) => state.connection.kind === 'signedOut' && state.connection.refused)
  const [error, setError] = useState('')
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    if (token === '') {
      setError(t('ui.login.empty'))
      return
    }
    setError('')
    event.currentTarget.reset()
    backend.signIn(token, form.get('remember') === 'on')
    onDone()
  }
  const message = error === '' && isRefused ? t('ui.login.refused') : error
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.brand}>
          <BrandMark />
          <h1>{t('ui.login.title')}</h1>
        </div>
        <p className={styles.text}>{t('ui.login.text')}</p>
        <label htmlFor={id}>{t('ui.login.token')}</label>
        <input
          id={id}
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          data-testid="login-token"
          aria-describedby={`${id}-error`}
          aria-invalid={message !== '' || undefined}
        />
        <p id={`${id}-error`} className={styles.error} role="alert">
          {message}
        </p>
        <label className={styles.remember}>
          <input type="checkbox" name="remember" />
          <span>{t('ui.login.remember')}</span>
        </label>
        <Button type="submit" variant="primary" data-testid="login-submit" icon={<KeyRound aria-hidden="true" />}>
          {t('ui.login.signIn')}
        </Button>
      </form>
    </main>
  )
}
