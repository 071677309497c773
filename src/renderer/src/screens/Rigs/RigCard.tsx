// The state of one rig, in one card.
import type { RigView } from '../../../../contract/rigs'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { efficiencyOfRig, hottestOfRig } from '../../state/stores/fleet-store'
import { Value } from '../../widgets/facts/Value'
import { WhyText } from '../../widgets/why/WhyText'
import { Shares } from '../Overview/MinerCards'
import { RigPool } from './RigPool'
import { RigState } from './RigState'
import styles from './Rigs.module.css'
import { RigWhy } from './RigWhy'

export function RigCard({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const format = useFormat()
  const { figures } = rig
  return (
    <Card title={t('ui.rigs.name')} testId="rig-facts">
      <div>
        <RigState rig={rig} />
      </div>
      <div className={styles.facts}>
        <Facts>
          <Fact label={t('ui.node.listenAddress')}>
            <code>
              <ForeignText text={rig.host === '' ? t('ui.rigs.thisRig') : rig.host} />
            </code>
          </Fact>
          {figures !== null && (
            <>
              <Fact label={t('ui.gpus.s60')} why={<RigWhy of="rigRate" gpus={figures.gpus} />}>
                <Value kind="hashrate" value={figures.hashrate.s60} />
              </Fact>
              <Fact label={t('ui.gpus.effective')} why={<WhyText of="effective" />}>
                <Value kind="hashrate" value={figures.hashrate.effective > 0 ? figures.hashrate.effective : null} />
              </Fact>
              <Fact label={t('ui.gpus.power')} why={<RigWhy of="powerSum" gpus={figures.gpus} />}>
                <Value kind="watts" value={figures.powerWatts > 0 ? figures.powerWatts : null} />
              </Fact>
              <Fact label={t('ui.gpus.efficiency')} why={<RigWhy of="efficiency" gpus={figures.gpus} />}>
                <Value kind="efficiency" value={efficiencyOfRig(rig)} />
              </Fact>
              <Fact label={t('ui.overview.shares')} why={<RigWhy of="rigShares" gpus={figures.gpus} />}>
                <Shares {...figures.shares} />
              </Fact>
              <Fact label={t('ui.rigs.hottest')} why={<RigWhy of="hottest" gpus={figures.gpus} />}>
                <Value kind="celsius" value={hottestOfRig(rig)} />
              </Fact>
              <Fact label={t('ui.rigs.pool')}>
                <RigPool pool={figures.pool} />
              </Fact>
              <Fact label={t('ui.rigs.uptime')} why={<WhyText of="rigUptime" />}>
                {format.text('duration', figures.uptimeSeconds)}
              </Fact>
              <Fact label={t('ui.rigs.version')}>
                <ForeignText text={figures.version} />
              </Fact>
              <Fact label={t('ui.rigs.takesControl')}>{t(figures.control ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>
            </>
          )}
          {!rig.local && <Fact label={t('ui.rigs.tokenStored')}>{t(rig.hasToken ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>}
        </Facts>
      </div>
    </Card>
  )
}
