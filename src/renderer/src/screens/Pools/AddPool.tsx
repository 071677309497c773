// Adds a pool at the end of the list: the miner checks its address and names what is wrong with it.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { withFields } from '../../../../config/values/pool-url'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { PoolParts } from './PoolParts'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'

interface Added {
  readonly host: string
  readonly kept: boolean
  /** Why it wasn't saved. */
  readonly reason: string
}

const NO_FIELDS = { user: '', worker: '', password: '', proxy: '' } as const
const FIELDS = ['user', 'worker', 'password', 'proxy'] as const
type Fields = Readonly<Record<(typeof FIELDS)[number], string>>

/** The typed address with the fields beside it, their errors, and the host that was added last. */
function useAdding(proposed: string | null, onChange: () => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const [url, setUrl] = useState(proposed ?? '')
  const [fields, setFields] = useState<Fields>(NO_FIELDS)
  const [error, setError] = useState('')
  const [added, setAdded] = useState<Added | null>(null)
  const whole = withFields(url.trim(), { ...fields, proxy: fields.proxy.trim() })
  const text = 'text' in whole ? whole.text : url.trim()
  const change = (value: string, others: Fields = fields): void => {
    setUrl(value)
    setFields(others)
    setError('')
    setAdded(null)
    onChange()
  }
  const add = async (): Promise<void> => {
    if (text === '') return setError(t('ui.pools.addEmpty'))
    if ('fault' in whole) return setError(whole.fault)
    try {
      const kept = await backend.call('miner.poolAdd', { url: text })
      change('', NO_FIELDS)
      setAdded({ ...kept, host: hostOf(text) })
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  return { url, fields, text, error, added, change, add }
}

/** @param proposed address that a link filled in, for the user to read; null if none */
export function AddPool({ proposed }: { readonly proposed: string | null }) {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const test = useTest()
  const { url, fields, text, error, added, change, add } = useAdding(proposed, test.clear)
  const missing = text === '' ? t('ui.pools.addEmpty') : undefined
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (proposed !== null) field.current?.focus()
  }, [proposed])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOpen) void add()
  }
  return (
    <Card title={t('ui.pools.add')} testId="pool-add">
      <form className={styles.add} onSubmit={submit}>
        {proposed !== null && url === proposed && (
          <p className={styles.warning} role="status" data-testid="pool-proposed">
            {t('ui.pools.addProposed')}
          </p>
        )}
        <TextField
          ref={field}
          label={t('ui.pools.addUrl')}
          value={url}
          onChange={(value) => change(value)}
          hint={t('ui.pools.addHint')}
          error={error}
          isMono
          maxLength={1024}
          data-testid="pool-url"
        />
        <LoginFields fields={fields} onChange={(changed) => change(url, changed)} />
        <PoolParts text={text} />
        <div className={styles.actions}>
          <TestButton test={test} url={text} disabledReason={missing} />
          <Button
            type="submit"
            variant="primary"
            size="small"
            data-testid="pool-add-submit"
            disabledReason={isOpen ? missing : t('ui.pause.noContact')}
          >
            {t('ui.pools.addButton')}
          </Button>
        </div>
      </form>
      <TestResult test={test} />
      {added !== null && (
        <p className={added.kept ? styles.success : styles.warning} role="status" data-testid="pool-added">
          {added.kept
            ? t('ui.pools.addedKept', { host: added.host })
            : t('ui.pools.addedNotKept', { host: added.host, reason: added.reason })}
        </p>
      )}
    </Card>
  )
}

/** The login beside the address, as the pool gets it. */
function LoginFields({ fields, onChange }: { readonly fields: Fields; readonly onChange: (fields: Fields) => void }) {
  const t = useText()
  return (
    <div className={styles.fields}>
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={t(name === 'user' ? 'ui.pools.part.login' : `ui.pools.part.${name}`)}
          value={fields[name]}
          onChange={(value) => onChange({ ...fields, [name]: value })}
          placeholder={name === 'proxy' ? 'socks5://127.0.0.1:9050' : undefined}
          type={name === 'password' ? 'password' : 'text'}
          isMono
          maxLength={512}
          data-testid={`pool-${name}`}
        />
      ))}
    </div>
  )
}

/** The host of an address, for a message: never the user name or password. */
function hostOf(url: string): string {
  return url.slice(Math.max(url.lastIndexOf('@'), url.indexOf('://') + 2) + 1).replace(/[/?#].*$/, '')
}
