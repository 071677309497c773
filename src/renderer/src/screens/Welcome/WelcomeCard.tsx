// The way to the steps of a first start, as long as nobody finished or declined them.
import { Sparkles } from 'lucide-react'
import { hrefOf } from '../../app/router'
import { Banner } from '../../components/Banner'
import { Button } from '../../components/Button'
import { useText } from '../../i18n/text'
import { selectCanControl } from '../../state/app-store'
import { useApp, useEnvironment, usePreference } from '../../state/environment'
import { stepNames } from './plan'
import { useFinish } from './use-finish'
import styles from './Welcome.module.css'

export function WelcomeCard() {
  const t = useText()
  const { stores } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const isOffered = useApp((state) => state.info?.welcome ?? false)
  const isWelcomed = usePreference((preferences) => preferences.isWelcomed)
  const { finish } = useFinish()
  if (!canControl || !isOffered || isWelcomed) return null
  const decline = (): void => {
    stores.preferences.setState({ isWelcomed: true }) // on this device at once, whatever becomes of the file
    void finish([])
  }
  return (
    <>
      <Banner
        tone="accent"
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
        {t('ui.welcome.card')}
      </Banner>
      <NextSteps />
    </>
  )
}

const SHOWN_STEPS = 3

/** The steps that come next, each as a way straight to it. */
function NextSteps() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const plan = usePreference((state) => state.plan)
  // The looks are chosen by whoever reads this; the last one only sums up.
  const open = stepNames.filter((name) => name !== 'look' && name !== 'summary')
  const at = stepNames.indexOf(plan.step) - 1
  const next = open.slice(Math.min(Math.max(at, 0), open.length - SHOWN_STEPS)).slice(0, SHOWN_STEPS)
  return (
    <ul className={styles.next} aria-label={t('ui.welcome.nextSteps')}>
      {next.map((step) => (
        <li key={step}>
          <a
            href={hrefOf('/welcome')}
            data-testid={`welcome-to-${step}`}
            onClick={() => preferences.setState({ plan: { ...plan, step } })}
          >
            <strong>{t(`ui.welcome.step.${step}`)}</strong>
            <span className={styles.text}>{t(`ui.welcome.why.${step}`)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
