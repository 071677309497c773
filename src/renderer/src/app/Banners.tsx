// Lines under the header, the most pressing first: contact, engine, waiting requests, network.
import { FlaskConical, LockOpen, ShieldQuestion, TriangleAlert, Unplug, VolumeX } from 'lucide-react'
import { Banner } from '../components/Banner'
import { Button } from '../components/Button'
import { secondsUntil } from '../components/Countdown'
import { ControlMessage } from '../components/PauseButton'
import { useFormat, useText } from '../i18n/text'
import { selectCanApprove, selectLostSince } from '../state/app-store'
import { useApp, useEnvironment, useNow, useSigner } from '../state/environment'
import { selectFirstWaiting, selectWaitingCount } from '../state/signer-store'
import { AlarmBar, PausedBar } from './AlarmBar'
import styles from './Banners.module.css'
import { hrefOf } from './router'

/** Without contact for this long, it is said. */
const OFFLINE_AFTER_MS = 15_000
const PRACTICE_FILE = 'practice-account.txt'

export function Banners() {
  return (
    <>
      <OfflineBar />
      <PlainTextBar />
      <EngineBar />
      <AlarmBar />
      <PausedBar />
      <ApprovalBar />
      <QuietBar />
      <NetworkBar />
      <ControlMessage target="all" />
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
  const now = useNow()
  const { backend } = useEnvironment()
  const connection = useApp((state) => state.connection)
  if (now - since < OFFLINE_AFTER_MS) return null
  const canRetry = connection.kind === 'lost' && Number.isFinite(connection.retryAt)
  const seconds = connection.kind === 'lost' && canRetry ? secondsUntil(connection.retryAt, now) : null
  return (
    <Banner
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
    </Banner>
  )
}

/** The token can be read by anyone on the way when the page is neither local nor encrypted. */
function PlainTextBar() {
  const t = useText()
  const { protocol, hostname } = window.location
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'http:' || isLocal) return null
  return (
    <Banner tone="warn" icon={LockOpen} testId="plain-text-bar">
      {t('ui.shell.notEncrypted')}
    </Banner>
  )
}

function EngineBar() {
  const t = useText()
  const engine = useApp((state) => state.info?.engine ?? null)
  if (engine?.kind !== 'typescript') return null
  return (
    <Banner tone="danger" icon={TriangleAlert} testId="engine-bar">
      <strong>{t('ui.engine.title')}</strong> {t('ui.engine.text')} {engine.loadError ?? ''}
    </Banner>
  )
}

function ApprovalBar() {
  const t = useText()
  const count = useSigner(selectWaitingCount)
  const first = useSigner(selectFirstWaiting)
  const canApprove = useApp(selectCanApprove)
  const isHeadless = useApp((state) => state.info?.headless ?? true)
  if (count === 0) return null
  const elsewhere = isHeadless ? 'ui.approval.atTheMachine' : 'ui.approval.inWindow'
  return (
    <Banner
      tone="accent"
      icon={ShieldQuestion}
      role="status"
      testId="approval-bar"
      action={
        canApprove &&
        first !== undefined && (
          <a className={styles.action} href={hrefOf(`/accounts/approvals/${first.id}`)} data-testid="approval-review">
            {t('ui.approval.review')}
          </a>
        )
      }
    >
      {t(canApprove ? 'ui.approval.waiting' : elsewhere, { count })}
    </Banner>
  )
}

/** A caller that was refused as a whole, as long as it is not heard. */
export function QuietBar() {
  const t = useText()
  const format = useFormat()
  const { backend } = useEnvironment()
  const until = useSigner((state) => state.requests?.quietUntil ?? null)
  const canApprove = useApp(selectCanApprove)
  if (until === null) return null
  return (
    <Banner
      tone="info"
      icon={VolumeX}
      role="status"
      testId="quiet-bar"
      action={
        canApprove && (
          <Button
            size="small"
            needsContact
            onClick={() => void backend.call('signer.hearAll', {}).catch(() => undefined)}
          >
            {t('ui.approval.hearAll')}
          </Button>
        )
      }
    >
      {t('ui.approval.quiet', { time: format.timeOfDay(until) })}
    </Banner>
  )
}

function NetworkBar() {
  const t = useText()
  const network = useApp((state) => state.info?.network ?? null)
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  if (network === 'test')
    return (
      <Banner tone="info" icon={FlaskConical} testId="banner-network">
        {t('ui.network.testText')}
      </Banner>
    )
  if (network !== 'practice') return null
  const separator = dataDir.includes('\\') ? '\\' : '/'
  return (
    <Banner tone="accent" icon={FlaskConical} testId="banner-network">
      {t('ui.network.practiceText')}{' '}
      <span className={styles.soft}>
        {t('ui.network.practiceAccount')} <code>{`${dataDir}${separator}${PRACTICE_FILE}`}</code>
      </span>
    </Banner>
  )
}
