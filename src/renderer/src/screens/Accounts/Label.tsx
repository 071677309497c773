// Changing the name of an account where control is allowed. The program stores it, not the page.
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useCanControl, useEnvironment, useSigner } from '../../state/environment'
import { selectLabel } from '../../state/stores/signer-store'
import { Button, Failure } from '../../widgets/controls/Button'
import styles from './Accounts.module.css'

export const MAX_LABEL = 60

export function Label({ address }: { readonly address: string }) {
  const t = useText()
  const label = useSigner(selectLabel(address))
  const canControl = useCanControl()
  const [draft, setDraft] = useState<string | null>(null)
  const { backend } = useEnvironment()
  const { run, failure } = useAttempt()
  if (!canControl) return null
  if (draft === null)
    return (
      <>
        <Button icon={<Pencil aria-hidden="true" />} data-testid="label-edit" onClick={() => setDraft(label)}>
          <span className={styles.words}>{t('ui.label.edit')}</span>
        </Button>
        <Failure text={failure} />
      </>
    )
  const save = (event: FormEvent): void => {
    event.preventDefault()
    run(() => backend.call('signer.setLabel', { address, label: draft.trim() }))
    setDraft(null)
  }
  return (
    <form className={styles.bar} onSubmit={save}>
      <TextField
        label={t('ui.label.name')}
        data-testid="label-text"
        maxLength={MAX_LABEL}
        autoFocus
        value={draft}
        onChange={setDraft}
      />
      <Button type="submit" variant="primary" needsContact data-testid="label-save">
        {t('ui.settings.save')}
      </Button>
      <Button onClick={() => setDraft(null)}>{t('ui.common.cancel')}</Button>
    </form>
  )
}
