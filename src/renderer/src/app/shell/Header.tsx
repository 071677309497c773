// The line that is always visible: network, node state, what is mined, waiting requests, and the stop button.
import { Bell, Lock } from 'lucide-react'
import { useMayDecide } from '../../approval/decision/may-decide'
import { KeptChip } from '../../approval/request/KeptChip'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useEnvironment, useFleet, useMiner, useNode, useSigner } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectIsMonitor } from '../../state/stores/fleet-store'
import { type MinerState, selectAllPaused, selectHashrate, selectTotalWatts } from '../../state/stores/miner-store'
import { selectFirstWaiting, selectWaitingCount } from '../../state/stores/signer-store'
import { PauseButton } from '../../widgets/controls/PauseButton'
import { MinerValue } from '../../widgets/devices/MinerValue'
import { NetworkBadge } from '../../widgets/facts/NetworkBadge'
import { SyncText } from '../../widgets/facts/SyncPill'
import { useMinerAge, Value } from '../../widgets/facts/Value'
import styles from './AppShell.module.css'

export function Header() {
  const hasNode = useApp(({ status }) => status?.services.some(({ name }) => name === 'node') ?? false)
  const isMonitor = useFleet(selectIsMonitor) && !hasNode
  return (
    <header className={styles.header}>
      <NetworkBadge />
      <div className={styles.figures}>{isMonitor ? <FleetFigures /> : <OwnFigures />}</div>
      <div className={styles.tools}>
        <KeptChip />
        <ReadOnlyMark />
        {!isMonitor && <ApprovalsBell />}
        <PauseAll />
      </div>
    </header>
  )
}

function OwnFigures() {
  const t = useText()
  const height = useNode((state) => state.head?.head?.number ?? null)
  const hasPower = useMiner((state) => selectTotalWatts(state) !== null)
  const rateAge = useMinerAge(statusAt)
  const powerAge = useMinerAge(devicesAt)
  return (
    <>
      <span className={styles.figure}>
        <SyncText />
        <Value kind="count" value={height} testId="sync-current" />
      </span>
      <span className={styles.figure}>
        <span>{t('ui.shell.hashrate')}</span>
        <MinerValue kind="hashrate" read={selectHashrate} age={rateAge} testId="header-hashrate" />
      </span>
      {hasPower && (
        <span className={styles.figure}>
          <span>{t('ui.shell.power')}</span>
          <MinerValue kind="watts" read={selectTotalWatts} age={powerAge} testId="header-power" />
        </span>
      )}
    </>
  )
}

const statusAt = ({ status }: MinerState) => status?.takenAt
const devicesAt = ({ devices }: MinerState) => devices?.takenAt

/** When this program only monitors others: the totals of the rigs that are online. */
function FleetFigures() {
  const t = useText()
  const totals = useFleet((state) => state.rigs?.totals ?? null)
  const isAny = totals !== null && totals.online > 0
  return (
    <>
      <span className={styles.figure} data-testid="header-rigs">
        {t('ui.shell.rigsOnline', { online: totals?.online ?? 0, count: totals?.rigs ?? 0 })}
      </span>
      <span className={styles.figure}>
        <span>{t('ui.shell.hashrate')}</span>
        <Value kind="hashrate" value={isAny ? totals.hashrate.s60 : null} testId="header-hashrate" />
      </span>
      <span className={styles.figure}>
        <span>{t('ui.shell.power')}</span>
        <Value kind="watts" value={isAny && totals.powerWatts > 0 ? totals.powerWatts : null} testId="header-power" />
      </span>
    </>
  )
}

function ApprovalsBell() {
  const t = useText()
  const count = useSigner(selectWaitingCount)
  const first = useSigner(selectFirstWaiting)
  const mayDecide = useMayDecide()
  const path = mayDecide && first !== undefined ? `/accounts/approvals/${first.id}` : '/accounts'
  return (
    <a
      className={styles.bell}
      href={hrefOf(path)}
      data-testid="approvals-bell"
      aria-label={t('ui.shell.approvals', { count })}
    >
      <Bell aria-hidden="true" />
      {count > 0 && (
        <span className={styles.bellCount} aria-hidden="true">
          {count}
        </span>
      )}
    </a>
  )
}

function PauseAll() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const isPaused = useMiner(selectAllPaused)
  const canResume = useMiner((state) => state.devices?.devices.some((device) => device.canResume) ?? false)
  const count = useMiner((state) => state.devices?.devices.length ?? 0)
  if (count === 0) return null
  return (
    <PauseButton
      target="all"
      testId="pause-all"
      name={t('ui.pause.allDevices')}
      isPaused={isPaused}
      canResume={canResume}
      reason={t('ui.pause.seeDevices')}
      onPress={pauseAll.press}
    />
  )
}

function ReadOnlyMark() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const hasInfo = useApp((state) => state.info !== null)
  const canSignIn = useApp((state) => state.info?.canSignIn ?? false)
  if (canControl || !hasInfo) return null
  return (
    <span className={styles.readOnly} data-testid="read-only-mark">
      <Lock aria-hidden="true" />
      {t('ui.shell.readOnly')}
      {canSignIn && (
        <a href={hrefOf('/sign-in')} data-testid="sign-in">
          {t('ui.login.signIn')}
        </a>
      )}
    </span>
  )
}
