// Is everything all right, and what does it earn?

import { lazyPart } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { useFleet } from '../../state/environment'
import { selectIsMonitor } from '../../state/stores/fleet-store'
import { Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { Afterwards } from './Afterwards'
import { BalanceCard, BlocksCard, NodeCard } from './ChainCards'
import { EarningsCard } from './EarningsCard'
import { HashrateCard, PowerCard, PowerLine } from './MinerCards'
import styles from './Overview.module.css'
import { SourceCard } from './SourceCard'
import { WaitingCard } from './WaitingCard'

const DeviceStrip = lazyPart(async () => (await import('./DeviceStrip')).DeviceStrip)
const FigureSources = lazyPart(async () => (await import('./FigureSources')).FigureSources)
const ReportCard = lazyPart(async () => (await import('./ReportCard')).ReportCard)
const FleetCards = lazyPart(async () => (await import('../Rigs/FleetCards')).FleetCards)

export function Overview() {
  const t = useText()
  const isMonitor = useFleet(selectIsMonitor)
  if (isMonitor)
    return (
      <Screen title={t('ui.nav.overview')}>
        <FleetCards />
      </Screen>
    )
  return (
    <Screen title={t('ui.nav.overview')}>
      <div className={styles.grid}>
        <HashrateCard />
        <EarningsCard />
        <PowerLine>
          <Afterwards>
            <FigureSources />
          </Afterwards>
        </PowerLine>
        <Afterwards
          fallback={
            <div className={styles.wide}>
              <Skeleton lines={4} heightPx={150} />
            </div>
          }
        >
          <DeviceStrip />
        </Afterwards>
        <Afterwards>
          <ReportCard />
        </Afterwards>
        <PowerCard />
        <SourceCard />
        <NodeCard />
        <BalanceCard />
        <WaitingCard />
        <BlocksCard />
      </div>
    </Screen>
  )
}
