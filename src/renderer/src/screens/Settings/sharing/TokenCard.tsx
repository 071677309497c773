// The control port's token: whether there is one, and a new one that is shown once.
import { useState } from 'react'
import type { OptionView } from '../../../../../contract/options'
import { Failure } from '../../../components/faults/Failure'
import { Card } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useApp, useEnvironment } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { useRestart } from '../../../state/use-restart'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { RestartDialog } from '../../../widgets/controls/RestartDialog'
import styles from '../Settings.module.css'
import { ShownOnce } from './ShownOnce'

interface TokenCardProps {
  readonly option: OptionView
  readonly onMade: () => void
}

export function TokenCard({ option, onMade }: TokenCardProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const { failure, run } = useAttempt()
  const hasToken = option.value !== null
  const make = async (): Promise<void> => {
    setToken((await backend.call('app.newToken', {})).token)
    onMade()
  }
  return (
    <Card title={t('ui.settings.token')} testId="token-card">
      <p>{t(hasToken ? 'ui.settings.tokenSet' : 'ui.settings.tokenMissing')}</p>
      {option.locked === 'machine' && <p className={styles.reason}>{t('ui.settings.lockedMachine')}</p>}
      {option.locked !== 'machine' && option.locked !== '' && (
        <p className={styles.reason}>{t('ui.settings.lockedSource', { name: option.source.name })}</p>
      )}
      {canControl && option.locked === '' && token === null && (
        <div>
          <Button data-testid="token-new" needsContact onClick={() => setAsking(true)}>
            {t(hasToken ? 'ui.settings.tokenRotate' : 'ui.settings.tokenMake')}
          </Button>
        </div>
      )}
      <Failure text={failure} />
      {token !== null && <MadeToken token={token} />}
      {isAsking && (
        <ConfirmDialog
          title={t(hasToken ? 'ui.settings.tokenRotate' : 'ui.settings.tokenMake')}
          action={t('ui.settings.tokenMakeShort')}
          testId="token-dialog"
          onConfirm={() => run(make)}
          onClose={() => setAsking(false)}
        >
          <p>{t(hasToken ? 'ui.settings.tokenRotateText' : 'ui.settings.tokenMakeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Shown once, and valid only after a restart. */
function MadeToken({ token }: { readonly token: string }) {
  const t = useText()
  const restart = useRestart()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ShownOnce text={token} label={t('ui.settings.tokenNew')} hasCode={false} testId="token-text" />
      <p>{t('ui.settings.tokenNext')}</p>
      <div>
        <Button
          variant="primary"
          needsContact
          data-testid="token-apply"
          isBusy={restart.state === 'asked'}
          onClick={() => setAsking(true)}
        >
          {t('ui.settings.applyRestart')}
        </Button>
      </div>
      <Failure text={restart.reason} />
      {isAsking && <RestartDialog onConfirm={() => void restart.ask()} onClose={() => setAsking(false)} />}
    </>
  )
}
