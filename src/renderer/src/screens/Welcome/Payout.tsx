// Who receives the rewards: an account of this keystore, a new or imported one, or just an address.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { TextField } from '../../components/forms/TextField'
import { AddressText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import type { Plan } from '../../state/welcome-plan'
import { Button } from '../../widgets/controls/Button'
import { ImportAccount } from '../Accounts/Keys'
import { addressFault } from '../Accounts/send/Recipient'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

interface Receiver {
  /** Accounts that may be chosen. */
  readonly accounts: readonly string[]
  /** Lower case; empty if nobody receives anything. */
  readonly address: string
  /** Lower case; null on the practice network itself. */
  readonly practice: string | null
  /** Why the typed address can't be used; empty if it can. */
  readonly fault: string
}

/** Who would receive the rewards with this plan. */
export function useReceiver(plan: Plan): Receiver {
  const t = useText()
  const all = useSigner((state) => state.accounts?.accounts ?? null)
  const head = useNode((state) => state.head?.coinbase ?? null)
  const isHere = useApp((state) => state.info?.network === plan.network)
  const isFromPractice = useApp((state) => state.info?.network === 'practice') && !isHere
  // The practice account's password is stored beside it in clear text: nothing of value may go there.
  const own = (all ?? []).some(({ address }) => address.toLowerCase() === head?.toLowerCase()) ? head : null
  const practice = isFromPractice ? (own?.toLowerCase() ?? null) : null
  const accounts = (all ?? []).map(({ address }) => address).filter((address) => address.toLowerCase() !== practice)
  const address = (plan.coinbase || (isHere ? head : null) || '').toLowerCase()
  const isPractice = practice !== null && plan.coinbase.toLowerCase() === practice
  return {
    accounts,
    address,
    practice,
    fault: isPractice ? t('ui.welcome.practiceOnly') : addressFault(plan.coinbase, t),
  }
}

interface PayoutProps {
  readonly planning: Planning
  readonly receiver: Receiver
}

export function Payout({
  planning: { plan, change },
  receiver: { accounts, address: paid, ...receiver },
}: PayoutProps) {
  const t = useText()
  return (
    <div className={styles.group} data-testid="welcome-payout">
      <TextField
        label={t('ui.welcome.payTo')}
        hint={t('ui.welcome.payToHint')}
        error={receiver.fault}
        value={plan.coinbase}
        isMono
        maxLength={42}
        data-testid="welcome-coinbase"
        onChange={(text) => change({ coinbase: text.trim() })}
      />
      {receiver.practice !== null && <p className={styles.text}>{t('ui.welcome.practiceStays')}</p>}
      {accounts.length > 0 && (
        <ul className={styles.list} aria-label={t('ui.accounts.keystore')}>
          {accounts.map((address) => (
            <li key={address}>
              <AddressText address={address} form="short" />
              {address.toLowerCase() === paid ? (
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
      <div className={styles.go}>
        <NewAccount />
        <ImportAccount />
      </div>
    </div>
  )
}

/** Asks the signer like any caller; the request is answered where all requests are. */
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
