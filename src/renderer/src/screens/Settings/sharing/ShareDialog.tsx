// Creates a view-only link: how long it lasts and what it hides, then the link itself, shown once.
import { useState } from 'react'
import type { LinkLifetime } from '../../../../../contract/view-links'
import { Failure } from '../../../components/faults/Failure'
import { Choice } from '../../../components/forms/Choice'
import { TextField } from '../../../components/forms/TextField'
import dialog from '../../../components/layout/Dialog.module.css'
import { DialogModal } from '../../../components/layout/Modal'
import { useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useEnvironment } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { Switch } from '../Setting'
import styles from '../Settings.module.css'
import { linkOf } from './link-address'
import { ShownOnce } from './ShownOnce'

const lifetimes: readonly LinkLifetime[] = ['hour', 'day', 'month']

interface ShareDialogProps {
  /** Where the link may point, most likely first; not empty. */
  readonly origins: readonly string[]
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Open while it is rendered. */
export function ShareDialog({ origins, onMade, onClose }: ShareDialogProps) {
  const t = useText()
  const [token, setToken] = useState<string | null>(null)
  return (
    <DialogModal
      title={t(token === null ? 'ui.settings.linkMake' : 'ui.settings.link')}
      testId="share-dialog"
      onClose={onClose}
    >
      {token === null ? (
        <LinkForm
          onClose={onClose}
          onMade={(made) => {
            setToken(made)
            onMade()
          }}
        />
      ) : (
        <MadeLink token={token} origins={origins} onClose={onClose} />
      )}
    </DialogModal>
  )
}

interface LinkFormProps {
  readonly onMade: (token: string) => void
  readonly onClose: () => void
}

function LinkForm({ onMade, onClose }: LinkFormProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const [label, setLabel] = useState('')
  const [lifetime, setLifetime] = useState<LinkLifetime>('day')
  const [hides, setHides] = useState(true)
  const { isBusy, failure, run } = useAttempt()
  const make = (): void =>
    run(async () => onMade((await backend.call('app.viewLinkCreate', { label, lifetime, hides })).token))
  return (
    <>
      <p>{t('ui.settings.linkText')}</p>
      <TextField
        label={t('ui.settings.linkLabel')}
        hint={t('ui.settings.linkLabelHint')}
        value={label}
        maxLength={40}
        data-testid="link-label"
        onChange={setLabel}
      />
      <div className={styles.row}>
        <span>{t('ui.settings.linkLifetime')}</span>
        <Choice
          label={t('ui.settings.linkLifetime')}
          value={lifetime}
          options={lifetimes.map((value) => ({ value, label: t(`ui.settings.lifetime.${value}`) }))}
          onChange={setLifetime}
        />
      </div>
      <Switch label={t('ui.settings.linkHides')} isOn={hides} onChange={setHides} />
      <p className={styles.reason}>{t(hides ? 'ui.settings.linkHidesText' : 'ui.settings.linkShowsText')}</p>
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button onClick={onClose}>{t('ui.common.cancel')}</Button>
        <Button variant="primary" needsContact isBusy={isBusy} data-testid="link-make" onClick={make}>
          {t('ui.settings.linkMake')}
        </Button>
      </div>
    </>
  )
}

interface MadeLinkProps {
  readonly token: string
  readonly origins: readonly string[]
  readonly onClose: () => void
}

function MadeLink({ token, origins, onClose }: MadeLinkProps) {
  const t = useText()
  const [chosen, setChosen] = useState(origins[0] ?? '')
  return (
    <>
      {origins.length > 1 && (
        <label className={styles.select}>
          <span>{t('ui.settings.linkAddress')}</span>
          <select
            className={styles.input}
            value={chosen}
            data-testid="link-address"
            onChange={(event) => setChosen(event.target.value)}
          >
            {origins.map((origin) => (
              <option key={origin} value={origin}>
                {origin}
              </option>
            ))}
          </select>
        </label>
      )}
      <ShownOnce text={linkOf(chosen, token)} label={t('ui.settings.link')} hasCode testId="link-text" />
      <div className={dialog.actions}>
        <Button variant="primary" onClick={onClose}>
          {t('ui.common.close')}
        </Button>
      </div>
    </>
  )
}
