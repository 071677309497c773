// The steps of a first start. Nothing is written before the last one; on the practice network everything has a default.

import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { goTo, hrefOf } from '../../navigation/router'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { changesOf, type StepName, stepNames } from '../../state/welcome-plan'
import { Button } from '../../widgets/controls/Button'
import { LanguageChoices } from '../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../widgets/controls/ThemeChoices'
import { Screen } from '../Screen'
import { AccountStep } from './AccountStep'
import { DevicesStep } from './DevicesStep'
import { FolderStep } from './FolderStep'
import { NoWindowNote } from './NoWindowNote'
import { Options } from './Options'
import { SharingStep } from './SharingStep'
import { SummaryStep } from './SummaryStep'
import { useFinish } from './use-finish'
import { type Planning, usePlan } from './use-plan'
import styles from './Welcome.module.css'
import { WorkStep } from './WorkStep'

// Language and theme, effective immediately on this device.

export function LookStep() {
  const t = useText()
  return (
    <>
      <p>{t('ui.welcome.lookText')}</p>
      <div className={styles.row}>
        <span>{t('ui.settings.language')}</span>
        <LanguageChoices />
      </div>
      <div className={styles.row}>
        <span>{t('ui.settings.theme')}</span>
        <ThemeChoices />
      </div>
    </>
  )
}

// Choice of the network: what each means, and what is at stake.

const networks = ['practice', 'main', 'test'] as const

export function NetworkStep({ planning: { plan, change } }: { readonly planning: Planning }) {
  const t = useText()
  return (
    <>
      <Options
        label={t('ui.welcome.step.network')}
        value={plan.network}
        options={networks.map((value) => ({
          value,
          title: t(`ui.network.${value}`),
          text: t(`ui.welcome.network.${value}`),
        }))}
        onChange={(network) => change({ network })}
      />
      <NoWindowNote network={plan.network} />
    </>
  )
}

const steps: Readonly<
  Record<Exclude<StepName, 'summary'>, (props: { readonly planning: Planning }) => React.ReactNode>
> = {
  look: LookStep,
  network: NetworkStep,
  folder: FolderStep,
  account: AccountStep,
  devices: DevicesStep,
  work: WorkStep,
  sharing: SharingStep,
}

export function Welcome() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const planning = usePlan()
  const { step } = planning.plan
  const title = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    title.current?.focus() // keyboard and screen reader users continue at the start of the new step
  }, [step])
  if (!canControl)
    return (
      <Screen title={t('ui.welcome.title')}>
        <p>{t('ui.settings.readOnly')}</p>
      </Screen>
    )
  return (
    <Screen title={t('ui.welcome.title')} actions={<Dismiss />}>
      <div className={styles.layout}>
        <StepList current={step} />
        <div ref={title} tabIndex={-1} className={styles.step} data-testid="welcome-step" data-state={step}>
          {step === 'summary' ? <Summary planning={planning} /> : <Step name={step} planning={planning} />}
        </div>
      </div>
    </Screen>
  )
}

function StepList({ current }: { readonly current: StepName }) {
  const t = useText()
  const at = stepNames.indexOf(current)
  return (
    <ol className={styles.steps} aria-label={t('ui.welcome.steps')}>
      {stepNames.map((name, index) => (
        <li
          key={name}
          aria-current={name === current ? 'step' : undefined}
          data-state={index < at ? 'past' : index === at ? 'current' : 'coming'}
        >
          <span className={styles.mark} aria-hidden="true">
            {index < at ? <Check /> : index + 1}
          </span>
          {t(`ui.welcome.step.${name}`)}
        </li>
      ))}
    </ol>
  )
}

function Step({ name, planning }: { readonly name: Exclude<StepName, 'summary'>; readonly planning: Planning }) {
  const t = useText()
  const Content = steps[name]
  // The practice network needs only these two steps.
  const isShort = name === 'network' && planning.plan.network === 'practice'
  return (
    <Card title={t(`ui.welcome.step.${name}`)}>
      <Content planning={planning} />
      <div className={styles.buttons}>
        {name === 'look' ? <Later /> : <Back planning={planning} />}
        {isShort && (
          <Button data-testid="welcome-next" onClick={() => planning.move(1)}>
            {t('ui.welcome.more')}
          </Button>
        )}
        {isShort ? (
          <Button variant="primary" data-testid="welcome-short" onClick={() => planning.change({ step: 'summary' })}>
            {t('ui.welcome.short')}
          </Button>
        ) : (
          <Button variant="primary" data-testid="welcome-next" onClick={() => planning.move(1)}>
            {t('ui.welcome.next')}
          </Button>
        )}
      </div>
    </Card>
  )
}

function Back({ planning }: { readonly planning: Planning }) {
  const t = useText()
  return (
    <Button variant="quiet" data-testid="welcome-back" onClick={() => planning.move(-1)}>
      {t('ui.welcome.back')}
    </Button>
  )
}

/** The steps remain until someone comes back to them. */
function Later() {
  const t = useText()
  return (
    <a className={styles.later} href={hrefOf('/')}>
      {t('ui.welcome.later')}
    </a>
  )
}

function Summary({ planning }: { readonly planning: Planning }) {
  const t = useText()
  const changes = changesOf(planning.plan, planning.secrets)
  const { state, finish, restart } = useFinish()
  const { preferences } = useEnvironment().stores
  useEffect(() => () => preferences.setState({ isStarting: false }), [preferences])
  return (
    <Card title={t('ui.welcome.step.summary')}>
      <SummaryStep planning={planning} changes={changes} state={state} restart={restart} />
      <div className={styles.buttons}>
        {state.kind !== 'done' && <Back planning={planning} />}
        {state.kind === 'done' ? (
          <Button variant="primary" data-testid="welcome-leave" onClick={() => goTo('/')}>
            {t('ui.welcome.leave')}
          </Button>
        ) : (
          <Button
            variant="primary"
            needsContact
            data-testid="welcome-start"
            isBusy={state.kind === 'busy'}
            onClick={() => void finish(changes)}
          >
            {t(state.kind === 'busy' ? 'ui.settings.saving' : 'ui.welcome.start')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** Ends the offer of these steps: here at once, and in the config file. */
function Dismiss() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const isOffered = useApp((state) => state.info?.welcome ?? false)
  const { finish } = useFinish()
  if (!isOffered) return null
  const dismiss = (): void => {
    preferences.setState({ isWelcomed: true }) // takes effect on this device immediately, even if the file can't be written
    void finish([])
    goTo('/')
  }
  return (
    <Button variant="quiet" data-testid="welcome-dismiss" onClick={dismiss}>
      {t('ui.welcome.decline')}
    </Button>
  )
}
