// What the status bar says, most urgent first: a short text for the bar, the whole sentence for screen readers.
import {
  Blocks,
  CircleAlert,
  Eye,
  FlaskConical,
  LockKeyhole,
  LockOpen,
  type LucideIcon,
  Network,
  RefreshCw,
  RotateCw,
  ShieldQuestion,
  Snowflake,
  Sparkles,
  TriangleAlert,
  Users,
  Wallet,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMayDecide } from '../../approval/decision/may-decide'
import { type Text, useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf, useRoute } from '../../navigation/router'
import { useRestart } from '../../state/answers/use-answer'
import {
  useApp,
  useCanControl,
  useEnvironment,
  useFrozenSince,
  useIsOpen,
  useLiveMoment,
  useMiner,
  useNode,
  useOperation,
  usePreference,
  useSigner,
} from '../../state/environment'
import type { HealthFinding, HealthSummary } from '../../state/health'
import { deadSince, selectOpen } from '../../state/incidents'
import {
  type ConnectionState,
  selectAllPaused,
  selectIsMonitor,
  selectLostSince,
  selectMiningCount,
  selectPools,
  selectSilentRigs,
} from '../../state/stores/program-store'
import {
  selectFirstWaiting,
  selectIsBackedUp,
  selectUnlockedCount,
  selectWaitingCount,
} from '../../state/stores/signer-store'
import { useHealth } from '../../state/use-health'
import { deviceLabel } from '../../widgets/devices/device-names'
import { secondsUntil } from '../../widgets/facts/Countdown'
import { isTrouble, joinedReasonText } from '../../widgets/facts/pause-reason'
import { syncMarks, useSyncState } from '../../widgets/facts/SyncPill'
import { useAge, Value } from '../../widgets/facts/Value'

type StatusTone = 'plain' | 'warn' | 'danger'

export interface StatusItem {
  readonly testId: string
  readonly tone: StatusTone
  readonly icon: LucideIcon
  readonly text: ReactNode
  readonly extra?: ReactNode
  /** The whole sentence; absent if the text says it all. */
  readonly full?: string
  readonly href?: string
  readonly onPress?: () => void
  readonly state?: string
  readonly isBusy?: boolean
  /** One of those that the incidents' sheet lists by itself. */
  readonly isFinding?: true
}

interface LeadView {
  readonly tone: 'ok' | StatusTone
  readonly text: string
  readonly full: string
  readonly state: HealthSummary
  /** Since when there is no contact; null while there is. */
  readonly since: number | null
}

const OFFLINE_AFTER_MS = 15_000
const PRACTICE_FILE = 'practice-account.txt'

/** Findings that mean that nothing is earned, whatever the devices compute. */
const fatal: ReadonlySet<HealthFinding['id']> = new Set(['health.no-share', 'health.no-reward-account'])

/** What Headframe does now; null until that is known. */
export function useLead(): LeadView | null {
  const { t, format } = useLanguage()
  const isOpen = useIsOpen()
  const lostSince = useApp(selectLostSince)
  const isLong = useLiveMoment((now) => lostSince !== null && now - lostSince >= OFFLINE_AFTER_MS)
  const { findings, summary, count, isKnown } = useHealth()
  // A monitor knows what its rigs say; its own miner is off and silent.
  const isMonitor = useOperation(selectIsMonitor)
  const readAt = useOperation((state) => state.rigs?.takenAt ?? null)
  const silentRigs = useOperation(selectSilentRigs)
  // A run without a miner says so once.
  const ownReadAt = useMiner(({ status }) => (status === null || status.state === 'off' ? null : status.takenAt))
  const late = useAge(isMonitor ? readAt : ownReadAt)
  const doing = useDoing()
  const isDead = useOperation((state) => deadSince(selectOpen(state)) !== null)
  const sentence = useMinerSentence()
  if (findings.length === 0 && !isKnown && lostSince === null) return null
  if (!isOpen) {
    return {
      tone: isLong ? 'danger' : 'warn',
      text:
        isLong && lostSince !== null
          ? t('ui.offline.since', { time: format.timeOfDay(lostSince) })
          : t('ui.pause.noContact'),
      full: t('ui.health.noContact'),
      state: 'attention',
      since: isLong ? lostSince : null,
    }
  }
  if (!isKnown && findings.length === 0) return null
  // What was well then may not be now.
  if (late !== null && summary !== 'problem')
    return { tone: 'warn', text: t('ui.health.late', { age: late }), full: '', state: 'attention', since: null }
  const isUnheard = isMonitor && silentRigs > 0 && summary === 'ok'
  const state = isUnheard ? 'unproven' : summary
  const isFatal = isDead || findings.some(({ id, level }) => fatal.has(id) && level === 'problem')
  return {
    tone: isFatal ? 'danger' : toneOf(state, doing.kind),
    text: isFatal ? t('ui.status.nothing') : t(`ui.status.${doing.kind}`, doing.values),
    full: [
      isUnheard ? t('ui.health.rigsSilent', { count: silentRigs }) : t(`ui.health.${summary}`, { count }),
      sentence,
    ]
      .filter((part) => part !== '')
      .join('. '),
    state,
    since: null,
  }
}

const tones = {
  ok: 'ok',
  preparing: 'plain',
  waiting: 'plain',
  unproven: 'ok',
  untold: 'plain',
  attention: 'warn',
  problem: 'danger',
} as const satisfies Readonly<Record<HealthSummary, LeadView['tone']>>

/** All may be well there, but a backup isn't where it was meant to mine, and nothing mined isn't mining well. */
function toneOf(state: HealthSummary, doing: Doing): LeadView['tone'] {
  const tone = tones[state]
  if (tone !== 'ok') return tone
  return doing === 'backup' ? 'warn' : doing === 'off' ? 'plain' : tone
}

type Doing = 'rigs' | 'paused' | 'preparing' | 'waiting' | 'solo' | 'pool' | 'backup' | 'off'

/** What the miner works for, or why it doesn't. */
function useDoing(): { readonly kind: Doing; readonly values: Readonly<Record<string, number>> } {
  const isMonitor = useOperation(selectIsMonitor)
  const online = useOperation((state) => state.rigs?.totals.online ?? 0)
  const rigs = useOperation((state) => state.rigs?.totals.rigs ?? 0)
  const isBackup = useOperation((state) => selectPools(state).some(({ active, index }) => active && index > 0))
  const mining = useMiner(selectMiningCount)
  const isPaused = useMiner(selectAllPaused)
  const kind = useMiner((state) => state.status?.source.kind ?? 'none')
  const isRunning = useMiner((state) => state.status?.state === 'running')
  const isWaiting = useMiner((state) => state.devices?.devices.some((device) => device.state === 'waiting') ?? false)
  const isPreparing = useMiner(
    (state) =>
      state.devices?.devices.some(({ state: doing }) => ['starting', 'compiling', 'building'].includes(doing)) ?? false,
  )
  const pick = (): Doing => {
    if (isMonitor) return 'rigs'
    if (!isRunning) return 'off'
    if (isPaused) return 'paused'
    if (mining === 0) return isPreparing ? 'preparing' : isWaiting ? 'waiting' : 'off'
    return kind === 'pool' ? (isBackup ? 'backup' : 'pool') : 'solo'
  }
  return { kind: pick(), values: { online, count: rigs } }
}

function useMinerSentence(): string {
  const { t, format } = useLanguage()
  const status = useMiner((state) => state.status)
  const count = useMiner((state) => state.devices?.devices.length ?? 0)
  const mining = useMiner(selectMiningCount)
  if (status === null || count === 0 || status.state === 'off') return ''
  const { source, hashrate } = status
  if (mining === 0) return t('ui.overview.notMining', { count })
  const isPool = source.kind === 'pool'
  return t(isPool ? 'ui.overview.miningPool' : 'ui.overview.miningSolo', {
    mining,
    count,
    hashrate: format.text('hashrate', hashrate.now),
    host: isPool ? source.host : '',
  })
}

/** Everything beside the lead, and the question before a restart. */
export function useStatusItems() {
  const restart = useRestartItem()
  const items = [
    ...useContactItems(),
    ...restart.items,
    useApprovalItem(),
    useWelcomeItem(),
    ...useFindingItems(),
    ...usePageItems(),
    useNetworkItem(),
    ...useFactItems(),
  ].filter((item) => item !== null)
  return { items, restart }
}

/** Lost contact, a frozen page, and access that isn't the owner's. */
function useContactItems(): readonly StatusItem[] {
  const { t, format } = useLanguage()
  const { backend, stores } = useEnvironment()
  const connection = useApp((state) => state.connection)
  const seconds = useLiveMoment((now) => secondsToRetry(connection, now))
  const since = useFrozenSince()
  const items: StatusItem[] = []
  if (seconds !== null)
    items.push({
      testId: 'offline-retry',
      tone: 'danger',
      icon: RefreshCw,
      text: t('ui.common.retry'),
      full: t('ui.offline.retryIn', { seconds }),
      onPress: () => backend.retry(),
    })
  if (since !== null)
    items.push({
      testId: 'frozen-bar',
      tone: 'warn',
      icon: Snowflake,
      text: t('ui.freeze.back'),
      full: t('ui.freeze.since', { time: format.timeOfDay(since) }),
      onPress: stores.freeze.off,
    })
  return items
}

/** Until the next attempt; null while contact isn't lost for long, or there is none. */
function secondsToRetry(connection: ConnectionState, now: number): number | null {
  if (connection.kind !== 'lost' || !Number.isFinite(connection.retryAt)) return null
  return now - connection.since < OFFLINE_AFTER_MS ? null : secondsUntil(connection.retryAt, now)
}

function useRestartItem() {
  const t = useText()
  const route = useRoute()
  const canControl = useCanControl()
  const options = useApp((state) => state.status?.restartFor ?? NONE)
  const planned = useOperation((state) => selectPools(state).filter((pool) => pool.state === 'planned').length)
  const restart = useRestart()
  const [isAsking, setAsking] = useState(false)
  const isPending = canControl && (options.length > 0 || planned > 0)
  // The settings themselves say which part a change restarts.
  const isElsewhere = route.screen === 'settings' || route.screen === 'welcome'
  const isRestarting = restart.state === 'asked'
  const full = [
    ...(planned > 0 ? [t('ui.restart.pools', { count: planned })] : []),
    ...(options.length > 0 ? [t('ui.restart.options', { count: options.length, names: options.join(', ') })] : []),
    ...(restart.state === 'refused' ? [restart.reason] : []),
  ].join(' ')
  const item: StatusItem = {
    testId: 'restart-bar',
    tone: restart.state === 'refused' ? 'danger' : 'warn',
    icon: RotateCw,
    text: isRestarting ? t('ui.restart.restarting') : t('ui.restart.now'),
    full: isRestarting ? '' : full,
    onPress: () => !isRestarting && setAsking(true),
    isBusy: isRestarting,
  }
  return {
    items: isPending && !isElsewhere ? [item] : [],
    isAsking,
    confirm: () => void restart.ask(),
    close: () => setAsking(false),
  }
}

const NONE: readonly string[] = []

function useApprovalItem(): StatusItem | null {
  const t = useText()
  const count = useSigner(selectWaitingCount)
  const first = useSigner(selectFirstWaiting)
  const mayDecide = useMayDecide()
  const isHeadless = useApp((state) => state.info?.headless ?? true)
  if (count === 0) return null
  const elsewhere = isHeadless ? 'ui.approval.atTheMachine' : 'ui.approval.inWindow'
  const path = mayDecide && first !== undefined ? `/accounts/approvals/${first.id}` : '/accounts'
  return {
    testId: mayDecide ? 'approval-review' : 'approval-bar',
    tone: 'warn',
    icon: ShieldQuestion,
    text: t('ui.health.approval-waiting', { count }),
    full: t(mayDecide ? 'ui.approval.waiting' : elsewhere, { count }),
    href: hrefOf(path),
  }
}

/** What another item of the bar says already. */
function isSaidElsewhere(finding: HealthFinding): boolean {
  return finding.id === 'health.approval-waiting' || finding.id === 'health.engine'
}

function useFindingItems(): readonly StatusItem[] {
  const t = useText()
  const isOpen = useIsOpen()
  const { findings } = useHealth()
  if (!isOpen) return []
  return findings
    .filter((finding) => !isSaidElsewhere(finding))
    .map((finding) => ({
      testId: `health-chip-${finding.id}`,
      isFinding: true,
      tone: finding.level === 'problem' ? 'danger' : 'warn',
      icon: finding.level === 'problem' ? CircleAlert : TriangleAlert,
      text: findingText(finding, t),
      full: findingText(finding, t),
      href: hrefOf(finding.route),
    }))
}

/** The sentence of a finding; the API's own terms in it are translated. */
export function findingText({ id, values }: Pick<HealthFinding, 'id' | 'values'>, t: Text): string {
  const { trouble = '' } = values
  if (id === 'health.pool-trouble' && isTrouble(trouble)) return t(`ui.${id}`, { what: t(`ui.trouble.${trouble}`) })
  const { index, backend, reason } = values
  const device = typeof index === 'number' ? { device: deviceLabel({ index, backend }, t) } : {}
  const why = id === 'health.gpu-paused' ? { reason: joinedReasonText(String(reason), t) } : {}
  return t(`ui.${id}`, { ...values, ...device, ...why })
}

/** What is special about this page or this program: encryption, a link's limits, the engine. */
function usePageItems(): readonly StatusItem[] {
  const { t, format } = useLanguage()
  const link = useApp((state) => state.info?.link ?? null)
  const duration = useLiveMoment((now) =>
    link === null ? '' : format.text('duration', Math.max(0, link.expiresAt - now) / 1000),
  )
  const oldElectron = useApp((state) => state.info?.oldElectron ?? null)
  const engine = useApp((state) => state.info?.engine ?? null)
  const canControl = useCanControl()
  const hasInfo = useApp((state) => state.info !== null)
  const canSignIn = useApp((state) => state.info?.canSignIn ?? false)
  const items: StatusItem[] = []
  const { protocol, hostname } = window.location
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    items.push({
      testId: 'plain-text-bar',
      tone: 'warn',
      icon: LockOpen,
      text: t('ui.status.plainText'),
      full: t('ui.shell.notEncrypted'),
    })
  if (engine?.kind === 'typescript')
    items.push({
      testId: 'engine-bar',
      tone: 'danger',
      icon: TriangleAlert,
      text: t('ui.health.engine'),
      full: `${t('ui.engine.title')} ${t('ui.engine.text')} ${engine.loadError ?? ''}`.trim(),
      href: hrefOf('/settings/about'),
    })
  if (link !== null)
    items.push({
      testId: 'link-bar',
      tone: 'plain',
      icon: Eye,
      text: t('ui.status.viewOnly'),
      extra: duration,
      full: `${t('ui.settings.looking', { duration })} ${link.hides ? t('ui.settings.lookingHides') : ''}`.trim(),
    })
  if (!canControl && hasInfo)
    items.push({
      testId: 'read-only-mark',
      tone: 'plain',
      icon: LockKeyhole,
      text: t('ui.shell.readOnly'),
    })
  if (!canControl && hasInfo && canSignIn)
    items.push({
      testId: 'sign-in',
      tone: 'plain',
      icon: LockOpen,
      text: t('ui.login.signIn'),
      href: hrefOf('/sign-in'),
    })
  if (oldElectron !== null)
    items.push({
      testId: 'old-electron-bar',
      tone: 'warn',
      icon: TriangleAlert,
      text: t('ui.status.oldElectron'),
      full: t('ui.shell.oldElectron', { version: oldElectron }),
    })
  return items
}

function useWelcomeItem(): StatusItem | null {
  const t = useText()
  const canControl = useCanControl()
  const isOffered = useApp((state) => state.info?.welcome ?? false)
  const isWelcomed = usePreference((preferences) => preferences.isWelcomed)
  const network = useApp((state) => state.info?.network ?? 'practice')
  if (!canControl || !isOffered || isWelcomed) return null
  return {
    testId: 'welcome-card',
    tone: 'plain',
    icon: Sparkles,
    text: t('ui.status.setUp'),
    full: t('ui.welcome.card', { network }),
    href: hrefOf('/welcome'),
  }
}

function useNetworkItem(): StatusItem | null {
  const t = useText()
  const network = useApp((state) => state.info?.network ?? null)
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  if (network === null || network === 'main') return null
  const separator = dataDir.includes('\\') ? '\\' : '/'
  const words = {
    test: t('ui.network.testText'),
    practice: `${t('ui.network.practiceText')} ${t('ui.network.practiceAccount')} ${dataDir}${separator}${PRACTICE_FILE}`,
    custom: '',
  }
  return {
    testId: 'banner-network',
    tone: 'plain',
    icon: FlaskConical,
    text: t(`ui.network.${network}`),
    full: words[network],
    state: network,
  }
}

/** Pool, node and wallet: each with its one number. */
function useFactItems(): readonly (StatusItem | null)[] {
  return [usePoolItem(), useNodeItem(), usePeersItem(), useWalletItem()]
}

function usePoolItem(): StatusItem | null {
  const format = useFormat()
  const pool = useOperation((state) => selectPools(state).find(({ active }) => active) ?? null)
  if (pool === null) return null
  return {
    testId: 'status-pool',
    tone: 'plain',
    icon: Network,
    text: pool.host,
    extra: pool.latency === null ? null : `${format.text('count', pool.latency.medianMs)}\u00a0ms`,
    href: hrefOf('/pools'),
  }
}

function useNodeItem(): StatusItem | null {
  const t = useText()
  const isMonitor = useOperation(selectIsMonitor)
  const hasNode = useApp(({ status }) => status?.services.some(({ name }) => name === 'node') ?? true)
  const height = useNode((state) => state.head?.head?.number ?? null)
  const isKnown = useNode((state) => state.head !== null)
  const sync = useSyncState()
  if ((isMonitor && !hasNode) || !isKnown) return null
  return {
    testId: 'sync-state',
    tone: 'plain',
    icon: Blocks,
    text: t(`ui.sync.${sync}`),
    extra: <Value kind="count" value={height} testId="sync-current" />,
    state: syncMarks[sync],
    href: hrefOf('/node'),
  }
}

/** Beside a pool there is no room for them. */
function usePeersItem(): StatusItem | null {
  const t = useText()
  const peers = useNode((state) => state.head?.peers ?? null)
  const isSolo = useMiner((state) => state.status?.source.kind === 'solo')
  if (peers === null || !isSolo) return null
  return {
    testId: 'status-peers',
    tone: 'plain',
    icon: Users,
    text: t('ui.status.peers', { count: peers }),
    href: hrefOf('/node/peers'),
  }
}

function useWalletItem(): StatusItem | null {
  const t = useText()
  const count = useSigner((state) => state.accounts?.accounts.length ?? 0)
  const told = useSigner(selectUnlockedCount)
  const canControl = useCanControl()
  const mayDecide = useMayDecide()
  const isBackedUp = useSigner(selectIsBackedUp)
  // Losing practice coins does no harm.
  const isPractice = useApp((state) => state.info?.network === 'practice')
  if (count === 0) return null
  // Others are told of no unlocked account, whatever is unlocked.
  const unlocked = canControl || mayDecide ? told : null
  const [icon, text] =
    unlocked === null
      ? [Wallet, 'ui.nav.accounts' as const]
      : unlocked > 0
        ? [LockOpen, 'ui.status.walletOpen' as const]
        : [LockKeyhole, 'ui.status.wallet' as const]
  return {
    testId: 'status-wallet',
    tone: 'plain',
    icon,
    text: t(text),
    extra: isBackedUp && !isPractice ? t('ui.status.backedUp') : null,
    href: hrefOf('/accounts'),
  }
}
