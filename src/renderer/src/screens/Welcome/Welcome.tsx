// A first start on one page: where to mine, with which login, who is paid. Nothing is written before Start.
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { DeviceView, MinerStatusView } from '../../../../contract/miner'
import { Choice } from '../../components/forms/Choice'
import { TextField } from '../../components/forms/TextField'
import { Fact, Facts } from '../../components/layout/Card'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import { QrCode } from '../../components/values/QrCode'
import type { Formatter } from '../../format/formatter'
import { type Text, useLanguage, useText } from '../../i18n/text'
import { goTo, hrefOf } from '../../navigation/router'
import { useAttempt, useCall, useRestart } from '../../state/answers/use-answer'
import { expectedSeconds } from '../../state/earnings/earnings'
import {
  useApp,
  useCanControl,
  useEnvironment,
  useIsOpen,
  useMiner,
  useNode,
  usePreference,
  useSigner,
} from '../../state/environment'
import { isMining } from '../../state/stores/program-store'
import { useLatest } from '../../state/use-latest'
import { type Change, changesOf, commandLineOf, HOME_BIND, newToken, type Plan } from '../../state/welcome-plan'
import { Button, Failure } from '../../widgets/controls/Button'
import { LanguageChoices, ThemeChoices } from '../../widgets/controls/LanguageChoices'
import { FolderChooser } from '../../widgets/data-folder/FolderChooser'
import { troubleText } from '../../widgets/facts/pause-reason'
import { type Mark, StatePill, type Tone } from '../../widgets/facts/StatePill'
import { Value } from '../../widgets/facts/Value'
import { ImportAccount } from '../Accounts/Keys'
import { addressFault } from '../Accounts/send/Recipient'
import { PoolFields, useTypedPool } from '../Pools/PoolFields'
import { TestButton, TestResult, useTest } from '../Pools/PoolTest'
import { Screen } from '../Screen'
import { Computer } from './Computer'
import styles from './Welcome.module.css'

/** After the last key. */
const TEST_AFTER_MS = 800

const networks = ['practice', 'main', 'test'] as const

export function Welcome() {
  const t = useText()
  const canControl = useCanControl()
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
      <Screen title={t('ui.welcome.title')} isForm>
        <p>{t('ui.settings.readOnly')}</p>
      </Screen>
    )
  const isDone = finishing.finished !== null
  return (
    <Screen
      title={t('ui.welcome.title')}
      isForm
      actions={
        <>
          <LanguageChoices />
          <ThemeChoices />
        </>
      }
    >
      <div className={styles.layout} data-testid="welcome" data-state={isDone ? 'done' : 'open'}>
        {isDone ? <Done finishing={finishing} /> : <Form planning={planning} finishing={finishing} />}
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

function Form({ planning, finishing: { isBusy, failure, finish } }: FormProps) {
  const t = useText()
  const { plan, secrets } = planning
  const receiver = useReceiver(plan)
  const changes = changesOf(plan, secrets)
  const isPool = plan.work === 'pool'
  const isPublic = plan.network !== 'practice'
  const isOpen = useIsOpen()
  const missing = isPool && secrets.poolUrl === '' ? t('ui.pools.addEmpty') : receiver.fault
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing === '' && isOpen && !isBusy) finish(changes)
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
      <Failure text={failure} />
      <div className={styles.go}>
        <Button
          type="submit"
          variant="primary"
          size="large"
          needsContact
          data-testid="welcome-start"
          isBusy={isBusy}
          disabledReason={missing === '' ? undefined : missing}
        >
          {t(isBusy ? 'ui.settings.saving' : 'ui.welcome.start')}
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
function Done({ finishing: { finished, restart } }: { readonly finishing: Finishing }) {
  const t = useText()
  const title = useRef<HTMLParagraphElement>(null)
  useEffect(() => title.current?.focus(), [])
  const needsRestart = finished?.restart === true
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
  const { failure, finish } = useFinish()
  if (!isOffered) return null
  const dismiss = (): void => {
    preferences.setState({ isWelcomed: true }) // takes effect on this device immediately, even if the file can't be written
    finish([], () => goTo('/'))
  }
  return (
    <>
      <Button variant="quiet" data-testid="welcome-dismiss" onClick={dismiss}>
        {t('ui.welcome.decline')}
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** Once it is done: whether something written needs a restart, which was requested. */
type Finished = { readonly restart: boolean } | null

function useFinish() {
  const t = useText()
  const { backend, stores } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  // The desktop program restarts with its window: the new page continues where the old one was.
  const [finished, setFinished] = useState<Finished>(() =>
    stores.preferences.getState().isStarting ? { restart: false } : null,
  )
  const restart = useRestart()
  const write = async ({ key, flag, value }: Change): Promise<void> => {
    try {
      await backend.call('app.setOption', { key, value })
    } catch (error: unknown) {
      throw new Error(t('ui.welcome.failed', { flag, reason: messageOf(error) }))
    }
  }
  const finish = (changes: readonly Change[], then: () => void = () => undefined): void => {
    const work = async (): Promise<void> => {
      for (const change of [...changes, { key: 'app.welcome', flag: 'welcome', value: 'false' }]) await write(change)
      stores.preferences.setState({ isWelcomed: true, isStarting: changes.length > 0 })
      if (changes.length > 0) void restart.ask()
      setFinished({ restart: changes.length > 0 })
      then()
    }
    run(work, undefined, changes.length > 0)
  }
  return { isBusy, failure, finished, finish, restart }
}

type Phase = 'waiting' | 'busy' | 'done' | 'failed'

interface Line {
  readonly phase: Phase
  readonly text: string
}

const tones: Readonly<Record<Phase, Tone>> = { waiting: 'neutral', busy: 'info', done: 'ok', failed: 'danger' }
const marks: Readonly<Record<Phase, Mark>> = { waiting: 'waiting', busy: 'building', done: 'ok', failed: 'error' }

/** Three lines, each with its state; the last one is the proof that mining works. */
function FirstShare() {
  const { t, format } = useLanguage()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  // What the program said before the restart doesn't count as an answer.
  const status = useMiner((state) => (state.status !== null && state.status.takenAt >= startedAt ? state.status : null))
  const devices = useMiner((state) => (state.devices?.takenAt ?? 0) >= startedAt && state.devices?.devices) || NONE
  const lines = [
    { name: 'work', ...workLine(status, t) },
    { name: 'devices', ...devicesLine(status, devices, t, format) },
    { name: 'proof', ...proofLine(status, t, format) },
  ]
  return (
    <ol className={styles.list} data-testid="first-share" aria-label={t('ui.welcome.live')}>
      {lines.map(({ name, phase, text }) => (
        <li key={name} data-testid={`first-share-${name}`} data-state={phase}>
          <StatePill tone={tones[phase]} mark={marks[phase]}>
            <ForeignText text={text} />
          </StatePill>
        </li>
      ))}
    </ol>
  )
}

const NONE: readonly DeviceView[] = []

function workLine(status: MinerStatusView | null, t: Text): Line {
  if (status === null) return { phase: 'busy', text: t('ui.welcome.live.starting') }
  const { kind, connected, host, diagnosis } = status.source
  if (diagnosis !== null && diagnosis.trouble !== 'no-share-yet')
    return { phase: 'failed', text: troubleText(diagnosis, t) }
  if (kind === 'none') return { phase: 'waiting', text: t('ui.welcome.live.noPool') }
  if (kind === 'pool')
    return connected
      ? { phase: 'done', text: t('ui.welcome.live.pool', { host }) }
      : { phase: 'busy', text: t('ui.welcome.live.connecting', { host }) }
  return connected
    ? { phase: 'done', text: t('ui.welcome.live.node') }
    : { phase: 'busy', text: t('ui.welcome.live.noWork') }
}

/** The devices' joint state: mining as soon as one mines, otherwise what the slowest one waits for. */
function devicesLine(status: MinerStatusView | null, devices: readonly DeviceView[], t: Text, format: Formatter): Line {
  const failed = devices.find(({ state }) => state === 'error')
  if (failed !== undefined && devices.every(({ state }) => state === 'error'))
    return { phase: 'failed', text: t('ui.welcome.live.failed', { name: failed.name, reason: failed.error }) }
  const count = devices.filter(isMining).length
  const hashrate = status?.hashrate.now ?? null
  if (count > 0 && hashrate !== null && hashrate > 0)
    return { phase: 'done', text: t('ui.welcome.live.mining', { count, hashrate: format.text('hashrate', hashrate) }) }
  const built = devices.flatMap(({ state, progress }) => (state === 'building' && progress !== null ? [progress] : []))
  if (built.length > 0) {
    const progress = format.text('wholePercent', Math.floor(Math.min(...built) * 100))
    return { phase: 'busy', text: t('ui.gpuState.buildingAt', { progress }) }
  }
  const isCompiling = devices.some(({ state }) => state === 'compiling')
  if (isCompiling) return { phase: 'busy', text: t('ui.gpuState.compiling') }
  const isPaused = devices.length > 0 && devices.every(({ paused }) => paused)
  return { phase: 'waiting', text: t(isPaused ? 'ui.welcome.live.paused' : 'ui.welcome.live.noDevice') }
}

function proofLine(status: MinerStatusView | null, t: Text, format: Formatter): Line {
  const isSolo = status?.source.kind === 'solo'
  if (status !== null && status.lastProof !== null)
    return { phase: 'done', text: t(isSolo ? 'ui.welcome.live.block' : 'ui.welcome.live.share') }
  const seconds =
    status === null ? null : expectedSeconds(status.source.difficulty, status.hashrate.s60 ?? status.hashrate.now)
  if (seconds === null) return { phase: 'waiting', text: t('ui.welcome.live.noProof') }
  const duration = format.text('duration', Math.max(1, seconds))
  return { phase: 'busy', text: t(isSolo ? 'ui.welcome.live.blockEvery' : 'ui.welcome.live.shareEvery', { duration }) }
}

interface Receiver {
  readonly accounts: readonly string[]
  /** Lower case; empty if nobody receives anything. */
  readonly address: string
  /** Lower case; null on the practice network itself. */
  readonly practice: string | null
  /** Why the typed address can't be used; empty if it can. */
  readonly fault: string
}

/** Who would receive the rewards with this plan. */
function useReceiver(plan: Plan): Receiver {
  const t = useText()
  const all = useSigner((state) => state.accounts?.accounts ?? null)
  const head = useNode((state) => state.head?.coinbase ?? null)
  const isHere = useApp((state) => state.info?.network === plan.network)
  const isFromPractice = useApp((state) => state.info?.network === 'practice') && !isHere
  // The practice account's password is stored beside it in clear text: nothing of value may go there.
  const own = (all ?? []).some(({ address }) => address.toLowerCase() === head?.toLowerCase()) ? head : null
  const practice = isFromPractice ? (own?.toLowerCase() ?? null) : null
  const accounts = (all ?? []).map(({ address }) => address).filter((address) => address.toLowerCase() !== practice)
  const address = (plan.coinbase || (isHere ? head : null) || '').toLowerCase()
  const isPractice = practice !== null && plan.coinbase.toLowerCase() === practice
  return {
    accounts,
    address,
    practice,
    fault: isPractice ? t('ui.welcome.practiceOnly') : addressFault(plan.coinbase, t),
  }
}

interface PayoutProps {
  readonly planning: Planning
  readonly receiver: Receiver
}

function Payout({ planning: { plan, change }, receiver: { accounts, address: paid, ...receiver } }: PayoutProps) {
  const t = useText()
  return (
    <div className={styles.group} data-testid="welcome-payout">
      <TextField
        label={t('ui.welcome.payTo')}
        hint={t('ui.welcome.payToHint')}
        error={receiver.fault}
        value={plan.coinbase}
        isMono
        maxLength={42}
        data-testid="welcome-coinbase"
        onChange={(text) => change({ coinbase: text.trim() })}
      />
      {receiver.practice !== null && <p className={styles.text}>{t('ui.welcome.practiceStays')}</p>}
      {accounts.length > 0 && (
        <ul className={styles.list} aria-label={t('ui.accounts.keystore')}>
          {accounts.map((address) => (
            <li key={address}>
              <AddressText address={address} form="short" />
              {address.toLowerCase() === paid ? (
                <span className={styles.text}>{t('ui.accounts.coinbase')}</span>
              ) : (
                <Button size="small" onClick={() => change({ coinbase: address })}>
                  {t('ui.welcome.payHere')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.go}>
        <NewAccount />
        <ImportAccount />
      </div>
    </div>
  )
}

/** Asks the signer like any caller; the request is answered where all requests are. */
function NewAccount() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  return (
    <div>
      <Button
        needsContact
        onClick={() => run(() => backend.call('signer.requestNewAccount', {}))}
        data-testid="welcome-new-account"
      >
        {t('ui.accounts.new')}
      </Button>
      <Failure text={failure === '' ? '' : `${t('ui.accounts.newFailed')}: ${failure}`} />
    </div>
  )
}

export type Planning = ReturnType<typeof usePlan>

/** The plan as the page changes it: stored on this device, except for what may contain a password. */
function usePlan() {
  const { preferences } = useEnvironment().stores
  const plan = usePreference((state) => state.plan)
  const [poolUrl, setPoolUrl] = useState('')
  const [token] = useState(() => newToken(window.crypto))
  const secrets = useMemo(() => ({ poolUrl: poolUrl.trim(), token }), [poolUrl, token])
  const change = (part: Partial<Plan>): void => preferences.setState({ plan: { ...plan, ...part } })
  return { plan, secrets, change, setPoolUrl }
}

/** The whole chain of a young network with its state, and space to grow for a year; measured sizes are far below this. */
const NEEDED_BYTES = { practice: 200_000_000, test: 20_000_000_000, main: 20_000_000_000 } as const

interface OptionsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly title: string; readonly text: string }[]
  readonly onChange: (value: T) => void
}

/** A few exclusive options, and what the chosen one means. */
function Options<T extends string>({ label, value, options, onChange }: OptionsProps<T>) {
  return (
    <div className={styles.options}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <Choice
        label={label}
        value={value}
        options={options.map((option) => ({
          value: option.value,
          label: option.title,
          testId: `welcome-${option.value}`,
        }))}
        onChange={onChange}
      />
      <p className={styles.text} role="status">
        {options.find((option) => option.value === value)?.text}
      </p>
    </div>
  )
}

/** What a first start asks besides the pool: each choice with its meaning, and where everything is stored. */
function Folder({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = useCall('app.place', {}).value
  return (
    <>
      <p className={styles.text}>{t('ui.welcome.folderText')}</p>
      <Facts>
        <Fact label={t('ui.settings.dataDir')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>
          <Value kind="bytes" value={place?.freeBytes ?? null} />
        </Fact>
        <Fact label={t('ui.welcome.needed')}>
          <Value kind="bytes" value={NEEDED_BYTES[network]} />
        </Fact>
      </Facts>
      <FolderChooser />
    </>
  )
}

/** What speaks against starting like this, never folded away. */
function Warnings({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const place = useCall('app.place', {}).value
  const free = place?.freeBytes ?? null
  return (
    <>
      {free !== null && free < NEEDED_BYTES[network] && (
        <p className={styles.warning} role="status" data-testid="welcome-no-room">
          {t('ui.welcome.noRoom')}
        </p>
      )}
      {place?.isNetworkDrive === true && (
        <p className={styles.warning} role="status" data-testid="welcome-network-drive">
          {t('ui.welcome.networkDrive')}
        </p>
      )}
      <NoWindow network={network} />
    </>
  )
}

/** In an Electron without security fixes the next start on a public network opens no window. */
function NoWindow({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const version = useApp(({ info }) => (info?.headless === false ? (info.oldElectron ?? null) : null))
  const folder = useApp(({ info }) => info?.dataDir ?? '')
  if (version === null || network === 'practice') return null
  const separator = folder.includes('\\') ? '\\' : '/'
  return (
    <p className={styles.warning} role="status" data-testid="welcome-no-window">
      {t('ui.welcome.oldElectron', { version, file: `${folder}${separator}dashboard-link` })}
    </p>
  )
}

/** Who may view this miner: only this machine, or phones and computers at home with a token. */
function Sharing({ planning: { plan, secrets, change } }: { readonly planning: Planning }) {
  const t = useText()
  const place = useCall('app.place', {}).value
  const host = place?.addresses[0] ?? null
  const port = HOME_BIND.split(':')[1]
  const link = host === null ? null : `http://${host}:${port}/#token=${secrets.token}`
  return (
    <>
      <Options
        label={t('ui.welcome.step.sharing')}
        value={plan.sharing}
        options={[
          { value: 'local', title: t('ui.welcome.local'), text: t('ui.welcome.localText') },
          { value: 'home', title: t('ui.welcome.home'), text: t('ui.welcome.homeText') },
        ]}
        onChange={(sharing) => change({ sharing })}
      />
      {plan.sharing === 'home' && (
        <div className={styles.share}>
          {link !== null && <QrCode text={link} label={t('ui.welcome.qr')} />}
          <div>
            <p>{t('ui.welcome.tokenText')}</p>
            <p data-testid="welcome-token">
              <HashText hex={secrets.token} isFull label={t('ui.login.token')} />
            </p>
            {link === null && <p className={styles.text}>{t('ui.welcome.noAddress')}</p>}
          </div>
        </div>
      )}
    </>
  )
}
