// Who receives what is mined: an account of this keystore, a new or imported one, or only an address.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { Button } from '../../components/Button'
import { AddressText } from '../../components/HexText'
import { TextField } from '../../components/TextField'
import { isAddress } from '../../format/bytes-text'
import { useText } from '../../i18n/text'
import { useEnvironment, useNode, useSigner } from '../../state/environment'
import { ImportAccount } from '../Accounts/Keys'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

export function AccountStep({ planning: { plan, change } }: { readonly planning: Planning }) {
  const t = useText()
  const accounts = useSigner((state) => state.accounts?.accounts ?? [])
  const coinbase = useNode((state) => state.head?.coinbase ?? null)
  const receiver = (plan.coinbase || coinbase || '').toLowerCase()
  const isBad = plan.coinbase !== '' && !isAddress(plan.coinbase)
  return (
    <>
      <p>{t('ui.welcome.accountText')}</p>
      {accounts.length > 0 && (
        <ul className={styles.list} aria-label={t('ui.accounts.keystore')}>
          {accounts.map(({ address }) => (
            <li key={address}>
              <AddressText address={address} form="short" />
              {address.toLowerCase() === receiver ? (
                <span className={styles.text}>{t('ui.accounts.coinbase')}</span>
              ) : (
                <Button size="small" onClick={() => change({ coinbase: address })}>
                  {t('ui.welcome.payHere')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={t('ui.welcome.payTo')}
        hint={t('ui.welcome.payToHint')}
        error={isBad ? t('ui.send.noAddress') : ''}
        value={plan.coinbase}
        isMono
        maxLength={42}
        data-testid="welcome-coinbase"
        onChange={(text) => change({ coinbase: text.trim() })}
      />
      <NewAccount />
      <ImportAccount />
    </>
  )
}

/** Asks the signer like any caller; the request is answered where all are. */
function NewAccount() {
  const t = useText()
  const { backend } = useEnvironment()
  const [error, setError] = useState('')
  const ask = (): void => {
    setError('')
    backend.call('signer.requestNewAccount', {}).catch((failure: unknown) => setError(messageOf(failure)))
  }
  return (
    <div>
      <Button needsContact onClick={ask} data-testid="welcome-new-account">
        {t('ui.accounts.new')}
      </Button>
      {error !== '' && (
        <p className={styles.warning} role="alert">
          {t('ui.accounts.newFailed')}: {error}
        </p>
      )}
    </div>
  )
}
