// Lines under the header, most urgent first: contact, engine, waiting requests, network.
import {
  Eye,
  FlaskConical,
  LockOpen,
  ServerOff,
  ShieldQuestion,
  Snowflake,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react'
import { useStore } from 'zustand'
import { useMayDecide } from '../../approval/decision/may-decide'
import { QuietBar } from '../../approval/QuietBar'
import { RefusedCalls } from '../../approval/RefusedCalls'
import { Note } from '../../components/layout/Note'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf, useRoute } from '../../navigation/router'
import { navOf } from '../../navigation/routes'
import { useApp, useEnvironment, useFrozenSince, useLiveNow, usePreference, useSigner } from '../../state/environment'
import { selectLostSince } from '../../state/stores/app-store'
import { selectFirstWaiting, selectWaitingCount } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { secondsUntil } from '../../widgets/facts/Countdown'
import { AlarmBar, PausedBar } from './AlarmBar'
import styles from './Banners.module.css'
import { RestartBar } from './RestartBar'

// Tells visitors on a view-only link that they can only look, until when, and what is hidden from them.

function LinkBar() {
  const link = useApp((state) => state.info?.link ?? null)
  return link === null ? null : <Looking {...link} />
}

function Looking({ hides, expiresAt }: { readonly hides: boolean; readonly expiresAt: number }) {
  const t = useText()
  const format = useFormat()
  const now = useLiveNow()
  return (
    <Note tone="plain" icon={Eye} testId="link-bar">
      {t('ui.settings.looking', { duration: format.text('duration', Math.max(0, expiresAt - now) / 1000) })}{' '}
      {hides && t('ui.settings.lookingHides')}
    </Note>
  )
}

// Other rigs that failed a command sent to all.

function RigFailures() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const failures = useStore(pauseAll.store, (state) => state.failures)
  if (failures.length === 0) return null
  return (
    <Note
      tone="danger"
      icon={ServerOff}
      role="alert"
      testId="rig-failures"
      action={
        <Button size="small" onClick={pauseAll.forgetFailures}>
          {t('ui.common.close')}
        </Button>
      }
    >
      <ForeignText text={failures.map(({ rig, error }) => `${rig}: ${error}`).join(' · ')} />
    </Note>
  )
}

/** A banner appears after this long without contact. */
const OFFLINE_AFTER_MS = 15_000
const PRACTICE_FILE = 'practice-account.txt'

export function Banners() {
  return (
    <>
      <OfflineBar />
      <FrozenBar />
      <PlainTextBar />
      <LinkBar />
      <OldElectronBar />
      <EngineBar />
      <RestartBar />
      <AlarmBar />
      <PausedBar />
      <ApprovalBar />
      <QuietBar />
      <RefusedCalls />
      <NetworkBar />
      <ControlMessage target="all" />
      <RigFailures />
    </>
  )
}

function OfflineBar() {
  const lostSince = useApp(selectLostSince)
  return lostSince === null ? null : <Offline since={lostSince} />
}

function Offline({ since }: { readonly since: number }) {
  const t = useText()
  const format = useFormat()
  const now = useLiveNow()
  const { backend } = useEnvironment()
  const connection = useApp((state) => state.connection)
  if (now - since < OFFLINE_AFTER_MS) return null
  const canRetry = connection.kind === 'lost' && Number.isFinite(connection.retryAt)
  const seconds = connection.kind === 'lost' && canRetry ? secondsUntil(connection.retryAt, now) : null
  return (
    <Note
      tone="danger"
      icon={Unplug}
      testId="offline-bar"
      action={
        canRetry && (
          <Button size="small" onClick={() => backend.retry()}>
            {t('ui.common.retry')}
          </Button>
        )
      }
    >
      <span role="alert">{t('ui.offline.since', { time: format.timeOfDay(since) })}</span>{' '}
      {seconds !== null && t('ui.offline.retryIn', { seconds })}
    </Note>
  )
}

/** Says that the page is frozen and shows values of an earlier moment. */
function FrozenBar() {
  const t = useText()
  const format = useFormat()
  const { freeze } = useEnvironment().stores
  const since = useFrozenSince()
  if (since === null) return null
  return (
    <Note
      tone="plain"
      icon={Snowflake}
      role="status"
      testId="frozen-bar"
      action={
        <Button size="small" data-testid="back-to-live" onClick={freeze.off}>
          {t('ui.freeze.back')}
        </Button>
      }
    >
      {t('ui.freeze.since', { time: format.timeOfDay(since) })}
    </Note>
  )
}

/** On a page that is neither local nor encrypted, anyone on the network path can read the token. */
function PlainTextBar() {
  const t = useText()
  const { protocol, hostname } = window.location
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'http:' || isLocal) return null
  return (
    <Note tone="warn" icon={LockOpen} testId="plain-text-bar">
      {t('ui.shell.notEncrypted')}
    </Note>
  )
}

/** Marks test packages, and starts from sources where only the alternative Electron is available. */
function OldElectronBar() {
  const t = useText()
  const version = useApp((state) => state.info?.oldElectron ?? null)
  if (version === null) return null
  return (
    <Note tone="warn" icon={TriangleAlert} testId="old-electron-bar">
      {t('ui.shell.oldElectron', { version })}
    </Note>
  )
}

function EngineBar() {
  const t = useText()
  const engine = useApp((state) => state.info?.engine ?? null)
  if (engine?.kind !== 'typescript') return null
  return (
    <Note tone="danger" icon={TriangleAlert} testId="engine-bar">
      <strong>{t('ui.engine.title')}</strong> {t('ui.engine.text')} {engine.loadError ?? ''}
    </Note>
  )
}

function ApprovalBar() {
  const t = useText()
  const count = useSigner(selectWaitingCount)
  const first = useSigner(selectFirstWaiting)
  const mayDecide = useMayDecide()
  const isHeadless = useApp((state) => state.info?.headless ?? true)
  if (count === 0) return null
  const elsewhere = isHeadless ? 'ui.approval.atTheMachine' : 'ui.approval.inWindow'
  return (
    <Note
      tone="plain"
      icon={ShieldQuestion}
      role="status"
      testId="approval-bar"
      action={
        mayDecide &&
        first !== undefined && (
          <a className={styles.action} href={hrefOf(`/accounts/approvals/${first.id}`)} data-testid="approval-review">
            {t('ui.approval.review')}
          </a>
        )
      }
    >
      {t(mayDecide ? 'ui.approval.waiting' : elsewhere, { count })}
    </Note>
  )
}

/** What is at stake on this network. Can be closed, except where money is moved. */
function NetworkBar() {
  const t = useText()
  const network = useApp((state) => state.info?.network ?? null)
  const closed = usePreference((preferences) => preferences.closedBanner)
  const isAtMoney = navOf(useRoute()) === 'accounts'
  if ((network !== 'test' && network !== 'practice') || (closed === network && !isAtMoney)) return null
  return (
    <Note
      tone="plain"
      icon={FlaskConical}
      testId="banner-network"
      isSlim
      action={!isAtMoney && <CloseBanner network={network} />}
    >
      {network === 'test' ? t('ui.network.testText') : <PracticeText />}
    </Note>
  )
}

function CloseBanner({ network }: { readonly network: string }) {
  const t = useText()
  const { preferences } = useEnvironment().stores
  return (
    <Button
      size="small"
      variant="quiet"
      aria-label={t('ui.network.closeBanner')}
      data-testid="banner-network-close"
      icon={<X aria-hidden="true" />}
      onClick={() => preferences.setState({ closedBanner: network })}
    />
  )
}

function PracticeText() {
  const t = useText()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const separator = dataDir.includes('\\') ? '\\' : '/'
  return (
    <>
      {t('ui.network.practiceText')}{' '}
      <span className={styles.soft}>
        {t('ui.network.practiceAccount')} <code>{`${dataDir}${separator}${PRACTICE_FILE}`}</code>
      </span>
    </>
  )
}
