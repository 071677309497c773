// What a person at the machine allows about approvals: deciding from elsewhere, and keeping an account unlocked.
import { useState } from 'react'
import { REMOTE_CONSENT, type SwitchesView } from '../../../../../contract/signer'
import { Failure } from '../../../components/faults/Failure'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useEnvironment, useSigner } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { Switch } from '../Setting'
import settings from '../Settings.module.css'
import styles from './RemoteApprovals.module.css'

/** Renders nothing without a signer. */
export function RemoteApprovals() {
  const switches = useSigner((state) => state.switches)
  if (switches === null) return null
  return (
    <div className={settings.cards}>
      <Remote switches={switches} />
      <KeepUnlocked switches={switches} />
    </div>
  )
}

interface PartProps {
  readonly switches: SwitchesView
}

function Remote({ switches }: PartProps) {
  const t = useText()
  const { mode } = switches.remote
  return (
    <Card title={t('ui.remote.title')} testId="remote-approvals">
      <p>{t('ui.remote.text')}</p>
      <StateLine switches={switches} />
      <div>
        <p>{t('ui.remote.exposes')}</p>
        <ul className={styles.list}>
          <li>{t('ui.remote.exposes1')}</li>
          <li>{t('ui.remote.exposes2')}</li>
          <li>{t('ui.remote.exposes3')}</li>
        </ul>
      </div>
      {!switches.maySet && <p className={styles.note}>{t('ui.remote.atMachine')}</p>}
      {switches.maySet && !switches.remote.hasToken && <p className={styles.note}>{t('ui.remote.needsToken')}</p>}
      {switches.maySet && mode === 'off' && switches.remote.hasToken && <SwitchOn />}
      {switches.maySet && mode !== 'off' && <SwitchOff />}
    </Card>
  )
}

function StateLine({ switches }: PartProps) {
  const t = useText()
  const format = useFormat()
  const { mode, expiresAt } = switches.remote
  const time = expiresAt === null ? '' : format.moment(expiresAt)
  const keys = { off: 'ui.remote.off', encrypted: 'ui.remote.onEncrypted', plain: 'ui.remote.onPlain' } as const
  return (
    <p role="status" data-testid="remote-state" data-state={mode}>
      <strong>{t(keys[mode], { time })}</strong>
    </p>
  )
}

function SwitchOn() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  const [isPlain, setPlain] = useState(false)
  const [consent, setConsent] = useState('')
  const isReady = !isPlain || consent.trim() === REMOTE_CONSENT
  return (
    <div className={styles.form}>
      <fieldset className={styles.how}>
        <legend>{t('ui.remote.how')}</legend>
        <label>
          <input type="radio" name="how" checked={!isPlain} onChange={() => setPlain(false)} />{' '}
          {t('ui.remote.encrypted')}
        </label>
        <label>
          <input type="radio" name="how" data-testid="remote-plain" checked={isPlain} onChange={() => setPlain(true)} />{' '}
          {t('ui.remote.plain')}
        </label>
      </fieldset>
      {isPlain && (
        <TextField
          label={t('ui.remote.consent', { word: REMOTE_CONSENT })}
          value={consent}
          onChange={setConsent}
          data-testid="remote-consent"
          isMono
        />
      )}
      <div>
        <Button
          variant="dangerQuiet"
          needsContact
          disabledReason={isReady ? undefined : t('ui.remote.consent', { word: REMOTE_CONSENT })}
          data-testid="remote-on"
          onClick={() =>
            run(
              () => backend.call('signer.setRemote', { mode: isPlain ? 'plain' : 'encrypted', consent }),
              'ui.remote.failed',
            )
          }
        >
          {t('ui.remote.switchOn')}
        </Button>
      </div>
      <Failure text={failure} />
    </div>
  )
}

function SwitchOff() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  return (
    <div>
      <Button
        needsContact
        data-testid="remote-off"
        onClick={() => run(() => backend.call('signer.setRemote', { mode: 'off', consent: '' }), 'ui.remote.failed')}
      >
        {t('ui.remote.switchOff')}
      </Button>
      <Failure text={failure} />
    </div>
  )
}

function KeepUnlocked({ switches }: PartProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  return (
    <Card title={t('ui.keep.title')} testId="keep-unlocked">
      <p>{t('ui.keep.text')}</p>
      {switches.maySet ? (
        <Switch
          label={t('ui.keep.switch')}
          isOn={switches.keepUnlocked}
          onChange={(isOn) => run(() => backend.call('signer.setKeepUnlocked', { isOn }), 'ui.remote.failed')}
        />
      ) : (
        <p className={styles.note}>{t('ui.remote.atMachine')}</p>
      )}
      <Failure text={failure} />
    </Card>
  )
}
