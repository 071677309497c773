// Adds a pool at the end of the list: the miner checks its address and names what is wrong with it.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { addressOnly, PoolFields, type TypedPool, wholePool } from './PoolFields'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'

interface Added {
  readonly host: string
  readonly kept: boolean
  /** Why it wasn't saved. */
  readonly reason: string
}

/** The typed address with the fields beside it, their errors, and the host that was added last. */
function useAdding(proposed: string | null, onChange: () => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const [typed, setTyped] = useState(() => addressOnly(proposed ?? ''))
  const [error, setError] = useState('')
  const [added, setAdded] = useState<Added | null>(null)
  const { text, fault } = wholePool(typed)
  const change = (next: TypedPool): void => {
    setTyped(next)
    setError('')
    setAdded(null)
    onChange()
  }
  const add = async (): Promise<void> => {
    if (text === '') return setError(t('ui.pools.addEmpty'))
    if (fault !== '') return setError(fault)
    try {
      const kept = await backend.call('miner.poolAdd', { url: text })
      change(addressOnly(''))
      setAdded({ ...kept, host: hostOf(text) })
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  return { typed, text, error, added, change, add }
}

/** @param proposed address that a link filled in, for the user to read; null if none */
export function AddPool({ proposed }: { readonly proposed: string | null }) {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const test = useTest()
  const { typed, text, error, added, change, add } = useAdding(proposed, test.clear)
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
        {proposed !== null && typed.address === proposed && (
          <p className={styles.warning} role="status" data-testid="pool-proposed">
            {t('ui.pools.addProposed')}
          </p>
        )}
        <PoolFields
          typed={typed}
          onChange={change}
          hint={t('ui.pools.addHint')}
          error={error}
          addressRef={field}
          name="pool"
        />
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

/** The host of an address, for a message: never the user name or password. */
function hostOf(url: string): string {
  return url.slice(Math.max(url.lastIndexOf('@'), url.indexOf('://') + 2) + 1).replace(/[/?#].*$/, '')
}
