// A party of a request: its address, and what is known about it.
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
  /** What else is known about it, shown below. */
  readonly more?: string
}

/**
 * Own accounts are named. An address is grouped with its checksum; text that isn't an address stays as the caller
 * spelled it.
 */
export function Party({ address, testId, more = '' }: PartyProps) {
  const t = useText()
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address.toLowerCase()),
  )
  const label = useSigner(selectLabel(address))
  const notes = [isOwn ? t('ui.approval.ownAccount') : '', more].filter((note) => note !== '').join(' · ')
  return (
    <>
      {label !== '' && (
        <strong data-testid={`${testId}-label`}>
          <ForeignText text={label} />
        </strong>
      )}{' '}
      {isAddress(address) ? (
        <span className={styles.party}>
          <Identicon address={address} />
          <AddressText address={address} form="grouped" testId={testId} />
        </span>
      ) : (
        <span data-testid={testId}>
          <ForeignText text={address} />
        </span>
      )}
      {notes !== '' && <span className={styles.note}>{notes}</span>}
    </>
  )
}
