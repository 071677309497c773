// Is everything all right, and what does it earn?
import { useText } from '../../i18n/text'
import { Screen } from '../Screen'
import { WelcomeCard } from '../Welcome/WelcomeCard'
import { AlarmsCard } from './AlarmsCard'
import { BalanceCard, BlocksCard, EarningsCard, NodeCard, SourceCard } from './ChainCards'
import { HealthLine } from './HealthLine'
import { EfficiencyCard, HashrateCard } from './MinerCards'
import styles from './Overview.module.css'

export function Overview() {
  const t = useText()
  return (
    <Screen title={t('ui.nav.overview')}>
      <WelcomeCard />
      <HealthLine />
      <div className={styles.grid}>
        <AlarmsCard />
        <HashrateCard />
        <EfficiencyCard />
        <EarningsCard />
        <SourceCard />
        <NodeCard />
        <BalanceCard />
        <BlocksCard />
      </div>
    </Screen>
  )
}
