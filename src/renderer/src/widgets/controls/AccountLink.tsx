// A link to an account's own page.
import { AddressText } from '../../components/values/HexText'
import { groupHex, spelledAddress } from '../../format/bytes-text'
import { useText } from '../../i18n/text'

/** Read out as it is shown, in groups. */
export function AccountLink({ address }: { readonly address: string }) {
  const t = useText()
  const key = address.toLowerCase()
  const name = t('ui.accounts.open', { address: groupHex(spelledAddress(address)) })
  return (
    <a href={`#/accounts/${key}`} data-testid={`open-${key}`} aria-label={name}>
      <AddressText address={address} form="grouped" />
    </a>
  )
}
