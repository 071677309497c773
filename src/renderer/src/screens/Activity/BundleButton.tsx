// A support bundle as a file: versions, settings without secrets, the last log lines. It is sent nowhere.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { saveText } from './LineTools'

export function BundleButton() {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const [error, setError] = useState('')
  if (!canControl) return null
  const save = async (): Promise<void> => {
    try {
      const { name, text } = await backend.call('app.supportBundle', {})
      saveText(text, name, 'text/plain')
      setError('')
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  return (
    <>
      <Button needsContact title={t('ui.bundle.hint')} data-testid="support-bundle" onClick={() => void save()}>
        {t('ui.bundle.save')}
      </Button>
      {error !== '' && <p role="alert">{t('ui.bundle.failed', { reason: error })}</p>}
    </>
  )
}
