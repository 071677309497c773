// A first start on one page: where to mine, with which login, who is paid. Nothing is written before Start; on the
// practice network everything has a default.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useText } from '../../i18n/text'
import { goTo, hrefOf } from '../../navigation/router'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { useLatest } from '../../state/use-latest'
import { useRestart } from '../../state/use-restart'
import { type Change, changesOf, commandLineOf } from '../../state/welcome-plan'
import { Button } from '../../widgets/controls/Button'
import { LanguageChoices } from '../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../widgets/controls/ThemeChoices'
import { PoolFields, useTypedPool } from '../Pools/PoolFields'
import { TestButton, TestResult, useTest } from '../Pools/PoolTest'
import { Screen } from '../Screen'
import { Folder, Options, Sharing, Warnings } from './Choices'
import { Computer } from './Computer'
import { FirstShare } from './FirstShare'
import { Payout, useReceiver } from './Payout'
import { type Planning, usePlan } from './use-plan'
import styles from './Welcome.module.css'

/** After the last key. */
const TEST_AFTER_MS = 800

const networks = ['practice', 'main', 'test'] as const

export function Welcome() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const planning = usePlan()
  const finishing = useFinish()
  const { preferences } = useEnvironment().stores
  useEffect(
    () => () => {
      // Leaving writes nothing that another window has changed meanwhile.
      if (preferences.getState().isStarting) preferences.setState({ isStarting: false })
    },
    [preferences],
  )
  if (!canControl)
    return (
      <Screen title={t('ui.welcome.title')}>
        <p>{t('ui.settings.readOnly')}</p>
      </Screen>
    )
  const { kind } = finishing.state
  return (
    <Screen
      title={t('ui.welcome.title')}
      actions={
        <>
          <LanguageChoices />
          <ThemeChoices />
        </>
      }
    >
      <div className={styles.layout} data-testid="welcome" data-state={kind}>
        {kind === 'done' ? <Done finishing={finishing} /> : <Form planning={planning} finishing={finishing} />}
        <Computer plan={planning.plan} />
      </div>
    </Screen>
  )
}

type Finishing = ReturnType<typeof useFinish>

interface FormProps {
  readonly planning: Planning
  readonly finishing: Finishing
}

function Form({ planning, finishing: { state, finish } }: FormProps) {
  const t = useText()
  const { plan, secrets } = planning
  const receiver = useReceiver(plan)
  const changes = changesOf(plan, secrets)
  const isPool = plan.work === 'pool'
  const isPublic = plan.network !== 'practice'
  const isOpen = useApp(selectIsOpen)
  const missing = isPool && secrets.poolUrl === '' ? t('ui.pools.addEmpty') : receiver.fault
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing === '' && isOpen && state.kind !== 'busy') void finish(changes)
  }
  const payout = <Payout planning={planning} receiver={receiver} />
  return (
    <form className={styles.form} onSubmit={submit}>
      <Where planning={planning} />
      {isPool && <PoolAddress planning={planning} />}
      {!isPool && isPublic && payout}
      <Folds
        planning={planning}
        command={commandLineOf(changes)}
        payout={isPool || !isPublic ? payout : null}
        isPayoutWrong={receiver.fault !== ''}
      />
      <Warnings network={plan.network} />
      {isPublic && !isPool && plan.coinbase === '' && <p className={styles.warning}>{t('ui.welcome.needsAccount')}</p>}
      {state.kind === 'failed' && (
        <p className={styles.warning} role="alert">
          {t('ui.welcome.failed', { flag: state.flag, reason: state.reason })}
        </p>
      )}
      <div className={styles.go}>
        <Button
          type="submit"
          variant="primary"
          size="large"
          needsContact
          data-testid="welcome-start"
          isBusy={state.kind === 'busy'}
          disabledReason={missing === '' ? undefined : missing}
        >
          {t(state.kind === 'busy' ? 'ui.settings.saving' : 'ui.welcome.start')}
        </Button>
        <a className={styles.later} href={hrefOf('/')}>
          {t('ui.welcome.later')}
        </a>
        <Dismiss />
      </div>
      {changes.length > 0 && <p className={styles.text}>{t('ui.welcome.willRestart')}</p>}
    </form>
  )
}

/** Network, and solo or pool. */
function Where({ planning: { plan, change } }: Pick<FormProps, 'planning'>) {
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
      <Options
        label={t('ui.welcome.step.work')}
        value={plan.work}
        options={[
          { value: 'solo', title: t('ui.overview.solo'), text: t('ui.welcome.soloText') },
          { value: 'pool', title: t('ui.overview.pool'), text: t('ui.welcome.poolText') },
        ]}
        onChange={(work) => change({ work })}
      />
    </>
  )
}

interface FoldsProps extends Pick<FormProps, 'planning'> {
  readonly command: string
  /** Null where it stands above. */
  readonly payout: ReactNode
  readonly isPayoutWrong: boolean
}

function Folds({ planning, command, payout, isPayoutWrong }: FoldsProps) {
  const t = useText()
  const { plan } = planning
  return (
    <div className={styles.folds}>
      {payout !== null && (
        <Fold title={t('ui.welcome.step.account')} isOpen={isPayoutWrong}>
          {payout}
        </Fold>
      )}
      <Fold title={t('ui.welcome.step.folder')}>
        <Folder network={plan.network} />
      </Fold>
      <Fold title={t('ui.welcome.step.sharing')} isOpen={plan.sharing === 'home'}>
        <Sharing planning={planning} />
      </Fold>
      <Fold title={t('ui.welcome.commandLine')}>
        <pre className={styles.command} data-testid="welcome-command">
          {command}
        </pre>
      </Fold>
    </div>
  )
}

interface FoldProps {
  readonly title: string
  /** Something in it has to be seen. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** What has a default that suits most. */
function Fold({ title, isOpen = false, children }: FoldProps) {
  return (
    <details className={styles.fold} open={isOpen || undefined}>
      <summary>{title}</summary>
      <div className={styles.group}>{children}</div>
    </details>
  )
}

/** A whole address is tested without being asked, so that nobody starts with a pool that doesn't answer. */
function useTestWhileTyping(url: string, run: ReturnType<typeof useTest>['run']): void {
  const { clock } = useEnvironment()
  const latest = useLatest(run)
  useEffect(() => {
    if (!/^(?:[a-z0-9+]+:\/\/)?[^\s/]+:\d{2,5}(?:[/?].*)?$/i.test(url.trim())) return
    const timer = clock.setTimeout(() => latest.current(url.trim(), null), TEST_AFTER_MS)
    return () => timer.dispose()
  }, [url, clock])
}

function PoolAddress({ planning: { secrets, setPoolUrl } }: { readonly planning: Planning }) {
  const t = useText()
  const test = useTest()
  const { typed, change, text } = useTypedPool(secrets.poolUrl, (whole) => {
    setPoolUrl(whole)
    test.clear()
  })
  useTestWhileTyping(text, test.run)
  return (
    <div className={styles.group}>
      <PoolFields typed={typed} onChange={change} hint={t('ui.pools.addHint')} name="welcome-pool" />
      <div className={styles.go}>
        <TestButton test={test} url={text} disabledReason={text === '' ? t('ui.pools.addEmpty') : undefined} />
        <TestResult test={test} />
      </div>
    </div>
  )
}

/** What the program does after Start, and the way out. */
function Done({ finishing: { state, restart } }: { readonly finishing: Finishing }) {
  const t = useText()
  const title = useRef<HTMLParagraphElement>(null)
  useEffect(() => title.current?.focus(), [])
  const needsRestart = state.kind === 'done' && state.restart
  const text =
    needsRestart && restart.state === 'asked'
      ? t('ui.welcome.restarting')
      : needsRestart && restart.state === 'refused'
        ? t('ui.welcome.doneRestart', { reason: restart.reason })
        : t('ui.welcome.done')
  return (
    <div className={styles.form}>
      <p ref={title} tabIndex={-1} className={styles.lead} role="status" data-testid="welcome-done">
        {text}
      </p>
      {(!needsRestart || restart.state === 'idle') && <FirstShare />}
      <div className={styles.go}>
        <Button variant="primary" size="large" data-testid="welcome-leave" onClick={() => goTo('/')}>
          {t('ui.welcome.leave')}
        </Button>
      </div>
    </div>
  )
}

/** Ends the offer of this page: here at once, and in the config file. */
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

type FinishState =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly flag: string; readonly reason: string }
  /** `restart`: something written needs a restart, which was requested. */
  | { readonly kind: 'done'; readonly restart: boolean }

function useFinish() {
  const { backend, stores } = useEnvironment()
  // The desktop program restarts with its window: the new page continues where the old one was.
  const [state, setState] = useState<FinishState>(() =>
    stores.preferences.getState().isStarting ? { kind: 'done', restart: false } : { kind: 'open' },
  )
  const restart = useRestart()
  const finish = async (changes: readonly Change[]): Promise<void> => {
    setState({ kind: 'busy' })
    const all = [...changes, { key: 'app.welcome', flag: 'welcome', value: 'false' }]
    for (const { key, flag, value } of all) {
      try {
        await backend.call('app.setOption', { key, value })
      } catch (error: unknown) {
        return setState({ kind: 'failed', flag, reason: messageOf(error) })
      }
    }
    stores.preferences.setState({ isWelcomed: true, isStarting: changes.length > 0 })
    if (changes.length > 0) void restart.ask()
    setState({ kind: 'done', restart: changes.length > 0 })
  }
  return { state, finish, restart }
}
