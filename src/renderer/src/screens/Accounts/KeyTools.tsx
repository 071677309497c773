// Actions that need an account's password: only for those who may decide requests. The desktop's approval window lists
// them.
import { AddressText, ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { selectDevice, selectLabel, selectNote } from '../../state/stores/signer-store'
import styles from './Accounts.module.css'
import { Backup, BackupMark } from './Backup'
import { Forget } from './Forget'
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
  const canApprove = useApp(selectCanApprove)
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
