// What it earned, what it lost, and what to do about it.
import { Pickaxe } from 'lucide-react'
import { type ReactNode, Suspense, useCallback } from 'react'
import { lazyPart } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { useApp, useMiner, useOperation } from '../../state/environment'
import { deadSince, selectOpen } from '../../state/incidents'
import { selectHidesMoney, useHourBounds, useMoney, useMoneyAnswer } from '../../state/money/use-money'
import { selectIsMonitor } from '../../state/stores/program-store'
import { useIsHealthKnown } from '../../state/use-health'
import { EmptyState } from '../../widgets/facts/States'
import { Income } from './Income'

const DeviceStrip = lazyPart(async () => (await import('./DeviceStrip')).DeviceStrip)
const Flow = lazyPart(async () => (await import('./Flow')).Flow)
const Timeline = lazyPart(async () => (await import('./Timeline')).Timeline)
const Stopped = lazyPart(async () => (await import('./Stopped')).Stopped)
const RigCards = lazyPart(async () => (await import('../Rigs/RigCards')).RigCards)

export function Overview() {
  const t = useText()
  const isMonitor = useOperation(selectIsMonitor)
  return (
    <>
      <h1 className="visually-hidden">{t('ui.nav.overview')}</h1>
      {isMonitor ? (
        <Afterwards>
          <RigCards />
        </Afterwards>
      ) : (
        <OwnMining />
      )}
    </>
  )
}

/** Of this program's devices, or of the rigs that mine for its node. */
function OwnMining() {
  const t = useText()
  const isOff = useMiner((state) => state.status?.state === 'off')
  const hidesMoney = useApp(selectHidesMoney)
  // Without a miner there still is money where rigs mine for this node.
  const { isAbsent } = useMoneyAnswer(useHourBounds(24))
  const hasMoney = !hidesMoney && !isAbsent
  const since = useOperation((state) => deadSince(selectOpen(state)))
  return (
    <>
      {since !== null && (
        <Afterwards>
          <Stopped since={since} />
        </Afterwards>
      )}
      {since === null && hasMoney && <Income />}
      {!isAbsent && (
        <>
          <Afterwards fallback={<div style={{ flex: '1 0 420px' }} />}>
            <Flow />
          </Afterwards>
          <Afterwards fallback={<div style={{ blockSize: 96 }} />}>
            <Strip />
          </Afterwards>
        </>
      )}
      {since === null && hasMoney && (
        <Afterwards>
          <Timeline />
        </Afterwards>
      )}
      {isOff && <EmptyState icon={Pickaxe} title={t('ui.overview.minerOff')} />}
    </>
  )
}

function Strip() {
  const money = useMoney(useHourBounds(24))
  const usual = useCallback(
    (device: number) => money?.devices.find(({ index }) => index === device)?.usualHashrate.value ?? null,
    [money],
  )
  return <DeviceStrip usual={usual} />
}

interface AfterwardsProps {
  /** A placeholder of the same size until then. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

function Afterwards({ fallback = null, children }: AfterwardsProps) {
  const isKnown = useIsHealthKnown()
  return isKnown ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
