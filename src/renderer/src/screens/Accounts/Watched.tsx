// Watched addresses: their keys aren't here, so nothing can be sent from them.
import { Eye } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../components/faults/Failure'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { CopyButton, ForeignText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { isAddress, isMisspelled } from '../../format/bytes-text'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectBalance } from '../../state/stores/node-store'
import { AccountLink } from '../../widgets/controls/AccountLink'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/AmountText'
import { EmptyState } from '../../widgets/facts/States'
import styles from './Accounts.module.css'
import { MAX_LABEL } from './Label'
import { addressFault } from './send/Recipient'

export function Watched() {
  const t = useText()
  const watched = useSigner(({ notes }) => notes.watched)
  const canControl = useApp(selectCanControl)
  if (watched.length === 0 && !canControl) return null
  return (
    <Card title={t('ui.watch.title')} testId="watched">
      {watched.length === 0 && <EmptyState icon={Eye} title={t('ui.watch.none')} />}
      {watched.length > 0 && <p className={styles.asOf}>{t('ui.watch.text')}</p>}
      <ul className={styles.watched}>
        {watched.map(({ address, label }) => (
          <WatchedRow key={address} address={address} label={label} />
        ))}
      </ul>
      {canControl && <WatchForm />}
    </Card>
  )
}

function WatchedRow({ address, label }: { readonly address: string; readonly label: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const balance = useNode(selectBalance(address))
  const { run, failure } = useAttempt()
  const key = address.toLowerCase()
  return (
    <li data-testid={`watched-${key}`}>
      <span className={styles.name} data-testid={`account-${key}`}>
        <Identicon address={address} />
        <span className={styles.party}>
          {label !== '' && (
            <strong>
              <ForeignText text={label} />
            </strong>
          )}
          <AccountLink address={address} />
        </span>
        <CopyButton text={address} label={t('ui.accounts.address')} />
      </span>
      <span>
        {t('ui.accounts.available')}{' '}
        <AmountText wei={balance?.available} form="list" testId={`balance-available-${key}`} />
      </span>
      <span>
        {t('ui.accounts.locked')} <AmountText wei={balance?.locked} form="list" testId={`balance-locked-${key}`} />
      </span>
      {canControl && (
        <Button
          size="small"
          needsContact
          aria-label={t('ui.watch.removeOne', { address })}
          data-testid={`unwatch-${key}`}
          onClick={() => run(() => backend.call('signer.unwatch', { address }))}
        >
          {t('ui.watch.remove')}
        </Button>
      )}
      <Failure text={failure} />
    </li>
  )
}

function WatchForm() {
  const t = useText()
  const { backend } = useEnvironment()
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState('')
  const { run, failure } = useAttempt()
  const isGood = isAddress(address) && !isMisspelled(address)
  const add = (event: FormEvent): void => {
    event.preventDefault()
    if (!isGood) return
    run(async () => {
      await backend.call('signer.watch', { address, label: label.trim() })
      setAddress('')
      setLabel('')
    })
  }
  return (
    <details data-testid="watch-form">
      <summary>{t('ui.watch.add')}</summary>
      <form className={styles.form} onSubmit={add}>
        <TextField
          label={t('ui.accounts.address')}
          data-testid="watch-address"
          isMono
          value={address}
          error={addressFault(address, t)}
          onChange={(text) => setAddress(text.trim())}
        />
        <TextField
          label={t('ui.label.name')}
          data-testid="watch-label"
          maxLength={MAX_LABEL}
          value={label}
          onChange={setLabel}
        />
        <div className={styles.bar}>
          <Button
            type="submit"
            variant="primary"
            needsContact
            data-testid="watch-add"
            disabledReason={isGood ? undefined : t('ui.send.noAddress')}
          >
            {t('ui.watch.action')}
          </Button>
          <Failure text={failure} />
        </div>
      </form>
    </details>
  )
}
