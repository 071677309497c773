// Who a payment is for: an address, chosen from the saved ones or typed; a new one can be saved under a name.
import { useId } from 'react'
import { TextField } from '../../../components/forms/TextField'
import { isAddress, isMisspelled } from '../../../format/bytes-text'
import { type Text, useText } from '../../../i18n/text'
import { useSigner } from '../../../state/environment'
import { selectLabel, selectWatched } from '../../../state/stores/signer-store'
import { MAX_LABEL } from '../Label'

interface RecipientProps {
  /** The account that pays; not offered. */
  readonly from: string
  readonly to: string
  readonly onTo: (to: string) => void
}

export function Recipient({ from, to, onTo }: RecipientProps) {
  const t = useText()
  const listId = useId()
  const label = useSigner(selectLabel(to))
  return (
    <>
      <TextField
        label={t('ui.approval.to')}
        data-testid="send-to"
        isMono
        list={listId}
        value={to}
        error={addressFault(to, t)}
        hint={label === '' ? undefined : t('ui.send.savedAs', { name: label })}
        onChange={onTo}
      />
      <Saved id={listId} from={from} />
    </>
  )
}

interface SaveAsProps {
  readonly to: string
  /** The name to save a new address under; empty = it isn't saved. */
  readonly name: string
  readonly onName: (name: string) => void
}

/** Only for an address that isn't saved, nor one of our own. */
export function SaveAs({ to, name, onName }: SaveAsProps) {
  const t = useText()
  if (!useIsNew(to)) return null
  return (
    <TextField
      label={t('ui.send.saveAs')}
      data-testid="send-save-as"
      maxLength={MAX_LABEL}
      value={name}
      hint={t('ui.send.saveAsHint')}
      onChange={onName}
    />
  )
}

/** What is wrong with a typed address; empty while there is none, and if nothing is. */
export function addressFault(text: string, t: Text): string {
  if (text === '') return ''
  if (!isAddress(text)) return t('ui.send.noAddress')
  return isMisspelled(text) ? t('ui.send.misspelled') : ''
}

/** Whether the text is an address that isn't saved, nor one of our own. */
function useIsNew(to: string): boolean {
  const isWatched = useSigner(selectWatched(to)) !== undefined
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some(({ address }) => address.toLowerCase() === to.toLowerCase()),
  )
  return isAddress(to) && !isWatched && !isOwn
}

/** Saved addresses and our other accounts, which the browser offers while typing. */
function Saved({ id, from }: { readonly id: string; readonly from: string }) {
  const t = useText()
  const watched = useSigner(({ notes }) => notes.watched)
  const named = useSigner(({ notes }) => notes.accounts)
  const accounts = useSigner((state) => state.accounts?.accounts ?? NONE)
  const own = accounts.map(({ address }) => ({
    address,
    label:
      named.find((note) => note.address.toLowerCase() === address.toLowerCase())?.label || t('ui.approval.ownAccount'),
  }))
  return (
    <datalist id={id} data-testid="send-saved">
      {[...watched, ...own]
        .filter(({ address }) => address.toLowerCase() !== from.toLowerCase())
        .map(({ address, label }) => (
          <option key={address} value={address}>
            {label}
          </option>
        ))}
    </datalist>
  )
}

const NONE: readonly { readonly address: string }[] = []
