// The link to the first-start steps, until they are finished or dismissed.
import { Sparkles } from 'lucide-react'
import { Note } from '../../components/layout/Note'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useEnvironment, usePreference } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { useFinish } from './use-finish'
import styles from './Welcome.module.css'

export function WelcomeCard() {
  const t = useText()
  const { stores } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const isOffered = useApp((state) => state.info?.welcome ?? false)
  const isWelcomed = usePreference((preferences) => preferences.isWelcomed)
  const network = useApp((state) => state.info?.network ?? 'practice')
  const { finish } = useFinish()
  if (!canControl || !isOffered || isWelcomed) return null
  const decline = (): void => {
    stores.preferences.setState({ isWelcomed: true }) // takes effect on this device immediately, even if the file can't be written
    void finish([])
  }
  return (
    <Note
      tone="plain"
      icon={Sparkles}
      testId="welcome-card"
      action={
        <span className={styles.actions}>
          <a className={styles.open} href={hrefOf('/welcome')} data-testid="welcome-open">
            {t('ui.welcome.open')}
          </a>
          <Button size="small" variant="quiet" onClick={decline}>
            {t('ui.welcome.decline')}
          </Button>
        </span>
      }
    >
      {t('ui.welcome.card', { network })}
    </Note>
  )
}
