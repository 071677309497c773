// A party of a request: its name, its address in full, and what is known about it.
import { AddressText, ForeignText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { isAddress } from '../../format/bytes-text'
import { useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import { selectLabel } from '../../state/stores/signer-store'
import styles from '../Approval.module.css'

interface PartyProps {
  readonly address: string
  readonly testId: string
  /** What else is known about it, beside its name. */
  readonly more?: string
  /** `ok`: known from before; `warn`: new; `danger`: what is critical concerns it. */
  readonly tone?: 'plain' | 'ok' | 'warn' | 'danger'
}

/** Own accounts are named. Text that isn't an address stays as the caller spelled it. */
export function Party({ address, testId, more = '', tone = 'plain' }: PartyProps) {
  const t = useText()
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address.toLowerCase()),
  )
  const label = useSigner(selectLabel(address))
  const name = t(isOwn ? 'ui.approval.ownName' : 'ui.approval.unknownAddress')
  return (
    <div className={styles.party} data-tone={tone}>
      {isAddress(address) && <Identicon address={address} />}
      <div>
        <p>
          <strong {...(label === '' ? {} : { 'data-testid': `${testId}-label` })}>
            <ForeignText text={label === '' ? name : label} />
          </strong>{' '}
          {label !== '' && isOwn && <span className={styles.note}>{t('ui.approval.ownAccount')}</span>}
          {more !== '' && <span className={styles.tag}>{more}</span>}
        </p>
        {isAddress(address) ? (
          <AddressText address={address} form="grouped" testId={testId} />
        ) : (
          <span data-testid={testId}>
            <ForeignText text={address} />
          </span>
        )}
      </div>
    </div>
  )
}
