// The state of one rig, in one card.
import type { ReactNode } from 'react'
import type { RigFiguresView, RigGpuView, RigView } from '../../../../contract/rigs'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { efficiencyOfRig, hottestOfRig } from '../../state/stores/operation-store'
import { Age } from '../../widgets/facts/Age'
import { Shares } from '../../widgets/facts/Shares'
import { Value } from '../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import { takesCommands } from './detail/rig-commands'
import { RigState } from './RigState'
import styles from './Rigs.module.css'

// What the figures of one rig are made of: what each of its devices adds.

/** A rig's API reports 0 for unknown. */
const known = (value: number): number | null => (value > 0 ? value : null)

const PARTS = {
  rigRate: ({ hashrate }) => <Value kind="hashrate" value={hashrate.s60} />,
  powerSum: ({ powerWatts }) => <Value kind="watts" value={known(powerWatts)} />,
  efficiency: ({ hashrate, powerWatts }) => (
    <Value kind="efficiency" value={powerWatts > 0 ? hashrate.s60 / powerWatts : null} />
  ),
  rigShares: ({ shares }) => <Shares {...shares} />,
  hottest: ({ temperature }) => <Value kind="celsius" value={known(Math.max(...Object.values(temperature)))} />,
} as const satisfies Readonly<Record<string, (gpu: RigGpuView) => ReactNode>>

interface RigWhyProps {
  readonly of: keyof typeof PARTS
  readonly gpus: readonly RigGpuView[]
}

function RigWhy({ of, gpus }: RigWhyProps) {
  const rows: readonly WhyRow[] = gpus.map((gpu, index) => ({
    label: `${index} ${gpu.name}`,
    isForeign: true,
    value: PARTS[of](gpu),
  }))
  return <WhyText of={of} rows={rows} />
}

export function RigCard({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const format = useFormat()
  const { figures } = rig
  return (
    <Card title={t('ui.rigs.name')} testId="rig-facts">
      <div>
        <RigState rig={rig} />
      </div>
      <div className={rig.online ? styles.facts : `${styles.facts} ${styles.old}`}>
        <Facts>
          <Fact label={t('ui.node.listenAddress')}>
            <code>
              <ForeignText text={rig.host === '' ? t('ui.rigs.thisRig') : rig.host} />
            </code>
          </Fact>
          {figures !== null && (
            <>
              <Fact label={t('ui.chart.hashrate')} why={<RigWhy of="rigRate" gpus={figures.gpus} />}>
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
          {takesCommands(rig) && (
            <Fact label={t('ui.rigs.tokenStored')}>{t(rig.hasToken ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>
          )}
          {rig.worker !== null && <WorkerFacts worker={rig.worker} />}
        </Facts>
      </div>
    </Card>
  )
}

/** What the stratum port knows about a rig. */
function WorkerFacts({ worker }: { readonly worker: NonNullable<RigView['worker']> }) {
  const t = useText()
  return (
    <>
      <Fact label={t('ui.rigs.servedDialect')}>{worker.dialect}</Fact>
      <Fact label={t('ui.rigs.servedDifficulty')}>
        <Value kind="count" value={worker.difficulty} />
      </Fact>
      <Fact label={t('ui.rigs.servedReported')}>
        <Value kind="hashrate" value={worker.reportedHashrate} />
      </Fact>
      <Fact label={t('ui.rigs.servedBlocks')}>
        <Value kind="count" value={worker.blocks} />
      </Fact>
      <Fact label={t('ui.rigs.servedLastShare')}>
        <Age time={worker.lastShareAt} />
      </Fact>
    </>
  )
}

/** What a miner's API calls its own node. */
const OWN_NODE = 'local:0'

function RigPool({ pool }: { readonly pool: RigFiguresView['pool'] | null }) {
  const t = useText()
  const format = useFormat()
  if (pool === null || pool.host === '') return format.text('count', null)
  return (
    <>
      {pool.host === OWN_NODE ? t('ui.overview.solo') : <ForeignText text={pool.host} />}
      {pool.warning !== '' && (
        <span className={styles.warning}>
          <ForeignText text={pool.warning} />
        </span>
      )}
    </>
  )
}
