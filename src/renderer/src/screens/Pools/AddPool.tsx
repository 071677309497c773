// A new pool at the end of the list: its address is checked by the miner, which names what is wrong with it.
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { hrefOf } from '../../app/router'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { TextField } from '../../components/TextField'
import { useText } from '../../i18n/text'
import { selectIsOpen } from '../../state/app-store'
import { useApp, useEnvironment } from '../../state/environment'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'

/** What is typed, what is wrong with it, and the host that was added last. */
function useAdding(onChange: () => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const [url, setUrl] = useState('')
  const [error, setError] = useState('')
  const [added, setAdded] = useState('')
  const text = url.trim()
  const change = (value: string): void => {
    setUrl(value)
    setError('')
    setAdded('')
    onChange()
  }
  const add = async (): Promise<void> => {
    if (text === '') return setError(t('ui.pools.addEmpty'))
    try {
      await backend.call('miner.poolAdd', { url: text })
      change('')
      setAdded(hostOf(text))
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  return { url, text, error, added, change, add }
}

export function AddPool() {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const test = useTest()
  const { url, text, error, added, change, add } = useAdding(test.clear)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOpen) void add()
  }
  return (
    <Card title={t('ui.pools.add')} testId="pool-add">
      <form className={styles.add} onSubmit={submit}>
        <TextField
          label={t('ui.pools.addUrl')}
          value={url}
          onChange={change}
          hint={t('ui.pools.addHint')}
          error={error}
          isMono
          maxLength={1024}
          data-testid="pool-url"
        />
        <div className={styles.actions}>
          <TestButton test={test} url={text} disabledReason={text === '' ? t('ui.pools.addEmpty') : undefined} />
          <Button
            type="submit"
            variant="primary"
            size="small"
            data-testid="pool-add-submit"
            disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
          >
            {t('ui.pools.addButton')}
          </Button>
        </div>
      </form>
      <TestResult test={test} />
      {added !== '' && (
        <p className={styles.success} role="status">
          {t('ui.pools.added', { host: added })} <a href={hrefOf('/settings/pool')}>{t('ui.pools.openSettings')}</a>
        </p>
      )}
    </Card>
  )
}

/** What stands behind the login, for a message: nothing of a password. */
function hostOf(url: string): string {
  return url.slice(Math.max(url.lastIndexOf('@'), url.indexOf('://') + 2) + 1).replace(/[/?#].*$/, '')
}
